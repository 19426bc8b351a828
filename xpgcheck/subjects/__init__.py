"""Other implementations: the line protocol, processes within limits, a server for Python, adapters of published ones."""
