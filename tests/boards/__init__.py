"""The boards, as people see them."""
