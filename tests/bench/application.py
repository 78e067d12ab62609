"""An application of testdata that a benchmark talks to: it prints its process id, then READY, and answers commands."""

import subprocess
import sys


class Application:
    def __init__(self, command, env):
        self.name = str(command[0])
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env)
        for line in self.process.stdout:
            if line.startswith("PID\t"):
                self.pid = int(line.split("\t")[1])
            if line.strip() == "READY":
                return
        sys.exit(f"{self.name} ended before READY")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def send(self, command):
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
