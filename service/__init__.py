"""Semilla: a game service for the patience games of the Cruel family and Calculation."""

__version__ = "0.1.0"
