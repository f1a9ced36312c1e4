# early returns, helper methods and a walrus; the queue is spelled out
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

    def longest(self, request: Request) -> int:
        """Blocks at its longest: the last token that it says is never read."""
        return self.blocks(len(request.tokens) + request.left - 1)

    def admit(self, request: Request) -> bool:
        return sum(map(self.longest, [*self.running, request])) <= self.n_blocks

    def plan(self) -> list[tuple[Request, int]]:
        chunks, left = [], self.budget

        def grant(request: Request) -> None:
            nonlocal left
            if n := min(left, len(request.tokens) - request.cached):
                chunks.append((request, n))
                left -= n

        for request in self.running:
            grant(request)
        while left and self.waiting and len(self.running) < self.slots:
            if not self.admit(self.waiting[0]):
                break
            self.running.append(self.waiting.pop(0))
            grant(self.running[-1])
        return chunks

    def compute(self, chunks: list[tuple[Request, int]]) -> Tensor:
        """The model's step over what is planned: logits (len(chunks), vocabulary)."""
        sequences = [request.number for request, _ in chunks]
        tokens = [request.tokens[request.cached : request.cached + n] for request, n in chunks]
        return self.model.step(self.cache, sequences, tokens)

    def step(self) -> tuple[Tensor, Tensor]:
        chunks, said = self.plan(), []
        logits = self.compute(chunks) if chunks else torch.empty(0)
        for (request, n), row in zip(chunks, logits):
            request.cached += n
            if request.cached < len(request.tokens):
                continue  # still reading
            token = int(row.argmax())
            said.append((request.number, token))
            request.tokens.append(token)
            request.left -= 1
            if request.left == 0:
                self.running.remove(request)
                self.cache.free(request.number)
        computed = [(request.number, n) for request, n in chunks]
        return as_pairs(computed), as_pairs(said)

    def held(self) -> int:
        """How many blocks of the cache are held."""
        return int((self.cache.counts() > 0).sum())
