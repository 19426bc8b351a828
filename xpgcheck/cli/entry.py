"""The console script: whatever a signal comes upon, one line and one exit status come of it.

As little as possible is imported before signals are handled.
"""

from __future__ import annotations

import _thread
import gc
import os
import signal
import sys
import time

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Any

AGAIN_SECONDS = 1.0
"""A signal that comes so soon after another one is taken for the same: terminals, shells and ``timeout`` send several."""

INTERRUPTED = 130
"""The exit status of who is interrupted."""

_POSTPONED_SECONDS = 0.01


class Interrupts:
    """The handler of SIGINT and SIGTERM: interrupts the main thread, and then leaves it alone to clean up for a moment.

    ``signals`` counts what has come.
    """

    def __init__(self) -> None:
        self._last = -AGAIN_SECONDS
        self._over = False
        self.signals = 0

    def handle(self) -> None:
        """Handle signals from now on.  Who is to ignore Ctrl-C, as in the background of a shell, still does."""
        sys.unraisablehook = self.lost
        for number in (signal.SIGINT, signal.SIGTERM):
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, self)

    def __call__(self, number: int, frame: Any) -> None:
        """Handle a signal.  It takes no lock and imports nothing: it may have come upon either."""
        self.signals += 1
        now = time.monotonic()
        if self._over or now - self._last < AGAIN_SECONDS:
            return
        self._last = now
        raise KeyboardInterrupt

    def lost(self, raised: Any) -> None:
        """Interrupt a little later where an interrupt came upon what cannot be interrupted, as a ``__del__`` of a solver's.

        Python would print a traceback, and go on.
        """
        if not isinstance(raised.exc_value, KeyboardInterrupt):
            sys.__unraisablehook__(raised)
            return
        self._last = -AGAIN_SECONDS
        # Not by `threading`: this may have come upon a lock of its own.
        _thread.start_new_thread(_interrupt_later, ())

    def end(self, status: int) -> int:
        """Let nothing interrupt any more: what is left is to leave with *status*, which is returned."""
        self._over = True
        # The system ignores them, as Python does not handle any in its last moments.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_IGN if status == INTERRUPTED else signal.SIG_DFL)
        return status


def _interrupt_later() -> None:
    time.sleep(_POSTPONED_SECONDS)
    if os.name == "posix":
        # Really, so that whatever waits for something is woken up.
        os.kill(os.getpid(), signal.SIGINT)
    else:
        _thread.interrupt_main()


def entry() -> None:
    """Run the command line and leave with its exit status (the console script).

    SIGTERM interrupts the process, as by a key: what it started is ended, too.
    """
    interrupts = Interrupts()
    try:
        interrupts.handle()
        # Loading modules and reading models make objects that stay: walks through the young ones find little to free.
        gc.set_threshold(20_000, 20, 20)
        from xpgcheck.cli.hypothesis_folder import keep_out_of_the_working_folder
        from xpgcheck.cli.main import main

        keep_out_of_the_working_folder()
        status = interrupts.end(main())
    except KeyboardInterrupt:
        # Before anything was loaded, or after all was said.
        status = interrupts.end(INTERRUPTED)
        print("xpgcheck: interrupted", file=sys.stderr)
    sys.exit(status)
