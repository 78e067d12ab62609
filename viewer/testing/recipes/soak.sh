#!/bin/sh
# soak.sh PID RULES LOAD [MINUTES]: keeps a service busy, takes snapshots of it meanwhile, and fails when something grew
# that the rules do not allow.
#
#   sh soak.sh "$(pidof Shop)" leaks.toml 'curl -fsS http://localhost:5000/order' 10
#
# PID is the service, LOAD a command that exercises it, repeated all the time. SOAK_RESULTS names the folder for
# snapshots and reports (soak-results), SOAK_EVERY how often a snapshot is taken (1m), SOAK_WARM_UP how many rounds of
# LOAD come before the first (100), until caches are full and connections open.
set -eu
pid=$1 rules=$2 load=$3 minutes=${4:-10}
results=${SOAK_RESULTS:-soak-results}
mkdir -p "$results"

exercise() { sh -c "$load" >/dev/null || { echo "soak: the load failed: $load" >&2 && exit 3; }; }

rounds=0
while [ $rounds -lt "${SOAK_WARM_UP:-100}" ]; do
  exercise
  rounds=$((rounds + 1))
done
cairn capture "$pid" --gc full -o "$results/first.cairn" --force

cairn watch "$pid" -o "$results/series" --gc full --every "${SOAK_EVERY:-1m}" --duration "${minutes}m" --keep-last 5 &
watch=$!
trap 'kill $watch 2>/dev/null || true' EXIT
while kill -0 $watch 2>/dev/null; do exercise; done
wait $watch
trap - EXIT

cairn capture "$pid" --gc full -o "$results/last.cairn" --force
cairn diff "$results/first.cairn" "$results/last.cairn" --by path --top 20
cairn check "$results/last.cairn" --base "$results/first.cairn" --rules "$rules" --report junit="$results/leaks.xml" \
  --report sarif="$results/leaks.sarif" --report md="$results/leaks.md" --report html="$results/leaks.html"
