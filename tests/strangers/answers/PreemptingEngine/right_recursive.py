# right: compute calls itself with one request fewer; the list of chunks is changed by slice assignment
class PreemptingEngine(Engine):
    """An engine that takes more requests than could all grow to their end."""

    def admit(self, request: Request) -> bool:
        """Whether there are blocks for the tokens that all of them have now."""
        free = self.n_blocks - self.blocks(len(request.tokens))
        return free >= sum(self.blocks(len(other.tokens)) for other in self.running)

    def preempt(self, chunks: list[tuple[Request, int]]) -> None:
        """Take the request that began to run last out of the lists `running` and `chunks`."""
        *others, last = self.running
        self.running[:] = others
        chunks[:] = [(request, n) for request, n in chunks if request is not last]
        self.cache.free(last.number)
        last.cached = 0
        self.waiting[:0] = [last]

    def compute(self, chunks: list[tuple[Request, int]]) -> Tensor:
        """The model's step over what is planned; who does not fit is preempted."""
        try:
            return super().compute(chunks)
        except OutOfBlocks:
            self.preempt(chunks)
        return self.compute(chunks)
