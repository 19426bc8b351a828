"""``python -m xpgcheck``."""

from xpgcheck.cli.main import entry

if __name__ == "__main__":
    entry()
