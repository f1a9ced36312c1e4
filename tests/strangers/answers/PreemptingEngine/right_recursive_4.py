# style: recursion, a backward walk that deletes
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
        free = self.n_blocks - self.blocks(len(request.tokens))
        for other in self.running:
            free -= self.blocks(len(other.tokens))
        return free >= 0

    def preempt(self, chunks: list[tuple[Request, int]]) -> None:
        """Take the request that began to run last out of the lists `running` and `chunks`.

        Its sequence is freed, and nothing of it is cached. It waits, before all others, keeps
        what it has said, and will be admitted as if all its tokens were a prompt.
        """
        *others, victim = self.running
        self.running[:] = others
        for i in reversed(range(len(chunks))):
            if chunks[i][0].number == victim.number:
                del chunks[i]
        victim.cached = 0
        self.cache.free(victim.number)
        self.waiting[:0] = [victim]

    def compute(self, chunks: list[tuple[Request, int]]) -> Tensor:
        """The model's step over what is planned: logits (len(chunks), vocabulary).

        As often as the cache is out of blocks, one request is preempted and the others try
        again. What was planned for them stays as it is.
        """
        try:
            return Engine.compute(self, chunks)
        except OutOfBlocks:
            self.preempt(chunks)
        return self.compute(chunks)
