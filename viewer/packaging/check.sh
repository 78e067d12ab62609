#!/bin/sh
# check.sh ROOT: what `tests/package --check` does. Builds the last commit of ROOT twice, from two folders, compares the
# packages byte by byte, and uses each as its users would: installs the tool as root and runs it as nobody, runs the
# Debian package's files and the archive's. Needs root.
set -eu
root=$1
work=$(mktemp -d "${TMPDIR:-/var/tmp}/cairn-package-check-XXXXXX")
chmod 755 "$work"
target=

stop() {
  status=$?
  [ -z "$target" ] || kill "$target" 2>/dev/null || true
  if [ $status -eq 0 ]; then rm -rf "$work"; else echo "package: failed (exit $status); its files are in $work" >&2; fi
  exit $status
}
trap stop EXIT
fail() {
  echo "package: $*" >&2
  exit 1
}
[ "$(id -u)" -eq 0 ] || fail "--check needs root: it becomes nobody"

# The second time in a deeper folder, with other settings of the user, and compiled, not fetched from a cache.
build() {
  git clone -q "$root" "$work/$1/source"
  CAIRN_BUILD=$work/$1/build sh "$work/$1/source/tests/package" -o "$work/$1/packages"
}
build first
(umask 077 && TZ=Asia/Tokyo LANG=C CCACHE_RECACHE=1 build second/and/deeper)
(cd "$work/first/packages" && sha256sum -- *) >"$work/sums"
(cd "$work/second/and/deeper/packages" && sha256sum -c "$work/sums") || fail "the packages differ"
sh "$(dirname "$0")/try.sh" "$work/first/packages" "$work" "$root"
echo "package: the same bytes twice, and all of them work."
