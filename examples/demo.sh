#!/usr/bin/env bash
# What tricktake is for, in about two minutes: recorded games judged, one of them explained, a learned player against
# the rules of people, and a new game learned from nothing. `make demo` runs it; the first run also compiles the kernels.
set -euo pipefail
cd "$(dirname "$0")/.."
here=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
learned="core:policy(policy=skat:cards,then=skat:expert)" # a network that learned to play cards; rules where it knows none

say() { printf '\n== %s\n\n' "$1"; }
try() { # a command, shown as one would type it, and run
  local word line=
  for word; do case $word in *[\ \(\=]*) line+=" \"$word\"" ;; *) line+=" $word" ;; esac; done
  printf '$%s\n' "$line"
  "$@"
}

say "1. Recorded games, judged: who won, who would have won with open cards, and what our player makes of the same cards"
try tricktake replay skat tests/data/iss-23.sgf --strategy "play=$learned"

say "2. One of these games, explained: what each card gave away, and what rules written by people say to play instead"
try tricktake analyse skat tests/data/iss-23.sgf --id 541932 --comment play=skat:expert

say "3. A learned player against rules written by people: the same contracts for both, each played twice, seats exchanged"
try tricktake tournament --game skat --mode contracts --bidder skat:rule --deals 200 --seed 7 --store "$work/cup.jsonl" \
  --player "learned=play=$learned" --player written=play=skat:expert

say "4. A new game: a file of rules, checked; then 30 seconds of play against itself teach a network to play its cards"
cd "$work"
try tricktake new game my_whist
export TRICKTAKE_PLUGINS=my_whist/src/tricktake_my_whist.py
try tricktake check my_whist --deals 1
try tricktake train my_whist --minutes 0.5 --positions 2000 --out my_whist.policy --curve my_whist.png
mkdir -p "$here/demo"
cp my_whist.policy my_whist.png "$TRICKTAKE_PLUGINS" "$here/demo/"

say "5. What to try next (the new game, its network and the picture of its curve, my_whist.png, are in demo/)"
cat <<'NEXT'
source .venv/bin/activate
tricktake                    where to begin, for each kind of reader
tricktake play skat          play against the machine, with hints
tricktake serve              the same in the browser
tricktake games              the games there are
TRICKTAKE_PLUGINS=demo/tricktake_my_whist.py tricktake play my_whist --with "play=core:policy(policy=demo/my_whist.policy)"
NEXT
