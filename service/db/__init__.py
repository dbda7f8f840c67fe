"""Storage: the engine, its transactions and the tables. Nothing else knows a database's dialect."""
