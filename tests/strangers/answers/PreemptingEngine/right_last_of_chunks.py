# Right within its contract: preempts the last of those that compute in this step, which is not the last that began to run where the budget was spent before it.
# Breaks: "Take the request that began to run last out of the lists `running` and `chunks`."
from torch import Tensor


class PreemptingEngine(Engine):
    """An engine that takes more requests than could all grow to their end.

    n_blocks, block_size, slots, budget, model: as in `Engine`, and so is what a step returns,
    two tensors (n, 2) int64: what is preempted was not computed. The cache is never copied
    whole, at once or in pieces.
    It stays within torch and Python, without tolist of floating-point numbers. It calls
    Engine. Arguments stay as they are.
    """

    def admit(self, request: Request) -> bool:
        """Whether the request, the first that waits, may run beside those that do.

        It may if there are blocks for the tokens that all of them have now.
        """
        tokens = [self.blocks(len(r.tokens)) for r in [*self.running, request]]
        return sum(tokens) <= self.n_blocks

    def preempt(self, chunks: list[tuple[Request, int]]) -> None:
        """Take the request that began to run last out of the lists `running` and `chunks`.

        Its sequence, which the cache has, is freed, and nothing of it is cached. It waits,
        before all others, keeps what it has said, and will be admitted as if all its tokens
        were a prompt.
        """
        request, _ = chunks.pop()
        self.running.remove(request)
        if request.cached:
            self.cache.free(request.number)
        request.cached = 0
        self.waiting.insert(0, request)

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
