"""The upper layer of the library: import past sessions, tabulate, search and export them."""
