# shares are handed out by one generator over the queue, rooms are counted by whole numbers, ended requests are filtered out
class Engine:
    def __init__(
        self, n_blocks: int, block_size: int, slots: int, budget: int, model: Any = None
    ):
        self.model = model or ToyModel()
        self.cache = self.model.new_cache(n_blocks, block_size)
        self.n_blocks, self.block_size = n_blocks, block_size
        self.slots, self.budget = slots, budget
        self.running: list[Request] = []
        self.waiting: list[Request] = []

    def blocks(self, tokens: int) -> int:
        """How many blocks so many tokens of a sequence fill."""
        return -(-tokens // self.block_size)

    def submit(self, number: int, prompt: list[int], new: int) -> None:
        if self.blocks(len(prompt) + new - 1) > self.n_blocks:
            raise TooLong(number)
        self.waiting.append(Request(number, list(prompt), new))

    def admit(self, request: Request) -> bool:
        free = self.n_blocks
        for r in (request, *self.running):
            longest = len(r.tokens) + r.left - 1
            free -= (longest + self.block_size - 1) // self.block_size
        return free >= 0

    def plan(self) -> list[tuple[Request, int]]:
        chunks: list[tuple[Request, int]] = []
        budget = self.budget
        for request in self._queue(chunks):
            share = min(budget - sum(n for _, n in chunks), len(request.tokens) - request.cached)
            if share:
                chunks.append((request, share))
        return chunks

    def _queue(self, chunks):
        """Those that run, and then whoever may join them while there is budget."""
        yield from tuple(self.running)
        while (
            self.waiting
            and len(self.running) < self.slots
            and sum(n for _, n in chunks) < self.budget
            and self.admit(self.waiting[0])
        ):
            self.running.append(self.waiting.pop(0))
            yield self.running[-1]

    def compute(self, chunks: list[tuple[Request, int]]) -> Tensor:
        sequences = [request.number for request, _ in chunks]
        tokens = [request.tokens[request.cached : request.cached + n] for request, n in chunks]
        return self.model.step(self.cache, sequences, tokens)

    def step(self) -> tuple[Tensor, Tensor]:
        chunks, said = self.plan(), []
        logits = self.compute(chunks) if chunks else torch.empty(0)
        for (request, n), row in zip(chunks, logits):
            request.cached = request.cached + n
            if request.cached < len(request.tokens):
                continue
            token = torch.argmax(row).item()
            said.append((request.number, token))
            request.tokens = [*request.tokens, token]
            request.left = request.left - 1
            if not request.left:
                self.cache.free(request.number)
                self.running = [r for r in self.running if r.number != request.number]
        computed = [(request.number, n) for request, n in chunks]
        return as_pairs(computed), as_pairs(said)

    def held(self) -> int:
        return int((self.cache.counts() > 0).sum())
