"""The upper floor of the library: past sessions imported, tabulated, searched, exported."""
