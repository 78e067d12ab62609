"""cairn log beside another event session on the same process: both see the same, and neither minds that the other begins,
ends or dies."""

from collections import Counter

from event_cases import MISHAP, Log, captured_after, expect_exceptions, named
from event_pipe import NAMES, EventPipeSession, named_counts_of
from harness import WORKSTATION, diagnostics_socket, expect_equal

# Nothing is compiled later than it is called: what a moment brings does not depend on how long it lasts.
STEADY = {**WORKSTATION, "DOTNET_TieredCompilation": "0"}
KEYWORDS, EXCEPTIONS = 0x1 | 0x8 | 0x10 | 0x4000 | 0x8000 | 0x10000, 0x8000


def peer_of(target, keywords=EXCEPTIONS, level=5):
    return EventPipeSession(diagnostics_socket(target.pid), keywords, level)


def exceptions_of(peer):
    return named_counts_of(peer.end())["exception"]


def same_counts(lab):
    with lab.start_target("events-truth", env=STEADY) as target:
        peer_of(target, KEYWORDS).end()  # with the first session the runtime compiles what sessions need
        peer = peer_of(target, KEYWORDS)
        log = Log(lab, target.pid, "all")
        for command in ("exceptions 50", "threads 10", "contend 10", "collect 6", "plugins 10", "dynamic 5"):
            target.ask(command)
        events, _ = log.end()
        theirs = named_counts_of(peer.end())
        ours = Counter(event["event"] for event in events)
        expect_equal({name: ours[name] for name in NAMES.values()}, theirs, "counts of cairn log, and of another session")
        expect_equal(ours["exception"], 50 + 10, "exceptions")


def come_and_go(lab):
    with lab.start_target("events-truth", env=STEADY) as target:
        peer = peer_of(target)
        log = Log(lab, target.pid, "exception")
        target.ask("exceptions 20")
        events, _ = log.end()
        target.ask("exceptions 30")
        expect_exceptions(events, 20)
        expect_equal(exceptions_of(peer), 20 + 30, "the other session, begun before ours and ended after it")
        log = Log(lab, target.pid, "exception")
        peer = peer_of(target)
        target.ask("exceptions 10")
        expect_equal(exceptions_of(peer), 10, "the other session, begun after ours and ended before it")
        target.ask("exceptions 15")
        events, _ = log.end()
        expect_equal(len(named(events, "exception", type=MISHAP)), 10 + 15, "our log, while another session came and went")


def killed_beside(lab):
    """The other session goes on where cairn dies, and the next log has its own events only once."""
    with lab.start_target("events-truth", env=STEADY) as target:
        peer = peer_of(target)
        log = Log(lab, target.pid, "exception")
        target.ask("exceptions 5")
        log.process.kill()
        log.process.communicate()
        lab.verify(captured_after(lab, target))
        target.ask("exceptions 6")
        log = Log(lab, target.pid, "exception")
        target.ask("exceptions 7")
        events, _ = log.end()
        expect_exceptions(events, 7)
        expect_equal(exceptions_of(peer), 5 + 6 + 7, "the other session")


CASES = [
    ("log: the same counts as another event session", same_counts),
    ("log: another event session comes and goes", come_and_go),
    ("log: killed beside another event session", killed_beside),
]
