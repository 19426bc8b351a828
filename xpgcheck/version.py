"""The version, where everything may import it from."""

__version__ = "0.1.0"
