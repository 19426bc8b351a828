"""``python -m xpgcheck``."""

from xpgcheck.cli.entry import entry

if __name__ == "__main__":
    entry()
