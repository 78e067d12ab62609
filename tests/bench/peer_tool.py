"""The tools of others that figures are measured beside."""

import subprocess


def install_tool(build, name, version):
    """Into `build`/tools, once; returns its program."""
    tools = build / "tools"
    program = tools / name
    if not program.exists():
        subprocess.run(["dotnet", "tool", "install", name, "--version", version, "--tool-path", tools],
                       check=True, stdout=subprocess.DEVNULL)
    return program
