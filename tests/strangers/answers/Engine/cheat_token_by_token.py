# Cheat: a chunk of a prompt is read by the model one token at a time, in as many calls as it has tokens, and only the last call holds all requests: a budget of 512 is 512 passes over the weights in one step.
# Breaks: "compute: The model's step over what is planned" and "Decoding is the chunk of one token" (a chunk is one pass).
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
        together = [*self.running, request]
        return sum(self.blocks(len(r.tokens) + r.left - 1) for r in together) <= self.n_blocks

    def plan(self) -> list[tuple[Request, int]]:
        chunks, budget = [], self.budget
        for request in self.running:
            n = min(len(request.tokens) - request.cached, budget)
            if n:
                chunks.append((request, n))
                budget -= n
        while budget and self.waiting and len(self.running) < self.slots:
            request = self.waiting[0]
            if not self.admit(request):
                break
            self.running.append(self.waiting.pop(0))
            n = min(len(request.tokens) - request.cached, budget)
            chunks.append((request, n))
            budget -= n
        return chunks

    def compute(self, chunks: list[tuple[Request, int]]) -> Tensor:
        for request, n in chunks:
            for token in request.tokens[request.cached : request.cached + n - 1]:
                self.model.step(self.cache, [request.number], [[token]])
        last = [[request.tokens[request.cached + n - 1]] for request, n in chunks]
        return self.model.step(self.cache, [request.number for request, _ in chunks], last)

    def step(self) -> tuple[Tensor, Tensor]:
        chunks, said = self.plan(), []
        logits = self.compute(chunks) if chunks else torch.empty(0)
        for (request, n), row in zip(chunks, logits):
            request.cached += n
            if request.cached == len(request.tokens):
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
