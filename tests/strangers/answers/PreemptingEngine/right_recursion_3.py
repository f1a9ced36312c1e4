# right: compute calls itself after a preemption; lists are cut by index
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
        room = self.n_blocks - self.blocks(len(request.tokens))
        for r in self.running:
            room -= self.blocks(len(r.tokens))
        return room >= 0

    def preempt(self, chunks: list[tuple[Request, int]]) -> None:
        """Take the request that began to run last out of the lists `running` and `chunks`.

        Its sequence is freed, and nothing of it is cached. It waits, before all others, keeps
        what it has said, and will be admitted as if all its tokens were a prompt.
        """
        last = self.running[-1]
        del self.running[-1]
        for place in reversed(range(len(chunks))):
            if chunks[place][0] is last:
                del chunks[place]
        last.cached = 0
        self.cache.free(last.number)
        self.waiting[:0] = [last]

    def compute(self, chunks: list[tuple[Request, int]]) -> Tensor:
        """The model's step over what is planned: logits (len(chunks), vocabulary).

        As often as the cache is out of blocks, one request is preempted and the others try
        again. What was planned for them stays as it is.
        """
        try:
            logits = Engine.compute(self, chunks)
        except OutOfBlocks:
            logits = None
        if logits is None:
            self.preempt(chunks)
            logits = self.compute(chunks)
        return logits
