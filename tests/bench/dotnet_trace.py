"""dotnet-trace, as the peer of what watches a process."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from peer_tool import install_tool

VERSION = "10.0.750501"


def install(build):
    return install_tool(build, "dotnet-trace", VERSION)


def sockets_of(pid):
    links = []
    for fd in Path(f"/proc/{pid}/fd").iterdir():
        try:
            links.append(os.readlink(fd))
        except FileNotFoundError:
            pass  # closed meanwhile
    return sum(link.startswith("socket:") for link in links)


class DotnetTrace:
    """From its construction on it collects `providers` into `path`."""

    def __init__(self, program, pid, path, providers, *options):
        self.path = path
        self.path.unlink(missing_ok=True)
        before = sockets_of(pid)
        self.process = subprocess.Popen([program, "collect", "-p", str(pid), "--providers", providers, *options, "-o", path],
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for _ in range(600):  # its session keeps the connection
            time.sleep(0.1)
            if sockets_of(pid) > before:
                time.sleep(0.5)
                return
        sys.exit("dotnet-trace does not begin")

    def end(self):
        """Where it wrote to."""
        self.process.send_signal(signal.SIGINT)
        self.process.communicate(timeout=120)
        return self.path
