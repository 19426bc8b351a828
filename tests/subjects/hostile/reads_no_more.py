"""Stops reading, so that the pipe fills."""

import time

from talk import converse

converse(lambda question: time.sleep(30))
