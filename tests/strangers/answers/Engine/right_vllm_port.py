# names and loops of vLLM's scheduler: token_budget, scheduled, free blocks less reserved ones
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
        reserved = 0
        for other in self.running:
            reserved += self.blocks(len(other.tokens) + other.left - 1)
        need = self.blocks(len(request.tokens) + request.left - 1)
        num_free_blocks = self.n_blocks - reserved
        return need <= num_free_blocks

    def plan(self) -> list[tuple[Request, int]]:
        token_budget = self.budget
        scheduled = []
        req_index = 0
        while req_index < len(self.running) and token_budget > 0:
            request = self.running[req_index]
            num_new_tokens = min(len(request.tokens) - request.cached, token_budget)
            token_budget -= num_new_tokens
            scheduled.append((request, num_new_tokens))
            req_index += 1
        while self.waiting and token_budget > 0:
            if len(self.running) == self.slots:
                break
            request = self.waiting[0]
            if not self.admit(request):
                break
            self.waiting.remove(request)
            self.running.append(request)
            num_new_tokens = min(len(request.tokens) - request.cached, token_budget)
            token_budget -= num_new_tokens
            scheduled.append((request, num_new_tokens))
        return scheduled

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
