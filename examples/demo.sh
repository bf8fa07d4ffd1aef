#!/usr/bin/env bash
# What tricktake is for, in about two minutes: recorded games judged, one of them explained, a learned player against
# the rules of people, and a new game learned from nothing. `make demo` runs it; the first run also compiles the kernels.
set -euo pipefail
cd "$(dirname "$0")/.."
here=$PWD
jobs=${JOBS:-2}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fast="core:policy(policy=skat:cards,then=skat:expert)"  # a learned network for the cards, rules where it has none

say() { printf '\n== %s\n' "$1"; }
try() { printf '$ %s\n' "$*"; "$@" 2>>"$work/log" || { cat "$work/log" >&2; exit 1; }; }

say "1. Recorded games, judged: 19 games of the International Skat Server. What would open cards have given, what our player?"
try tricktake replay skat tests/data/iss-23.sgf --strategy "play=$fast" --jobs "$jobs"

say "2. One of them, explained: card by card, what was lost, and what the expert's rules recommend"
try tricktake analyse skat tests/data/iss-23.sgf --id 541932 --comment play=skat:expert

say "3. What a machine learned, against rules that people wrote: the same contracts for both, each played twice"
try tricktake tournament --game skat --mode contracts --bidder skat:rule --deals "${DEALS:-200}" --seed 7 --jobs "$jobs" \
  --store "$work/cup.jsonl" --player "learned=play=$fast" --player "written=play=skat:expert"

say "4. A new game: a file of rules, checked, and its card play learned from nothing in ${SECONDS_OF_LEARNING:-30} seconds"
cd "$work"
try tricktake new game my_whist
export TRICKTAKE_PLUGINS=$work/my_whist/src/tricktake_my_whist.py
try tricktake check my_whist --deals 1
tricktake train my_whist --minutes "$(awk "BEGIN {print ${SECONDS_OF_LEARNING:-30} / 60}")" --positions 2000 --out my_whist.policy \
  --curve my_whist.png 2>&1 | grep -v "compiling kernels"
mkdir -p "$here/demo"
cp my_whist.png my_whist.policy my_whist/src/tricktake_my_whist.py "$here/demo/"

say "5. What to try next"
cat <<'NEXT'
The new game, its network and the picture of its curve are in demo/.
  tricktake                                    where to begin, for each kind of reader
  tricktake play skat                          play against the machine, with hints
  tricktake serve                              the same in the browser
  TRICKTAKE_PLUGINS=demo/tricktake_my_whist.py tricktake play my_whist --with "core:policy(policy=demo/my_whist.policy)"
NEXT
