# style: a loop that tries again
import torch
from torch import Tensor

from kernels.paged_cache import OutOfBlocks
from kernels.serving import Request


class PreemptingEngine(Engine):
    """An engine that takes more requests than could all grow to their end.

    n_blocks, block_size, slots, budget, model: as in `Engine`, and so is what a step returns,
    two tensors (n, 2) int64: what is preempted was not computed. The cache is never copied.
    It stays within torch and Python, without tolist of floating-point numbers. It calls
    Engine. Arguments stay as they are.
    """

    def admit(self, request: Request) -> bool:
        """Whether the request, the first that waits, may run beside those that do.

        It may if there are blocks for the tokens that all of them have now.
        """
        needed = sum(self.blocks(len(other.tokens)) for other in [*self.running, request])
        return needed <= self.n_blocks

    def preempt(self, chunks: list[tuple[Request, int]]) -> None:
        """Take the request that began to run last out of the lists `running` and `chunks`.

        Its sequence is freed, and nothing of it is cached. It waits, before all others, keeps
        what it has said, and will be admitted as if all its tokens were a prompt.
        """
        victim = self.running.pop()
        chunks[:] = [chunk for chunk in chunks if chunk[0] is not victim]
        self.cache.free(victim.number)
        victim.cached = 0
        self.waiting.insert(0, victim)

    def compute(self, chunks: list[tuple[Request, int]]) -> Tensor:
        """The model's step over what is planned: logits (len(chunks), vocabulary).

        As often as the cache is out of blocks, one request is preempted and the others try
        again. What was planned for them stays as it is.
        """
        while True:
            try:
                return super().compute(chunks)
            except OutOfBlocks:
                self.preempt(chunks)
