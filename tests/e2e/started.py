"""A target that cairn starts itself (--run): it speaks over the command's own input and output."""

import contextlib
import os
import subprocess

from harness import expect, expect_equal


class Started:
    def __init__(self, process):
        self.process = process

    def start(self):
        words = self.process.stdout.readline().split()
        expect(words and words[0] == "PID", f"first line: {words}")
        self.pid = int(words[1])
        expect_equal(self.process.stdout.readline(), "READY\n", "second line")

    def ask(self, order):
        self.process.stdin.write(order + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline()

    def quit(self, order="quit"):
        _, errors = self.process.communicate(order + "\n", timeout=120)
        return self.process.returncode, errors


@contextlib.contextmanager
def started(lab, *line, env=None):
    """`line`: what follows `cairn`, the target's program included."""
    with subprocess.Popen([str(lab.cairn_path), *line], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, env={**os.environ, **(env or {})}, cwd=lab.folder) as process:
        target = Started(process)
        try:
            target.start()
            yield target
        finally:
            process.kill()
