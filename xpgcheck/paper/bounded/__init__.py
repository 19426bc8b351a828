"""Every decision graph up to a size, at every instance, and everything that this project computes against brute force."""
