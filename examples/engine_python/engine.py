"""An engine in plain Python for tricktake (docs/engine-protocol.md); it imports nothing of it.

    tricktake engine check "python3 engine.py" --game skat

It passes where it may. Of the legal cards it prefers those that win the trick so far, else those that cost little, and
it says with what probability it takes each of them.
"""

import json
import math
import random
import sys

HELLO = {"type": "hello", "protocol": 1, "name": "example in Python", "version": "1", "games": ["*"], "roles": ["*"]}
WARMTH = 1.0  # of the choice: the less, the more surely it takes the best card


def beats(rules, card, best):
    """Whether a card beats another one that was played before it."""
    if rules["suit"][card] != rules["suit"][best]:
        return rules["suit"][card] == rules["trump"]
    return rules["power"][card] > rules["power"][best]


def worth(rules, card, best):
    """How good it looks to play a card while ``best`` wins the trick; None for a lead."""
    if best is None:
        return rules["power"][card] - 5
    if beats(rules, card, best):
        return 10 + rules["power"][card] / 4
    return -rules["cost"][card]


def decide(view, seed):
    """The answer to a question."""
    legal = [action["text"] for action in view["legal"]]
    if "pass" in legal:
        return {"action": "pass", "reason": "no risk"}
    if view["role"] != "play" or any(action["verb"] != "play" for action in view["legal"]):
        return {"action": random.Random(seed).choice(legal), "reason": "by lot"}
    rules, best = view["rules"], None
    for card in view["table"]:
        if best is None or beats(rules, card, best):
            best = card
    values = [worth(rules, action["cards"][0], best) / WARMTH for action in view["legal"]]
    weights = [math.exp(value - max(values)) for value in values]
    chances = {text: weight / sum(weights) for text, weight in zip(legal, weights, strict=True)}
    (action,) = random.Random(seed).choices(legal, weights)
    return {"action": action, "reason": f"looks best of {len(legal)}", "probabilities": chances}


def main():
    """Answer line by line until there are no more."""
    for line in sys.stdin:
        message = json.loads(line)
        kind = message["type"]
        if kind == "hello":
            answer = HELLO
        elif kind == "ping":
            answer = {"type": "pong", "n": message["n"]}
        elif kind == "decide":
            answer = {"type": "action", "n": message["n"], **decide(message["view"], message["seed"])}
        elif kind == "quit":
            break
        else:
            continue
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
