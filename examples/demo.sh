#!/usr/bin/env bash
# What tricktake is for, in about two minutes on two cores: recorded games, what the open cards say of them, what our
# player makes of them and why, a hand's prospects, and a small tournament. `make demo` runs it; the first run also
# compiles the kernels.
set -euo pipefail
cd "$(dirname "$0")/.."
jobs=${JOBS:-2}
nodes=${NODES:-40000}  # limit of a decision: less than half of the time of none
store=$(mktemp -d)
trap 'rm -rf "$store"' EXIT

say() { printf '\n== %s\n' "$1"; }

say "The 23 sample games of the International Skat Server: record, open cards, our card player on all seats"
tricktake replay skat tests/data/iss-23.sgf --strategy play=skat:player --nodes "$nodes" --jobs "$jobs"

say "${RECORDS:-60} games that XSkat played against itself, the same way"
tricktake replay skat tests/data/xskat-500.log.gz --limit "${RECORDS:-60}" --strategy play=skat:player --nodes "$nodes" \
  --jobs "$jobs"

say "One of these games card by card: what was lost, and what our player recommends and why"
tricktake analyse skat tests/data/iss-23.sgf --id 541932 --comment --nodes "$nodes"

say "What is this hand worth, and how far would we bid?"
tricktake advise skat "CJ HJ CA CT C9 C7 SA HT H9 D7"

say "A tournament of three card players: the same contracts for all, each played by both sides of every pair"
tricktake tournament --game skat --mode contracts --bidder skat:rule --deals "${DEALS:-80}" --seed 7 --jobs "$jobs" \
  --store "$store/demo.jsonl" --player "random=play=core:random" --player "rule=play=skat:rule" \
  --player "ours=play=core:policy(policy=skat:cards,then=skat:expert)" 2>/dev/null

say "A rating list of the games XSkat played: two systems"
tricktake rate tests/data/xskat-500.log.gz --system proportional --system mean
