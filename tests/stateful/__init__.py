"""The whole service against the naive engine, whatever people do in whatever order."""
