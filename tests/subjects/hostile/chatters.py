"""A Python subject that prints, at every level, between its answers, and reads what was meant for its server."""

import ctypes
import os
import subprocess
import sys


class Chatters:
    name = "chatters"

    def axp(self, graph, instance):
        print("{thinking}")
        sys.stdout.flush()
        sys.__stdout__.write("hm\n")
        os.write(1, b'{"id":2,"answer":[0]}\n')
        libc = ctypes.CDLL(None)
        libc.puts(b"from C")
        libc.fflush(None)
        subprocess.run(["sh", "-c", "echo from a shell"], check=True)
        assert sys.stdin.readline() == ""
        assert os.read(0, 10) == b""
        return {1}


class ClosesAll:
    name = "closes all"

    def axp(self, graph, instance):
        if instance[0]:
            os.closerange(0, 64)
        return {1}


class SpoilsItsStreams:
    """Closes what it takes for the conversation."""

    name = "spoils its streams"

    def axp(self, graph, instance):
        for stream in (sys.stdin, sys.stdout, sys.stderr):
            stream.close()
        return {1}
