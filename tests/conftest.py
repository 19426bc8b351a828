"""Settings of all tests."""

import signal

from hypothesis import settings

# A shell without job control lets what it starts in the background ignore Ctrl-C, and so whatever that starts in turn: a
# handler of our own becomes the default in programs that tests start, which are then stopped as on a terminal.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# A busy machine is no failure: what is slow is measured in benchmarks/, not by a deadline.
settings.register_profile("default", deadline=None)
settings.load_profile("default")
