"""The course's own answers, the only copy of every solution, to be read in lesson order."""

from pathlib import Path

from simt.source import add_folder

# NAME.cu of every CUDA kernel, which the launchers here ask for by name.
CUDA = Path(__file__).parent / "cuda"

add_folder(CUDA)
