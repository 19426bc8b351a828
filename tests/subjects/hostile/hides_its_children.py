"""Starts a child in a session and with an environment of its own, and hangs."""

import os
import subprocess
import sys
import time

from talk import converse


def misbehave(question):
    command = [sys.executable, "-c", "import time; time.sleep(30)"]
    subprocess.Popen(command, env={"XPGCHECK_MARK": os.environ["XPGCHECK_MARK"]}, start_new_session=True)
    time.sleep(30)


converse(misbehave)
