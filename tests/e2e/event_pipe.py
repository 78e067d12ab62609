"""A peer of `cairn log`: an event session of the runtime's own kind, as dotnet-trace opens one, and what a recorded
stream of such a session holds, counted by provider and event."""

import socket
import struct
import threading
from collections import Counter

RUNTIME = "Microsoft-Windows-DotNETRuntime"
# What cairn log calls the events of the runtime.
NAMES = {1: "gc-start", 2: "gc-end", 4: "gc-heap", 80: "exception", 81: "contention-start", 91: "contention-stop",
         143: "method-load", 144: "method-unload", 152: "module-load", 153: "module-unload", 154: "assembly-load",
         155: "assembly-unload", 9: "suspend-begin", 8: "suspend-end", 7: "resume-begin", 3: "resume-end"}

_MAGIC = b"DOTNET_IPC_V1\0"
_EVENT_PIPE, _STOP, _COLLECT = 2, 1, 3


def _request(path, command, payload):
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(60)
    connection.connect(str(path))
    connection.sendall(_MAGIC + struct.pack("<HBBH", 20 + len(payload), _EVENT_PIPE, command, 0) + payload)
    answer = b""
    while len(answer) < 28:
        more = connection.recv(28 - len(answer))
        if not more:
            raise OSError("the runtime hangs up")
        answer += more
    if answer[16] != 0xFF or answer[17] != 0:
        raise OSError(f"the runtime refuses the session: {answer[16:].hex()}")
    return connection, struct.unpack_from("<Q", answer, 20)[0]


class EventPipeSession:
    """From `begin` to `end`, which gives the stream; beside whatever else listens to the process."""

    def __init__(self, path, keywords, level):
        self.path, self.data = path, bytearray()
        name = (RUNTIME + "\0").encode("utf-16-le")
        provider = struct.pack("<QI", keywords, level) + struct.pack("<I", len(name) // 2) + name + struct.pack("<I", 0)
        self.connection, self.id = _request(path, _COLLECT, struct.pack("<IIBI", 64, 1, 0, 1) + provider)
        self.reader = threading.Thread(target=self._read)
        self.reader.start()

    def _read(self):
        while more := self.connection.recv(65536):
            self.data += more

    def end(self):
        _request(self.path, _STOP, struct.pack("<Q", self.id))[0].close()
        self.reader.join()
        self.connection.close()
        return bytes(self.data)


class _Bytes:
    def __init__(self, data, at, end):
        self.data, self.at, self.end = data, at, end

    def take(self, layout):
        value, = struct.unpack_from("<" + layout, self.data, self.at)
        self.at += struct.calcsize("<" + layout)
        return value

    def varint(self):
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def text(self):
        end = self.at
        while self.data[end:end + 2] != b"\0\0":
            end += 2
        text = self.data[self.at:end].decode("utf-16-le")
        self.at = end + 2
        return text


def _blobs(block):
    """Number of the description, and the payload, of each event of a block: headers say only what changed."""
    start = block.at
    header_bytes, flags = block.take("H"), block.take("H")
    if flags & 1 == 0:
        raise ValueError("event headers that are not compressed")
    block.at = start + header_bytes
    metadata = size = 0
    while block.at < block.end:
        flags = block.take("B")
        if flags & 1:
            metadata = block.varint()
        if flags & 2:
            block.varint(), block.varint(), block.varint()
        if flags & 4:
            block.varint()
        if flags & 8:
            block.varint()
        block.varint()  # time
        block.at += 16 * bool(flags & 16) + 16 * bool(flags & 32)
        if flags & 128:
            size = block.varint()
        yield metadata, _Bytes(block.data, block.at, block.at + size)
        block.at += size


def _blocks(data):
    """Name and content of each object of a stream of version 4."""
    if data[:8] != b"Nettrace" or data[12:32] != b"!FastSerialization.1":
        raise ValueError("not a stream of version 4")
    at = 32
    while data[at] == 5:
        length, = struct.unpack_from("<I", data, at + 11)
        name, at = data[at + 15:at + 15 + length].decode(), at + 16 + length
        if name == "Trace":
            size = 48
        else:
            size, = struct.unpack_from("<I", data, at)
            at = (at + 4 + 3) & ~3
        yield name, _Bytes(data, at, at + size)
        at += size + 1
    if data[at] != 1:
        raise ValueError("the stream is cut off")


def counts_of(data):
    """(provider, event) → how many."""
    described, counts = {}, Counter()
    for name, block in _blocks(data):
        if name == "MetadataBlock":
            for _, payload in _blobs(block):
                number, provider, event = payload.take("I"), payload.text(), payload.take("I")
                described[number] = (provider, event)
        elif name == "EventBlock":
            for metadata, _ in _blobs(block):
                counts[described[metadata & 0x7FFFFFFF]] += 1
    return counts


def named_counts_of(data):
    """By the names that cairn log has for them."""
    counts = counts_of(data)
    return {name: counts[RUNTIME, event] for event, name in NAMES.items()}
