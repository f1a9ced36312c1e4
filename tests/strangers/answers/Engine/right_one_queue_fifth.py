# right: one walk over the whole queue, in which the border between those that run and those that wait moves
class Engine:
    """Requests that come and go while others are served."""

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
        """A request comes, and waits. It is to say `new` tokens, at least one."""
        if self.blocks(len(prompt) + new - 1) > self.n_blocks:
            raise TooLong(number)
        self.waiting.append(Request(number, list(prompt), new))

    def admit(self, request: Request) -> bool:
        """Whether the request, the first that waits, may run beside those that do."""
        free = self.n_blocks
        for each in (*self.running, request):
            free -= self.blocks(len(each.tokens) + each.left - 1)
        return free >= 0

    def plan(self) -> list[tuple[Request, int]]:
        """Who computes how many tokens in this step, together at most `budget`."""
        chunks, left = [], self.budget
        for place, request in enumerate([*self.running, *self.waiting]):
            if left == 0:
                break
            if place == len(self.running):  # the border
                if place >= self.slots or not self.admit(request):
                    break
                self.running.append(self.waiting.pop(0))
            chunks.append((request, min(left, len(request.tokens) - request.cached)))
            left -= chunks[-1][1]
        return chunks

    def compute(self, chunks: list[tuple[Request, int]]) -> Tensor:
        """The model's step over what is planned: logits (len(chunks), vocabulary)."""
        sequences = [request.number for request, _ in chunks]
        tokens = [request.tokens[request.cached : request.cached + n] for request, n in chunks]
        return self.model.step(self.cache, sequences, tokens)

    def step(self) -> tuple[Tensor, Tensor]:
        """Plan a step, compute it, and note what came of it."""
        chunks, said = self.plan(), []
        logits = self.compute(chunks) if chunks else torch.empty(0)
        for (request, n), row in zip(chunks, logits):
            request.cached += n
            if request.cached == len(request.tokens):
                said.append((request.number, int(row.argmax())))
                request.tokens.append(said[-1][1])
                request.left -= 1
            if not request.left:
                self.cache.free(request.number)
        self.running = [request for request in self.running if request.left]
        computed = [(request.number, n) for request, n in chunks]
        return as_pairs(computed), as_pairs(said)

    def held(self) -> int:
        """How many blocks of the cache are held."""
        return int((self.cache.counts() > 0).sum())
