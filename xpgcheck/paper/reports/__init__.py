"""What a run shows: a table on the terminal, JSON, and a page."""
