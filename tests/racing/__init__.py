"""Challenges and races over HTTP, in every state and to everybody, as the contract has them."""
