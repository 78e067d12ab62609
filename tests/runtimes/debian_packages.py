"""Debian's packages of another architecture, fetched without installing anything on the machine.
debian_packages.py ARCHITECTURE FOLDER PACKAGE…: unpacks them into FOLDER, where they are not there yet."""

import os
import subprocess
import sys
from pathlib import Path

APT = """APT::Architecture "{architecture}";
APT::Architectures {{ "{architecture}"; }};
APT::Sandbox::User "root";
APT::Get::List-Cleanup "false";
Dir::State "{folder}/state";
Dir::State::status "{folder}/state/status";
Dir::Cache "{folder}/cache";
Dir::Etc::sourcelist "{folder}/sources.list";
Dir::Etc::sourceparts "-";
Acquire::Languages "none";
Acquire::IndexTargets::deb::DEP-11::DefaultEnabled "false";
"""


def run(command, what, **options):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    if done.returncode != 0:
        raise RuntimeError(f"{what}: {(done.stdout + done.stderr).strip()[-1200:]}")
    return done.stdout


def debian_sources(other_release=None):
    """The machine's own Debian source, as lines of a sources.list: of its release, or of another. Security has no twins
    of these packages."""
    form = "$(REPO_URI)|$(RELEASE)|$(COMPONENT)|$(LABEL)"
    listed = run(["apt-get", "indextargets", "--format", form, "Created-By: Packages"], "apt-get indextargets")
    lines = set()
    for target in listed.splitlines():
        uri, release, component, label = target.split("|")
        if label == "Debian" and component == "main":
            lines.add(f"deb {uri} {other_release or release} main")
    return sorted(lines)


def fetch(folder, architecture, packages, sources=None):
    """The packages' files; `folder` keeps what apt-get needs, so that the machine's own lists stay as they are."""
    apt = Path(folder)
    for part in ("state/lists/partial", "cache/archives/partial", "packages"):
        (apt / part).mkdir(parents=True, exist_ok=True)
    (apt / "state/status").touch()
    (apt / "sources.list").write_text("\n".join(sources or debian_sources()) + "\n")
    (apt / "apt.conf").write_text(APT.format(folder=apt, architecture=architecture))
    environment = {**os.environ, "APT_CONFIG": str(apt / "apt.conf")}
    run(["apt-get", "update", "-q"], "apt-get update", env=environment)
    run(["apt-get", "download", "-q", *packages], "apt-get download", env=environment, cwd=apt / "packages")
    return sorted((apt / "packages").glob("*.deb"))


def unpack(packages, folder):
    for package in packages:
        run(["dpkg-deb", "-x", package, folder], f"unpacking {package.name}")
        package.unlink()


def main(architecture, folder, *packages):
    done = Path(folder) / "unpacked"
    if not done.exists():
        unpack(fetch(Path(folder) / "apt", architecture, packages), folder)
        done.touch()


if __name__ == "__main__":
    main(*sys.argv[1:])
