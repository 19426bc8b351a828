"""Campaigns: long runs as independent units of work, over processes and machines, journaled as they end."""
