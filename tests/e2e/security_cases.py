"""What the README promises of security, each against somebody who tries. Being that somebody needs root."""

import contextlib
import os
import pwd
import re
import signal
import socket
import stat
import subprocess
from pathlib import Path

from contents_cases import SECRETS
from harness import CLSID, WORKSTATION, Lab, expect, expect_equal, wait_until

IPC_OFF = {"DOTNET_EnableDiagnostics_IPC": "0"}
# Writes the family of every socket that the program around it makes.
SOCKETS = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int socket(int family, int type, int protocol) {
  int (*real)(int, int, int) = (int (*)(int, int, int))dlsym(RTLD_NEXT, "socket");
  char line[16];
  const int file = open(getenv("SOCKETS_MADE"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (write(file, line, (size_t)sprintf(line, "%d\n", family)) < 0) abort();
  close(file);
  return real(family, type, protocol);
}
"""


def mode_of(path):
    return oct(stat.S_IMODE(os.lstat(path).st_mode))


def may_be_changed_by_others(path):
    return bool(os.lstat(path).st_mode & 0o022) and not stat.S_ISLNK(os.lstat(path).st_mode)


def shared_folder(lab):
    """One like /tmp, of this case alone."""
    folder = lab.folder / "shared"
    folder.mkdir()
    folder.chmod(0o1777)
    return folder


def listen_as_nobody(name, heard):
    """Takes every connection, and keeps what it is told in a file that exists from the start."""
    nobody = pwd.getpwnam("nobody")
    os.setgroups([])
    os.setgid(nobody.pw_gid)
    os.setuid(nobody.pw_uid)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(name))
        name.chmod(0o777)
        listener.listen(8)
        heard.touch()
        while True:
            connection, _ = listener.accept()
            connection.settimeout(5)
            with connection, contextlib.suppress(OSError), open(heard, "ab") as file:
                file.write(connection.recv(1 << 16))


@contextlib.contextmanager
def listener_of_nobody(name):
    """Somebody else listens under that name; what it was told is in the file that is given."""
    heard = name.parent / (name.name + ".heard")
    child = os.fork()
    if child == 0:
        with contextlib.suppress(BaseException):
            listen_as_nobody(name, heard)
        os._exit(1)
    try:
        wait_until(heard.exists, f"a listener of another user at {name}")
        yield heard
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def start_time(pid):
    return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[19]


def for_their_user_alone(lab):
    """Whatever the umask: snapshots, exports, kept answers and sockets; and nobody else may write where the library is."""
    shared = shared_folder(lab)
    env = {**os.environ, "XDG_CACHE_HOME": str(lab.folder / "cache"), "CAIRN_CACHE_FROM": "1"}
    unmasked = {"preexec_fn": lambda: os.umask(0)}
    resident = {**WORKSTATION, "TMPDIR": str(shared), "CORECLR_ENABLE_PROFILING": "1", "CORECLR_PROFILER": CLSID,
                "CORECLR_PROFILER_PATH": str(lab.library)}
    with lab.heap_truth(0, "idle,lasting", resident) as target:
        control = next(shared.glob("cairn-*-control"))
        expect_equal(mode_of(control), "0o600", "mode of the control socket")
        lab.cairn("capture", target.pid, "--light", "-o", "a.cairn", env=env, **unmasked)
    with lab.heap_truth(0, "mix", {**WORKSTATION, "TMPDIR": str(shared)}) as target:
        lab.cairn("capture", target.pid, "--gc", "full", "-o", "b.cairn", env=env, **unmasked)
        placed = [path for folder in shared.glob("cairn-*") for path in (folder, *folder.glob("*"))]
        expect(any(path.suffix == ".so" for path in placed), f"no library was placed: {placed}")
        expect_equal([str(path) for path in placed if may_be_changed_by_others(path)], [], "what others may change")
    lab.cairn("types", "b.cairn", env=env, **unmasked)
    lab.cairn("export", "b.cairn", "--to", "gcdump", "-o", "b.gcdump", env=env, **unmasked)
    kept = [path for path in (lab.folder / "cache").rglob("*") if path.is_file()]
    expect(kept, "no answers were kept")
    files = [lab.folder / name for name in ("a.cairn", "b.cairn", "b.gcdump")] + kept
    expect_equal({str(path): mode_of(path) for path in files if mode_of(path) != "0o600"}, {}, "files of another mode")
    folders = [path for path in (lab.folder / "cache" / "cairn").rglob("*") if path.is_dir()]
    expect_equal({str(path): mode_of(path) for path in folders if mode_of(path) != "0o700"}, {}, "folders of another mode")


def links_are_not_followed(lab):
    """Somebody else has put links where the library and the snapshot would go."""
    shared, victim = shared_folder(lab), lab.folder / "victim"
    victim.mkdir(mode=0o700)
    with lab.heap_truth(0, "mix", {**WORKSTATION, "TMPDIR": str(shared)}) as target:
        lab.cairn("capture", target.pid, "-o", "first.cairn")
        (own,) = shared.glob("cairn-*")
        library = next(own.glob("*.so")).name
        for name in (own, shared / "out.cairn", shared / "out.gcdump.partial"):
            target_of_link = victim if name == own else victim / name.name
            if name == own:
                subprocess.run(["rm", "-r", str(own)], check=True)
            lab.run_tool([*Lab.AS_NOBODY, "ln", "-s", target_of_link, name])
        lab.cairn_fails(3, "placement.unsafe", "capture", target.pid, "-o", "second.cairn")
        own.unlink()
        own.mkdir(mode=0o755)
        (own / library).symlink_to(victim / "library.so")
        lab.cairn_fails(3, "placement.unsafe", "capture", target.pid, "-o", "second.cairn")
        expect(not (lab.folder / "second.cairn").exists(), "a snapshot in spite of that")
        (own / library).unlink()
        refused = lab.cairn("capture", target.pid, "-o", shared / "out.cairn", "--json", code=None)
        expect(refused.code in (2, 3), f"the output is a link: {refused}")
    lab.cairn("export", "first.cairn", "--to", "gcdump", "-o", shared / "out.gcdump", code=None)
    expect_equal(sorted(victim.iterdir()), [], "what was written through links")


def sockets_of_others(lab):
    """Where a socket of the target would be, another user's process listens. It is told nothing."""
    shared = shared_folder(lab)
    with lab.heap_truth(0, "mix", {**WORKSTATION, **IPC_OFF, "TMPDIR": str(shared)}) as target:
        key = f"{target.pid}-{start_time(target.pid)}"
        with (listener_of_nobody(shared / f"dotnet-diagnostic-{key}-socket") as runtime,
              listener_of_nobody(shared / f"cairn-{key}-control") as collector):
            for command in (("capture", target.pid, "-o", "a.cairn"), ("capture", target.pid, "--light", "-o", "a.cairn"),
                            ("detach", target.pid), ("doctor", target.pid)):
                outcome = lab.cairn(*command, code=None)
                expect_equal(outcome.code, 3, f"exit code ({outcome})")
            expect_equal(collector.read_bytes(), b"", "what a false collector was told")
            # Who listens is known when the runtime is asked for what anybody may know: the only thing that is sent.
            questions = re.findall(rb"DOTNET_IPC_V1\0..(..)", runtime.read_bytes(), re.DOTALL)
            expect_equal(set(questions) - {b"\x04\x00", b"\x04\x04", b"\x04\x08"}, set(), "what a false runtime was told")
        target.expect_working()


def nothing_of_the_contents(lab):
    """Strings that the target makes when it runs are in no file and no export of it, unless that is asked for."""
    with lab.heap_truth(0, "mix", WORKSTATION) as target:
        for name, options in (("default", ()), ("texts", ("--strings", "all"))):
            lab.cairn("capture", target.pid, "--gc", "full", "-o", f"{name}.cairn", *options)
            lab.cairn("export", f"{name}.cairn", "--to", "heapsnapshot", "-o", f"{name}.heapsnapshot")
            content = (lab.folder / f"{name}.heapsnapshot").read_text() + lab.cairn("waste", f"{name}.cairn", "--json").stdout
            found = [secret for secret in set(SECRETS) if secret in content]
            expect_equal(bool(found), bool(options), f"{found} are told of {name}.cairn")


def no_network(lab):
    """Neither cairn nor the collector makes a socket but those of this machine alone."""
    source, library, made = lab.folder / "sockets.c", lab.folder / "sockets.so", lab.folder / "made"
    source.write_text(SOCKETS)
    lab.run_tool(["gcc", "-O1", "-shared", "-fPIC", "-o", library, source])
    watched = {"LD_PRELOAD": str(library), "SOCKETS_MADE": str(made)}
    with lab.heap_truth(0, "mix", {**WORKSTATION, **watched}) as target:
        of_runtime = made.read_text().split()
        env = {**os.environ, **watched, "SOCKETS_MADE": str(lab.folder / "by-cairn")}
        lab.cairn("ps", env=env)
        lab.cairn("capture", target.pid, "-o", "a.cairn", env=env)
        lab.cairn("suspects", "a.cairn", env=env)
        lab.cairn("log", target.pid, "--duration", "100ms", env=env)
        by_collector = made.read_text().split()[len(of_runtime):]
    by_cairn = (lab.folder / "by-cairn").read_text().split()
    unix = str(int(socket.AF_UNIX))
    expect_equal((set(by_cairn), set(by_collector)), ({unix}, {unix}), "families of sockets")


CASES = [("security: files and sockets are for their user alone", for_their_user_alone),
         ("security: links are not followed", links_are_not_followed),
         ("security: sockets of others", sockets_of_others),
         ("security: nothing of the contents", nothing_of_the_contents),
         ("security: no network", no_network)]
