"""The runtimes and forms of publishing to try Cairn on: how each is made, started, and what it is known not to offer."""

import contextlib
import fcntl
import hashlib
import json
import os
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import libc_roots

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "testdata" / "mini-truth"
ARM64 = Path("/usr/aarch64-linux-gnu")  # what the cross compiler brings along serves the programs too

SELF_CONTAINED = {"SelfContained": "true"}
NO_HOST = {"SelfContained": "false", "UseAppHost": "false"}
SINGLE = {**SELF_CONTAINED, "PublishSingleFile": "true"}
TRIMMED = {**SELF_CONTAINED, "PublishTrimmed": "true", "TrimMode": "full"}
READY = {**SELF_CONTAINED, "PublishReadyToRun": "true"}
OLD_RUNTIME = {"RuntimeFrameworkVersion": "3.1.3"}  # the one that NuGet still has

SERVER = {"DOTNET_gcServer": "1", "DOTNET_GCHeapCount": "2"}
SEGMENTS = {"DOTNET_GCName": "libclrgc.so"}
OLD_SERVER = {"COMPlus_gcServer": "1", "COMPlus_GCHeapCount": "2"}  # 3.1 reads no DOTNET_ variables

# What a form of publishing or a version does not offer, by operation: the code of the refusal.
NOT_IN_ONE_FILE = {"young": "natural"}  # no way to induce a collection: one of the application's own is awaited
NOT_EMULATED = {"fork": "fork.failed"}  # the emulator refuses the call, in any program
NOT_IN_3_1 = {"fork": "fork.old_runtime", "light": "capture.light_not_available"}


@dataclass
class Bed:
    name: str
    framework: str
    properties: dict
    environment: dict = field(default_factory=dict)
    expected: dict = field(default_factory=dict)
    rid: str = "linux-x64"
    # or machine (dotnet on PATH), shared (a dotnet made up of packages), musl, glibc (a root with an older one), qemu (emulated)
    form: str = "program"
    slow: bool = False

    def missing(self, build):
        """Why this machine cannot have it, or nothing."""
        if self.form == "musl" and not (libc_roots.MUSL_LOADER.exists() and shutil.which("musl-gcc") and shutil.which("patchelf")):
            return "needs the Debian packages musl, musl-tools and patchelf"
        if self.form == "glibc" and os.geteuid() != 0:
            return "needs to be root"
        if self.form == "qemu" and not (shutil.which("qemu-aarch64-static") and (build / "arm64" / "bin").exists()):
            return "needs an emulator and a collector of its own: tests/matrix --arm64"
        return None


BEDS = [
    Bed("10", "net10.0", SELF_CONTAINED),
    Bed("9", "net9.0", SELF_CONTAINED),
    Bed("8", "net8.0", SELF_CONTAINED),
    Bed("3.1", "netcoreapp3.1", {**SELF_CONTAINED, **OLD_RUNTIME}, expected=NOT_IN_3_1),
    Bed("10 framework-dependent", "net10.0", NO_HOST, form="machine"),
    Bed("9 framework-dependent", "net9.0", NO_HOST, form="shared"),
    Bed("8 framework-dependent", "net8.0", NO_HOST, form="shared"),
    Bed("3.1 framework-dependent", "netcoreapp3.1", NO_HOST, expected=NOT_IN_3_1, form="shared"),
    Bed("10 server", "net10.0", SELF_CONTAINED, SERVER),
    Bed("9 server", "net9.0", SELF_CONTAINED, SERVER),
    Bed("8 server", "net8.0", SELF_CONTAINED, SERVER),
    Bed("3.1 server", "netcoreapp3.1", {**SELF_CONTAINED, **OLD_RUNTIME}, OLD_SERVER, NOT_IN_3_1),
    Bed("10 segments", "net10.0", SELF_CONTAINED, SEGMENTS),
    Bed("9 segments", "net9.0", SELF_CONTAINED, SEGMENTS),
    Bed("8 segments", "net8.0", SELF_CONTAINED, SEGMENTS),
    Bed("10 segments, server", "net10.0", SELF_CONTAINED, {**SEGMENTS, **SERVER}),
    Bed("10 single file", "net10.0", SINGLE, expected=NOT_IN_ONE_FILE),
    Bed("9 single file", "net9.0", SINGLE, expected=NOT_IN_ONE_FILE),
    Bed("8 single file", "net8.0", SINGLE, expected=NOT_IN_ONE_FILE),
    Bed("3.1 single file", "netcoreapp3.1", {**SINGLE, **OLD_RUNTIME}, expected=NOT_IN_3_1),  # unpacks itself
    Bed("10 single file, compressed", "net10.0", {**SINGLE, "EnableCompressionInSingleFile": "true"},
        expected=NOT_IN_ONE_FILE),
    Bed("10 single file, framework-dependent", "net10.0", {"SelfContained": "false", "PublishSingleFile": "true"}),
    Bed("10 trimmed", "net10.0", TRIMMED, slow=True),
    Bed("8 trimmed", "net8.0", TRIMMED, slow=True),
    Bed("10 single file, trimmed, without events", "net10.0",
        {**TRIMMED, "PublishSingleFile": "true", "EventSourceSupport": "false"}, expected=NOT_IN_ONE_FILE, slow=True),
    Bed("10 ready to run", "net10.0", READY, slow=True),
    Bed("8 ready to run", "net8.0", READY, slow=True),
    Bed("10 ready to run, composite", "net10.0", {**READY, "PublishReadyToRunComposite": "true"}, slow=True),
    Bed("10 musl", "net10.0", SELF_CONTAINED, rid="linux-musl-x64", form="musl"),
    Bed("10 glibc 2.31", "net10.0", SELF_CONTAINED, form="glibc"),
    Bed("8 glibc 2.31", "net8.0", SELF_CONTAINED, form="glibc"),
    Bed("10 arm64", "net10.0", SELF_CONTAINED, expected=NOT_EMULATED, rid="linux-arm64", form="qemu", slow=True),
]


def run(command, what, **options):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    if done.returncode != 0:
        raise RuntimeError(f"{what}: {(done.stdout + done.stderr).strip()[-1200:]}")
    return done.stdout


class Cache:
    """Published targets, kept until their sources or their recipe change."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)

    def start(self, bed, library):
        """The command of the target, its environment, and where it finds the collector when that is to be loaded at start."""
        command, environment = self.program(bed)
        if bed.form == "glibc":
            library = Path(shutil.copy(library, self.glibc_root()))
            return command, {**environment, **bed.environment}, f"/{library.name}"
        if bed.form == "qemu":
            library = library.parents[1] / "arm64" / "bin" / library.name
        return command, {**environment, **bed.environment}, str(library)

    def program(self, bed):
        """The command that starts the target, and the environment that it needs."""
        output = self.published(bed)
        if bed.form == "machine":
            return ["dotnet", str(output / "mini-truth.dll")], {}
        if bed.form == "shared":
            return [str(self.shared_runtime(bed) / "dotnet"), str(output / "mini-truth.dll")], {}
        if bed.form == "glibc":
            return libc_roots.inside(self.glibc_root(), output, "/mnt", "/mnt/mini-truth"), libc_roots.INVARIANT
        if bed.form == "qemu":
            return ["qemu-aarch64-static", "-L", str(ARM64), str(output / "mini-truth")], {}
        if bed.form == "musl":
            libraries = self.musl_libraries()
            return [str(output / "mini-truth")], {"LD_LIBRARY_PATH": str(libraries),
                                                  "LD_PRELOAD": str(libraries / "libshim.so")}
        return [str(output / "mini-truth")], {}

    def published(self, bed):
        recipe = [bed.framework, bed.rid, sorted(bed.properties.items())]
        stamp = hashlib.sha256(json.dumps(recipe).encode())
        for source in sorted(SOURCES.glob("*.cs*")):
            stamp.update(source.read_bytes())
        name = f"targets/{stamp.hexdigest()[:16]}"
        with self.made(name) as output:
            if output:
                self.publish(bed, output)
        return self.folder / name

    @contextlib.contextmanager
    def made(self, name):
        """An empty folder to fill, or nothing where it is there already. One process at a time makes one."""
        folder, lock = self.folder / name, self.folder / (name + ".lock")
        lock.parent.mkdir(parents=True, exist_ok=True)
        with open(lock, "w") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            if (folder / "done").exists():
                yield None
                return
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            yield folder
            (folder / "done").touch()

    def publish(self, bed, output):
        work = self.folder / "work" / output.name
        properties = [f"-p:{name}={value}" for name, value in bed.properties.items()]
        run(["dotnet", "publish", SOURCES, "-c", "Release", "-r", bed.rid, f"-p:Framework={bed.framework}", *properties,
             "--artifacts-path", work, "-o", output], f"publishing {bed.name}", cwd=self.folder, timeout=900)
        shutil.rmtree(work, ignore_errors=True)

    def shared_runtime(self, bed):
        """A folder as an installed runtime has it, out of the package that a self-contained application is made of."""
        base = next(b for b in BEDS if b.framework == bed.framework and b.form == "program")
        config = json.loads((self.published(base) / "mini-truth.runtimeconfig.json").read_text())
        version = config["runtimeOptions"]["includedFrameworks"][0]["version"]
        packages = Path(os.environ.get("NUGET_PACKAGES", Path.home() / ".nuget" / "packages"))
        package = packages / "microsoft.netcore.app.runtime.linux-x64" / version / "runtimes" / "linux-x64"
        folder = self.folder / f"dotnet-{version}"
        if not (folder / "dotnet").exists():
            shared = folder / "shared" / "Microsoft.NETCore.App" / version
            for part in [*package.glob("lib/*"), package / "native"]:
                shutil.copytree(part, shared, dirs_exist_ok=True)
            (shared / "Microsoft.NETCore.App.deps.json").write_text(framework_manifest(shared, version))
            host = folder / "host" / "fxr" / version
            host.mkdir(parents=True, exist_ok=True)
            fxr = next(Path(os.path.realpath(shutil.which("dotnet"))).parent.glob("host/fxr/*/libhostfxr.so"))
            shutil.copy(shared / "libhostfxr.so" if (shared / "libhostfxr.so").exists() else fxr, host)
            shutil.copy(os.path.realpath(shutil.which("dotnet")), folder / "dotnet")
        return folder

    def glibc_root(self):
        """With a C library older than the one that the collector is built on: the oldest that Debian still serves."""
        with self.made("glibc-root") as root:
            if root:
                libc_roots.make_glibc(root, "bullseye")
        return self.folder / "glibc-root"

    def musl_root(self):
        libraries = self.musl_libraries()
        with self.made("musl-root") as root:
            if root:
                libc_roots.make_musl(root, libraries)
        return self.folder / "musl-root"

    def musl_libraries(self):
        """The C++ libraries of this machine, made to serve a program of musl: they lack a few names there."""
        with self.made("musl") as folder:
            if folder:
                self.make_musl_libraries(folder)
        return self.folder / "musl"

    @staticmethod
    def make_musl_libraries(folder):
        for name in ("libstdc++.so.6", "libgcc_s.so.1"):
            where = run(["g++", f"-print-file-name={name}"], "asking for the C++ library").strip()
            shutil.copy(os.path.realpath(where), folder / name)
            run(["patchelf", "--remove-needed", "ld-linux-x86-64.so.2", folder / name], "patching the C++ library")
        (folder / "libc.musl-x86_64.so.1").symlink_to(libc_roots.MUSL_LOADER)
        run(["musl-gcc", "-O1", "-shared", "-fPIC", "-o", folder / "libshim.so", Path(__file__).with_name("musl_names.c")],
            "building the names that musl lacks")


def framework_manifest(folder, version):
    """What the host looks libraries up in."""
    name = f"Microsoft.NETCore.App.Runtime.linux-x64/{version}"
    assets = {"runtime": {p.name: {} for p in folder.glob("*.dll")}, "native": {p.name: {} for p in folder.glob("*.so")}}
    target = ".NETCoreApp,Version=v" + ".".join(version.split(".")[:2])
    return json.dumps({"runtimeTarget": {"name": target + "/linux-x64"}, "targets": {target: {}, target + "/linux-x64": {name: assets}},
                       "libraries": {name: {"type": "package", "serviceable": True, "sha512": ""}}})
