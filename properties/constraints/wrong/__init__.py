"""Routes under constraints that are wrong on purpose."""
