"""Models and instances from the outside."""
