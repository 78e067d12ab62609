#!/usr/bin/env python3
"""nuget.py tool|testing …: packages for NuGet, written here so that the same content is the same file, byte by byte."""

import argparse
import re
import zipfile
from pathlib import Path
from xml.sax.saxutils import escape

EARLIEST = (1980, 1, 1, 0, 0, 0)  # what a zip can hold
POINTER, NATIVE = "Cairn.Tool", "Cairn.Tool.linux-x64"


def write_package(path, entries):
    """`entries`: path in the package → bytes. Sorted, without times, with one mode for all: readers set their own."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as package:
        for name in sorted(entries):
            entry = zipfile.ZipInfo(name, EARLIEST)
            entry.create_system, entry.external_attr, entry.compress_type = 3, 0o100644 << 16, zipfile.ZIP_DEFLATED
            package.writestr(entry, entries[name])
    print(path)


def nuspec(identity, version, kind, description, readme):
    return f"""<?xml version="1.0" encoding="utf-8"?>
<package xmlns="http://schemas.microsoft.com/packaging/2013/05/nuspec.xsd">
  <metadata>
    <id>{identity}</id>
    <version>{escape(version)}</version>
    <authors>Cairn</authors>
    <description>{escape(description)}</description>
    <readme>{readme}</readme>
    <tags>memory leak heap profiler snapshot</tags>
    <packageTypes><packageType name="{kind}"/></packageTypes>
  </metadata>
</package>
""".encode()


def settings(command, rest=""):
    return f"""<?xml version="1.0" encoding="utf-8"?>
<DotNetCliTool Version="2">
  <Commands><Command {command}/></Commands>{rest}
</DotNetCliTool>
""".encode()


def pack_tool(options):
    """Two packages: one that names the command and says which package is for which machine, and that one."""
    readme = Path(options.readme).read_bytes()
    pointer = (f'\n  <RuntimeIdentifierPackages><RuntimeIdentifierPackage RuntimeIdentifier="linux-x64" Id="{NATIVE}"/>'
               "</RuntimeIdentifierPackages>")
    description = "Finds out what fills the heap of a .NET process, and what grew: snapshots, paths, leak checks."
    write_package(options.output / f"{POINTER}.{options.version}.nupkg", {
        f"{POINTER}.nuspec": nuspec(POINTER, options.version, "DotnetTool", description, "README.md"),
        "README.md": readme,
        "tools/any/any/DotnetToolSettings.xml": settings('Name="cairn"', pointer)})
    entries = {
        f"{NATIVE}.nuspec": nuspec(NATIVE, options.version, "DotnetToolRidPackage", f"{POINTER} for Linux x64.", "README.md"),
        "README.md": readme,
        "tools/any/linux-x64/DotnetToolSettings.xml": settings('Name="cairn" EntryPoint="cairn-start.dll" Runner="dotnet"')}
    for file in map(Path, options.file):
        entries[f"tools/any/linux-x64/{file.name}"] = file.read_bytes()
    write_package(options.output / f"{NATIVE}.{options.version}.nupkg", entries)


def pack_testing(options):
    """What `dotnet pack` made, less the parts that only other kinds of packages need and that are never the same twice."""
    entries = {}
    with zipfile.ZipFile(options.packed) as packed:
        for name in packed.namelist():
            if name == "[Content_Types].xml" or name.startswith(("_rels/", "package/")):
                continue
            entries[name] = packed.read(name)
            if name.endswith(".nuspec"):  # the commit is told by the version
                entries[name] = re.sub(rb"\s*<repository [^>]*/>", b"", entries[name])
    for file in map(Path, options.file):
        entries[file.name] = file.read_bytes()
    write_package(options.output / f"Cairn.Testing.{options.version}.nupkg", entries)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=["tool", "testing"])
    parser.add_argument("--version", required=True)
    parser.add_argument("--output", required=True, type=Path, help="the folder for the packages")
    parser.add_argument("--readme", help="of the tool")
    parser.add_argument("--packed", help="the test package as dotnet pack wrote it")
    parser.add_argument("--file", action="append", default=[], help="goes into the package under its own name, repeatable")
    options = parser.parse_args()
    (pack_tool if options.kind == "tool" else pack_testing)(options)


if __name__ == "__main__":
    main()
