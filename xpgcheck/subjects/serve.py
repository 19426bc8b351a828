"""``python -m xpgcheck.subjects.serve SPEC``: a Python subject answers questions over the line protocol.

The two ends of the conversation are taken away from file descriptors 0 and 1 before anything of the subject's is loaded:
what a subject, or a library of C below it, reads comes from nowhere, and what it prints goes to stderr.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence


def main(arguments: Sequence[str]) -> int:
    """Serve the subject that the one argument names (see ``load_subject``) until stdin ends; return the exit status."""
    if len(arguments) != 1:
        print("usage: python -m xpgcheck.subjects.serve SPEC", file=sys.stderr)
        return 2
    questions, answers = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nowhere, 0)
    os.close(nowhere)
    os.dup2(2, 1)
    from xpgcheck.subjects.serving import serve

    with open(questions, "rb") as asked, open(answers, "wb") as answered:
        serve(arguments[0], asked, answered)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
