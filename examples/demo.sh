#!/usr/bin/env bash
# What tricktake is for, in about two minutes: recorded games judged, one of them explained, a learned player against
# the rules of people, and a new game learned from nothing. `make demo` runs it; the first run also compiles the kernels.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'jobs -p | xargs -r kill 2> /dev/null; rm -rf "$work"' EXIT
learned="core:policy(policy=skat:cards,then=skat:expert)" # a network that learned to play cards; rules where it knows none

say() { printf '\n== %s\n\n' "$1"; }
show() { # a command as one would type it
  local word line=
  for word; do case $word in *[\ \(\=]*) line+=" \"$word\"" ;; *) line+=" $word" ;; esac; done
  printf '$%s\n' "$line"
}
try() { show "$@"; "$@"; }

# The third step runs meanwhile, on another core: the first run compiles kernels, half of them for it.
match=(tricktake tournament --game skat --mode contracts --bidder skat:rule --deals 200 --seed 7 --store "$work/cup.jsonl"
  --player "learned=play=$learned" --player written=play=skat:expert)
"${match[@]}" > "$work/match.txt" 2>&1 &
played=$!

say "1. Recorded games, judged: who won, who would have won with open cards, and what our player makes of the same cards
   (one record of the 23 hides a card and is refused)"
try tricktake replay skat tests/data/iss-23.sgf --strategy "play=$learned"

say "2. One of these games, explained: what each card gave away, and what rules written by people say to play instead"
try tricktake analyse skat tests/data/iss-23.sgf --id 541932 --comment play=skat:expert

say "3. A learned player against rules written by people: the same contracts for both, each played twice, seats exchanged"
show "${match[@]}"
wait "$played" || { cat "$work/match.txt"; exit 1; }
cat "$work/match.txt"

say "4. A new game: a file of rules, checked; then 30 seconds of play against itself teach a network to play its cards"
export TRICKTAKE_PLUGINS=examples/oh_pshaw/tricktake_oh_pshaw.py
game="oh_pshaw(players=3,tricks=5)"
mkdir -p demo
rm -f demo/oh_pshaw.*
try tricktake games "$game"
try tricktake check "$game" --deals 1
try tricktake train "$game" --minutes 0.5 --positions 4000 --out demo/oh_pshaw.policy --curve demo/oh_pshaw.png

say "5. What to try next (the network, and a picture of its curve, are in demo/)"
cat <<'NEXT'
source .venv/bin/activate
tricktake                    where to begin, for each kind of reader
tricktake play skat          play against the machine, with hints
tricktake serve              the same in the browser
tricktake games              the games there are
tricktake new game my_whist  a game of your own, as a plugin; how Oh Pshaw came to be: docs/tutorial.md
NEXT
