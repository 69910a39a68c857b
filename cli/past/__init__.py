"""Commands that list, print, export, search and summarize past sessions."""
