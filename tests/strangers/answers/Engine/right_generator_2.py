# a generator for who may run, shares taken from a budget object, those that ended sorted out after the loop
class _Budget:
    def __init__(self, tokens):
        self.left = tokens

    def take(self, request):
        n = min(self.left, len(request.tokens) - request.cached)
        self.left -= n
        return n


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
        return -(-tokens // self.block_size)

    def submit(self, number: int, prompt: list[int], new: int) -> None:
        if self.blocks(len(prompt) + new - 1) > self.n_blocks:
            raise TooLong(number)
        self.waiting.append(Request(number, list(prompt), new))

    def admit(self, request: Request) -> bool:
        free = self.n_blocks - self.most(request)
        for other in self.running:
            free -= self.most(other)
        return free >= 0

    def most(self, request):
        """Blocks that the request fills when it is longest: the last token is never read."""
        return self.blocks(len(request.tokens) - 1 + request.left)

    def newcomers(self, budget):
        """Admits the first that waits, again and again, while there is room of every kind."""
        while self.waiting and budget.left and self.slots > len(self.running):
            first = self.waiting[0]
            if not self.admit(first):
                return
            del self.waiting[0]
            self.running.append(first)
            yield first

    def plan(self) -> list[tuple[Request, int]]:
        budget = _Budget(self.budget)
        planned = [(request, budget.take(request)) for request in self.running]
        planned += ((request, budget.take(request)) for request in self.newcomers(budget))
        return [(request, n) for request, n in planned if n]

    def compute(self, chunks: list[tuple[Request, int]]) -> Tensor:
        sequences = [request.number for request, _ in chunks]
        tokens = [request.tokens[request.cached : request.cached + n] for request, n in chunks]
        return self.model.step(self.cache, sequences, tokens)

    def step(self) -> tuple[Tensor, Tensor]:
        chunks, said = self.plan(), []
        logits = self.compute(chunks) if chunks else torch.empty(0)
        for (request, n), row in zip(chunks, logits):
            request.cached = request.cached + n
            if len(request.tokens) == request.cached:
                said.append((request.number, row.argmax().item()))
                request.tokens += [said[-1][1]]
                request.left = request.left - 1
            if request.left < 1:
                self.cache.free(request.number)
                self.running = [r for r in self.running if r is not request]
        computed = [(request.number, n) for request, n in chunks]
        return as_pairs(computed), as_pairs(said)

    def held(self) -> int:
        return int((self.cache.counts() > 0).sum())
