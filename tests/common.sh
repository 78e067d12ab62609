# Sourced by the scripts of this folder. Sets root and build; changes nothing by itself.
# shellcheck shell=sh
root=$(cd "$(dirname "$0")/.." && pwd)
build=${CAIRN_BUILD:-$root/build}
targets=$build/targets

export DOTNET_CLI_TELEMETRY_OPTOUT=1 DOTNET_NOLOGO=1 DOTNET_SKIP_FIRST_TIME_EXPERIENCE=1
export DOTNET_CLI_HOME="${DOTNET_CLI_HOME:-${HOME:-$build/home}}"

say() { printf '\n== %s\n' "$*"; }

# Runs a noisy command into a log, and shows the log only when it fails.
quietly() {
  log=$1
  shift
  if ! "$@" >"$log" 2>&1; then
    tail -n 60 "$log"
    echo "That was the end of $log."
    return 1
  fi
}

# The same of a build, which takes long: every quarter of a minute it says how far it has come.
quietly_with_progress() {
  : >"$1"
  (while sleep 15 >/dev/null 2>&1; do sed -n 's/^\[\([0-9]*\)\/\([0-9]*\)\].*/  step \1 of \2/p' "$1" | tail -n 1; done) &
  watcher=$!
  built=0
  quietly "$@" || built=$?
  kill "$watcher" 2>/dev/null || true
  wait "$watcher" 2>/dev/null || true
  return $built
}

# configure_and_build [CMAKE-OPTION…] -- [TARGET…]: no target means everything.
configure_and_build() {
  options=
  while [ $# -gt 0 ] && [ "$1" != -- ]; do
    options="$options $1"
    shift
  done
  [ $# -eq 0 ] || shift
  mkdir -p "$build"
  # shellcheck disable=SC2086  # options have no spaces
  quietly "$build/configure.log" cmake -S "$root" -B "$build" -G Ninja -DCMAKE_C_COMPILER_LAUNCHER=ccache \
    -DCMAKE_CXX_COMPILER_LAUNCHER=ccache $options
  quietly_with_progress "$build/build.log" cmake --build "$build" ${1:+--target "$@"}
}

# publish NAME [FOLDER [OPTION]]: testdata/FOLDER to $targets/NAME, nothing into the source tree.
publish() {
  quietly "$build/publish-$1.log" dotnet publish "$root/testdata/${2:-$1}" -c Release -o "$targets/$1" \
    --artifacts-path "$build/dotnet${3:+-$1}" ${3:+"$3"}
}
