"""An engine in plain Python for tricktake (docs/engine-protocol.md); it imports nothing of it.

    tricktake engine check "python3 engine.py" --game skat

At a table of tricktake serve it needs the package websockets, and the token of its account in TRICKTAKE_TOKEN:

    python3 engine.py "ws://127.0.0.1:8765/engine?table=3"

It passes where it may. Of the legal cards it prefers those that win the trick so far, else those that cost little, and
it says with what probability it takes each of them.
"""

import json
import math
import os
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


def talk(lines, say):
    """Answer message by message until there are no more."""
    for line in lines:
        message = json.loads(line)
        kind = message["type"]
        if kind == "hello":
            say(json.dumps(HELLO))
        elif kind == "ping":
            say(json.dumps({"type": "pong", "n": message["n"]}))
        elif kind == "decide":
            say(json.dumps({"type": "action", "n": message["n"], **decide(message["view"], message["seed"])}))
        elif kind == "quit":
            break


def write(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def main():
    if len(sys.argv) == 1:
        talk(sys.stdin, write)
        return
    from websockets.sync.client import connect

    token = {"Authorization": "Bearer " + os.environ["TRICKTAKE_TOKEN"]}
    with connect(sys.argv[1], additional_headers=token) as socket:
        talk(socket, socket.send)


if __name__ == "__main__":
    main()
