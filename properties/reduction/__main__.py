"""The old way to ``xpgcheck paper reduction``: one line that names the new one."""

import sys

if __name__ == "__main__":
    print("xpgcheck: this is now 'xpgcheck paper reduction'; see its --help", file=sys.stderr)
    sys.exit(2)
