"""Settings of all tests."""

from hypothesis import settings

# A busy machine is no failure: what is slow is measured in benchmarks/, not by a deadline.
settings.register_profile("default", deadline=None)
settings.load_profile("default")
