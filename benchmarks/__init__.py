"""Benchmarks, one command each: ``python -m benchmarks NAME`` from the checkout.  No test is timed by them."""
