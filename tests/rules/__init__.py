"""The tests of the rules: a file for each module, then golden data and conformance."""
