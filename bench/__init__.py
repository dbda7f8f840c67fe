"""How fast the service is: programs to run by name, as in ``python -m bench.http``."""
