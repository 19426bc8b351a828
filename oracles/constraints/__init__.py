"""Oracles under constraints: Eq. 1 and Eq. 2 over the points that can occur."""
