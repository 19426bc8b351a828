"""Issuing certificates: explanations with evidence that a small checker accepts without a solver.

The checker is :mod:`xpgcheck.check_certificate`, which shares nothing with this package and believes nothing of it.
"""
