"""The program the client runs at each hook event, and what it is made of."""
