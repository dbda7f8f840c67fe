"""The whole product, as people install, start and use it."""
