"""Bad weather for one process: its calls of the C library fail, or a signal comes, at the n-th. See tests/weather."""

import mmap
import os
import struct
from pathlib import Path

WORDS = ("magic", "armed", "low", "high", "action", "at", "times", "error", "signal", "pid", "number", "clock_leap", "matched",
         "acted", "where", "function", "path", "clock_reads")
FUNCTIONS, NAME = 64, 32
SELECTED = len(WORDS)
CALLS = SELECTED + FUNCTIONS
NUMBERS = CALLS + FUNCTIONS
MOST_NUMBERS = 512
NAMES = 8 * (NUMBERS + MOST_NUMBERS)
PATHS = NAMES + FUNCTIONS * NAME
MOST_PATHS = 16384
SIZE = PATHS + MOST_PATHS * 16
COUNT, FAIL, SIGNAL, TRACE = range(4)
EVERY_TIME = 1 << 40

ALLOCATORS = ("malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc")
MEMORY = (*ALLOCATORS, "mmap", "mremap", "madvise", "pthread_create")
WRITES = ("pwrite", "pwrite64", "ftruncate", "ftruncate64", "fsync", "fdatasync", "rename")  # of a snapshot


class Weather:
    """Its file, and what is asked of it. `everywhere`: all callers of the process are meant; else those that `meant` names."""

    def __init__(self, lab, name="weather", everywhere=False):
        self.file = lab.folder / name
        self.file.write_bytes(bytes(SIZE))
        with self.file.open("r+b") as shared:
            self.memory = mmap.mmap(shared.fileno(), SIZE)
        self.environment = {"LD_PRELOAD": str(lab.tool("weather.so")), "CAIRN_WEATHER": str(self.file)}
        if everywhere:
            self.high = (1 << 63) - 1

    def __getattr__(self, name):
        if name not in WORDS:
            raise AttributeError(name)
        return self.read(WORDS.index(name))

    def __setattr__(self, name, value):
        if name in WORDS:
            self.write(WORDS.index(name), value)
        else:
            super().__setattr__(name, value)

    def read(self, index):
        return struct.unpack_from("q", self.memory, 8 * index)[0]

    def write(self, index, value):
        struct.pack_into("q", self.memory, 8 * index, value)

    def names(self):
        texts = (self.memory[at:at + NAME].split(b"\0")[0].decode() for at in range(NAMES, PATHS, NAME))
        return [text for text in texts if text]

    def calls(self):
        """How often each function was called, by those who are meant."""
        return {name: self.read(CALLS + index) for index, name in enumerate(self.names())}

    def numbers(self):
        """The numbers that `syscall` was called with."""
        return [number for number in range(MOST_NUMBERS) if self.read(NUMBERS + number)]

    def paths(self):
        """After TRACE: by chain of callers, the first selected call that came by it."""
        pairs = (struct.unpack_from("2q", self.memory, at) for at in range(PATHS, SIZE, 16))
        return {path: turn for path, turn in pairs if path != 0}

    def mean(self, pid, library):
        """Only the callers in a library that the process has mapped."""
        lines = [line for line in Path(f"/proc/{pid}/maps").read_text().splitlines() if library in line]
        edges = [int(edge, 16) for line in lines for edge in line.split()[0].split("-")]
        self.low, self.high = min(edges), max(edges)

    def arm(self, functions, action, at=1, times=1, error=0, signal=0, pid=0, number=-1, clock_leap=0):
        self.armed = 0
        self.memory[PATHS:SIZE] = bytes(SIZE - PATHS)
        for index, name in enumerate(self.names()):
            self.write(SELECTED + index, int(name in functions))
        self.action, self.at, self.times, self.error, self.signal, self.pid = action, at, times, error, signal, pid
        self.number, self.clock_leap = number, clock_leap
        self.matched = self.acted = self.clock_reads = 0
        self.armed = 1

    def disarm(self):
        self.armed = 0
        return self.acted

    def __str__(self):
        return (f"call {self.at} of {self.matched}, {self.acted} acted upon, error {self.error} "
                f"({os.strerror(self.error)}), signal {self.signal}; last {self.names()[self.function]} from {self.where:#x}")
