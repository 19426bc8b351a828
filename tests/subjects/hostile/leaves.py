"""Ends without a word."""

import os

from talk import converse

converse(lambda question: os._exit(7))
