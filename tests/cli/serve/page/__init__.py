"""The page in a real browser, and the pure parts it is made of."""
