"""A second, deliberately naive engine, the vectors it computes and its own tests."""
