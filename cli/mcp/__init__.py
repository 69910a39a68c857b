"""`journal mcp`: the four tools for any client of the Model Context Protocol, over stdio."""
