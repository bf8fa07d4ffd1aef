#!/usr/bin/env bash
# The first five minutes of somebody who has the README and nothing else: a fresh clone, its two commands, the game on
# a page, a hand's advice, and three mistakes. Every mistake must be told in one line, with what to do instead.
# Usage: bash examples/first_five_minutes.sh [REPOSITORY]
set -euo pipefail
from=$(cd "${1:-$(dirname "$0")/..}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

step() { printf '\n$ %s\n' "$1"; bash -euo pipefail -c "$1"; }
mistake() { # it must end with code 2, one or two lines, and no traceback
  local code=0
  printf '\n$ %s\n' "$1"
  bash -c "$1" >"$work/said" 2>&1 || code=$?
  cat "$work/said"
  if [ $code != 2 ] || [ "$(wc -l <"$work/said")" -gt 2 ] || grep -q Traceback "$work/said"; then
    echo "first_five_minutes: badly told (exit code $code)" >&2
    exit 1
  fi
}

step "git clone -q '$from' '$work/tricktake'"
cd "$work/tricktake"
step "${SETUP:-make setup}"
step "make demo"
export PATH="$PWD/.venv/bin:$PATH"
step "tricktake"
step "tricktake games hearts"
step 'tricktake advise skat "CJ HJ CA CT C9 C7 SA HT H9 D7"'
step 'printf "hint\nquit\n" | tricktake play hearts --seed 2 --id 3'
mistake "tricktake play skatt"
mistake 'tricktake advise skat "CJ CJ CA CT C9 C7 SA HT H9 D7"'
mistake "tricktake tournament cup.toml"
