"""Models to the outside."""
