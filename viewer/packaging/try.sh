#!/bin/sh
# try.sh PACKAGES WORK ROOT: uses the packages as their users would, with files below WORK. Needs root.
set -eu
packages=$(cd "$1" && pwd) work=$(cd "$2" && pwd) root=$3
version=$(ls "$packages" | sed -n 's/^Cairn\.Tool\.\([0-9].*\)\.nupkg$/\1/p')
export DOTNET_CLI_TELEMETRY_OPTOUT=1 DOTNET_NOLOGO=1 DOTNET_CLI_HOME="$work/home" NUGET_PACKAGES="$work/nuget"
as_nobody="runuser -u nobody --"
target=
trap '[ -z "$target" ] || kill "$target" 2>/dev/null || true' EXIT

say() { printf '== %s\n' "$*"; }

# The shop, as nobody, where nobody can read it.
dotnet publish "$root/testdata/leaky-shop" -c Release -o "$work/shop" --artifacts-path "$work/dotnet" >"$work/publish.log"
chmod -R a+rX "$work/shop"
$as_nobody "$work/shop/leaky-shop" >"$work/shop.log" 2>&1 &
target=$!
until pid=$(sed -n 's/^PID[[:space:]]*//p' "$work/shop.log") && [ -n "$pid" ]; do sleep 0.1; done
mkdir -p "$work/out"
chmod 777 "$work/out"

# try NAME PROGRAM: as nobody it says its version, captures, and verifies the capture.
try() {
  say "$1"
  $as_nobody "$2" --version
  $as_nobody "$2" capture "$pid" -o "$work/out/$1.cairn"
  $as_nobody "$2" info --verify "$work/out/$1.cairn" | tail -n 1
}

dotnet tool install Cairn.Tool --tool-path "$work/tool" --add-source "$packages" --version "$version"
ls -l "$work"/tool/.store/cairn.tool/*/*/*/tools/any/linux-x64/cairn
try tool "$work/tool/cairn"

for name in cairn cairn-desktop; do
  dpkg-deb --info "$packages/${name}_${version}_amd64.deb" | sed -n 's/^ \(Depends\|Recommends\):/&/p'
  dpkg-deb -x "$packages/${name}_${version}_amd64.deb" "$work/debian"
done
try debian "$work/debian/usr/bin/cairn"
[ ! -e /usr/bin/lintian ] || lintian --fail-on error "$packages"/*.deb

mkdir -p "$work/archive"
tar -xzf "$packages/cairn-$version-linux-x64.tar.gz" -C "$work/archive"
try archive "$work/archive/cairn-$version/bin/cairn"

say "the archive where there is no C library"
bare=$work/bare
mkdir -p "$bare/proc" "$bare/tmp" "$bare/lib/cairn"
cp "$work/archive/cairn-$version/bin/cairn" "$bare/cairn"
cp "$work/archive/cairn-$version/lib/cairn/libcairn_collector.so" "$bare/lib/cairn"
unshare --mount sh -c 'mount -t proc proc "$1/proc" && exec chroot "$1" /cairn capture "$2" -o /a.cairn' sh "$bare" "$pid"
chroot "$bare" /cairn info --verify /a.cairn | tail -n 1

say "the test package"
python3 - "$packages/Cairn.Testing.$version.nupkg" <<'PYTHON'
import sys, zipfile
names = zipfile.ZipFile(sys.argv[1]).namelist()
wanted = ["lib/net8.0/Cairn.Testing.dll", "runtimes/linux-x64/native/cairn", "runtimes/linux-x64/native/libcairn_collector.so"]
sys.exit(f"package: missing {missing}" if (missing := [name for name in wanted if name not in names]) else 0)
PYTHON
