"""The tests, by the part of the service that they test."""
