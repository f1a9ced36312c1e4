"""One engine for each back end: it hands an answer its arguments, counts what it does, and makes the call.

What a confined child, too, has to know of a back end stands here and nowhere else; what only the checker does with its
answers, such as reading and compiling them, in `autograder.backends`. To import the engines takes neither numpy nor
PyTorch, which each loads when it is first used: the course's index asks them, and stays light.
"""

from __future__ import annotations

from .cuda import Cuda, CudaOnGpu
from .engine import Engine
from .numpy import Numpy
from .ranks import Ranks
from .torch import Torch
from .triton import Triton

ENGINES: dict[str, Engine] = {
    "numpy": Numpy(),
    "torch": Torch(),
    "triton": Triton(),
    "cuda": Cuda(),
    "cuda on gpu": CudaOnGpu(),  # where the instruments have found no fault: see `autograder.backends.cuda`
    "ranks": Ranks(),
}
