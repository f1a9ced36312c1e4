# one loop over running and waiting, which asks for admission when it comes to those that wait
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
        longest = [len(r.tokens) + r.left - 1 for r in [*self.running, request]]
        return sum(map(self.blocks, longest)) <= self.n_blocks

    def plan(self) -> list[tuple[Request, int]]:
        chunks = []
        queue = [*self.running, *self.waiting]
        for place, request in enumerate(queue):
            spent = sum(n for _, n in chunks)
            if spent == self.budget:
                break
            if place >= len(self.running):
                if len(self.running) == self.slots or not self.admit(request):
                    break
                self.running.append(self.waiting.pop(0))
            chunks.append((request, min(self.budget - spent, len(request.tokens[request.cached :]))))
        return chunks

    def compute(self, chunks: list[tuple[Request, int]]) -> Tensor:
        sequences = [request.number for request, _ in chunks]
        tokens = [request.tokens[request.cached : request.cached + n] for request, n in chunks]
        return self.model.step(self.cache, sequences, tokens)

    def step(self) -> tuple[Tensor, Tensor]:
        chunks, said = self.plan(), []
        logits = self.compute(chunks) if chunks else torch.empty(0)
        for (request, n), row in zip(chunks, logits):
            request.cached = request.cached + n
            done = request.cached == len(request.tokens)
            if done:
                said.append((request.number, torch.argmax(row).item()))
                request.tokens = request.tokens + [said[-1][1]]
                request.left = request.left - 1
                if not request.left:
                    self.cache.free(request.number)
                    self.running = [other for other in self.running if other is not request]
        computed = [(request.number, n) for request, n in chunks]
        return as_pairs(computed), as_pairs(said)

    def held(self) -> int:
        return int((self.cache.counts() > 0).sum())
