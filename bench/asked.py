"""What a program of bench/ needs: the JSON file that it is to write, and a GPU."""

import os
import sys
from pathlib import Path

import torch


def json_file(needs_gpu: bool = True, ranks: bool = False) -> Path:
    """The file. Ends with a sentence where there is none, or not what the program measures with."""
    module = sys.modules["__main__"].__spec__
    name = module.name if module else "the program"
    run = f"torchrun --nproc_per_node 2 -m {name}" if ranks else f"python -m {name}"
    if len(sys.argv) < 2 or not sys.argv[1].endswith(".json"):
        sys.exit(f"name the file to write: {run} FILE.json")
    if ranks and "LOCAL_RANK" not in os.environ:
        sys.exit(f"this runs on several processes: {run} {sys.argv[1]}")
    if needs_gpu:
        a_gpu()
    return Path(sys.argv[1])


def a_gpu() -> None:
    """Ends with a sentence where there is none."""
    if not torch.cuda.is_available():
        sys.exit("this measures on a GPU, and there is none here")
