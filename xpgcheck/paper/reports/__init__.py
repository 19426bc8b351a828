"""The reports of a run: a table on the terminal, JSON, and a page."""
