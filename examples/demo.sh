#!/usr/bin/env bash
# What tricktake is for, in about two minutes on two cores: recorded games, what the open cards say of them, what our
# players make of them, and a small tournament. `make demo` runs it; the first run also compiles the kernels.
set -euo pipefail
cd "$(dirname "$0")/.."
jobs=${JOBS:-2}
worlds=${WORLDS:-12}  # four more or less are some ten seconds
pimc="play=core:pimc(worlds=$worlds,opening=skat:rule)"
store=$(mktemp -d)
trap 'rm -rf "$store"' EXIT

say() { printf '\n== %s\n' "$1"; }

say "The 23 sample games of the International Skat Server: record, open cards, PIMC with $worlds worlds on all seats"
tricktake replay skat tests/data/iss-23.sgf --strategy "$pimc" --jobs "$jobs"

say "320 games that XSkat played against itself, the same way"
tricktake replay skat tests/data/xskat-500.log.gz --limit 320 --strategy "$pimc" --jobs "$jobs"

say "A tournament of three strategies: the same deals for all, in every order of seats"
tricktake tournament --game skat --deals "${DEALS:-8}" --jobs "$jobs" --store "$store/demo.jsonl" \
  --player "random=bid=skat:rule,exchange=skat:rule,play=core:random" --player rule=skat:rule \
  --player "pimc=bid=skat:rule,exchange=skat:rule,$pimc" 2>/dev/null
