#!/usr/bin/env python3
"""manual.py CAIRN OUTPUT: the manual page cairn(1), made of what `cairn --help` and `cairn COMMAND --help` say."""

import re
import subprocess
import sys
from pathlib import Path


def help_of(cairn, *words):
    return subprocess.run([cairn, *words, "--help"], check=True, capture_output=True, text=True).stdout


def escaped(text):
    """Nothing in it is taken for a request, and a hyphen stays one that can be copied."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.M)


def verbatim(text):
    return f".nf\n{escaped(text)}\n.fi"


def commands(overview):
    """Name and group of each command, as the overview lists them: groups stand at the margin, commands below them."""
    group = ""
    for line in overview.splitlines()[3:]:
        if line and not line.startswith((" ", "Exit codes")):
            group = line
        elif line.startswith("  "):
            yield line.split()[0], group


def section(cairn, name):
    usage, _, rest = help_of(cairn, name).partition("\n\n")
    summary, _, rest = rest.partition("\n\n")
    return f'.SS "{escaped(usage)}"\n{escaped(summary)}\n.PP\n{verbatim(rest.rstrip())}'


def page(cairn):
    overview = help_of(cairn)
    version = subprocess.run([cairn, "--version"], check=True, capture_output=True, text=True).stdout.split()[-1]
    first, last = overview.splitlines()[0], overview.rstrip().splitlines()[-1]
    parts = [f'.TH CAIRN 1 "" "cairn {version}" "User Commands"', ".SH NAME",
             escaped("cairn - find out what fills the heap of a .NET process, and what grew"),
             ".SH SYNOPSIS", ".B cairn", escaped("COMMAND [options]"), ".SH DESCRIPTION", escaped(first)]
    seen = ""
    for name, group in commands(overview):
        if group != seen:
            parts.append(f'.SH "{escaped(group.upper())}"')
            seen = group
        parts.append(section(cairn, name))
    return "\n".join([*parts, '.SH "EXIT STATUS"', escaped(last.partition(": ")[2]), ""])


if __name__ == "__main__":
    Path(sys.argv[2]).write_text(page(sys.argv[1]), encoding="utf-8")
