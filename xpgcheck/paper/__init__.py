"""Research validation: every claim of the paper, with evidence and its limits (``xpgcheck paper``)."""
