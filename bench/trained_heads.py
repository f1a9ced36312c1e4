"""What the heads of a small trained model look at: python -m bench.trained_heads bench/trained_heads.json [SECONDS]

It trains the model of the lesson language_model for that many seconds of processor time, 100 if none are given, and
writes the scores of every head on a piece of a lesson that it has not seen:

    text       what the tokens spell
    tokens     N strings; the first is the one that stands before every text
    d          width of a head; scores are q k / sqrt(d)
    scores     [layer][head][query i] -> the scores of keys 0 ... i, to two digits behind the point
    seconds, steps, nats_per_character    of the training, and on the lessons that are held out
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path

from bench.asked import json_file
from kernels.language_model import Parts
from models.maps import attention_maps
from models.text import texts
from models.training import nats_per_character, train

TOKENS = 64


def main(path: Path, seconds: str = "100") -> None:
    with tempfile.TemporaryDirectory() as work:
        print(f"Training for {seconds} s of processor time.", flush=True)
        os.environ["TILEWISE_WORK"] = work  # where the model is kept, which nobody needs afterwards
        *_, run = train(Parts(), float(seconds))
    model, tokenizer = run.model, run.tokenizer
    read = tokenizer.encode(texts()[1])
    tokens = read.ids[:TOKENS]
    scores, _ = attention_maps(model, tokens)
    found = {
        "text": tokenizer.decode(tokens),
        "tokens": [tokenizer.decode([token], skip_special_tokens=False) for token in tokens],
        "d": model.config.d,
        "seconds": float(seconds),
        "steps": len(run.losses),
        "nats_per_character": round(nats_per_character(model, tokenizer), 3),
        "scores": [
            [[[round(x, 2) for x in row[: i + 1].tolist()] for i, row in enumerate(head)] for head in layer]
            for layer in scores
        ],
    }
    path.write_text(json.dumps(found, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(json_file(needs_gpu=False), *sys.argv[2:])
