# as many servers plan: who decodes gets a token, then the one whose prompt is in the middle, then those that wait
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
        decoding = [r for r in self.running if len(r.tokens) - r.cached == 1]
        reading = [r for r in self.running if len(r.tokens) - r.cached > 1]
        chunks = [(r, 1) for r in decoding]
        budget = self.budget - len(chunks)
        for r in reading:
            n = min(budget, len(r.tokens) - r.cached)
            if n:
                chunks += [(r, n)]
            budget -= n
        while self.waiting and budget and len(self.running) < self.slots and self.admit(self.waiting[0]):
            r, *self.waiting = self.waiting
            self.running += [r]
            n = min(budget, len(r.tokens))
            chunks += [(r, n)]
            budget -= n
        return chunks

    def compute(self, chunks: list[tuple[Request, int]]) -> Tensor:
        sequences = [request.number for request, _ in chunks]
        tokens = [request.tokens[request.cached : request.cached + n] for request, n in chunks]
        return self.model.step(self.cache, sequences, tokens)

    def step(self) -> tuple[Tensor, Tensor]:
        chunks, said = self.plan(), []
        logits = self.compute(chunks) if chunks else torch.empty(0)
        for (request, n), row in zip(chunks, logits):
            request.cached += n
            if request.cached < len(request.tokens):
                continue
            token = int(row.argmax())
            request.tokens.append(token)
            request.left -= 1
            said.append((request.number, token))
            if request.left == 0:
                self.running.remove(request)
                self.cache.free(request.number)
        computed = [(request.number, n) for request, n in chunks]
        return as_pairs(computed), as_pairs(said)

    def held(self) -> int:
        return int((self.cache.counts() > 0).sum())
