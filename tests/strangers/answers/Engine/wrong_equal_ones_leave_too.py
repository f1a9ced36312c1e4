# A student's: with a request that ends, all leave that have the same tokens. Of two with one prompt the one that is to say more is dropped.
class Engine:
    """Requests that come and go while others are served: continuous batching.

    n_blocks, block_size: of the cache. slots: how many requests may run at a time. budget: how
    many tokens a step may compute, at least `slots`. model: what is served, the toy if None.
    running, waiting: the requests (`kernels.serving.Request`), in the order in which they came.
    Those that run came before those that wait.
    The cache is never copied. submit and step are called from outside; a step returns two
    tensors (n, 2) int64, what was computed and what was said.
    """

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
        """A request comes, and waits. It is to say `new` tokens, at least one.

        Raises TooLong if it could not be served even alone. The last token that it says is
        never read, and takes no room.
        """
        if self.blocks(len(prompt) + new - 1) > self.n_blocks:
            raise TooLong(number)
        self.waiting.append(Request(number, list(prompt), new))

    def admit(self, request: Request) -> bool:
        """Whether the request, the first that waits, may run beside those that do.

        It may if there are blocks for all of them at their longest, so that none runs out.
        """
        ### BEGIN SOLUTION
        together = [*self.running, request]
        return sum(self.blocks(len(r.tokens) + r.left - 1) for r in together) <= self.n_blocks
        ### END SOLUTION

    def plan(self) -> list[tuple[Request, int]]:
        """Who computes how many tokens in this step, together at most `budget`.

        First those that run, in their order: each as many as it has beyond its cached ones, or
        what is left of the budget. Then, as long as budget and slots are left, the first that
        waits is admitted, and gets its share likewise; if it may not run, none behind it does.
        Returns (request, number of tokens) pairs, at least one token each.
        """
        ### BEGIN SOLUTION
        left, chunks = self.budget, []
        for request in self.running:
            chunks.append((request, min(len(request.tokens) - request.cached, left)))
            left -= chunks[-1][1]
        while left and self.waiting and len(self.running) < self.slots:
            if not self.admit(self.waiting[0]):
                break
            request = self.waiting.pop(0)
            self.running.append(request)
            chunks.append((request, min(len(request.tokens) - request.cached, left)))
            left -= chunks[-1][1]
        return chunks
        ### END SOLUTION

    def compute(self, chunks: list[tuple[Request, int]]) -> Tensor:
        """The model's step over what is planned: logits (len(chunks), vocabulary)."""
        sequences = [request.number for request, _ in chunks]
        tokens = [request.tokens[request.cached : request.cached + n] for request, n in chunks]
        return self.model.step(self.cache, sequences, tokens)

    def step(self) -> tuple[Tensor, Tensor]:
        """Plan a step, compute it, and note what came of it.

        A request whose tokens are all in the cache says its next one, the most likely. If that
        was its last one, it runs no more, and its sequence is freed. The model reads the tokens
        that are computed, and none outside of a step.
        Returns what was computed, (chunks, 2) int64, number and tokens of each request in the
        order of the plan; and what was said, (tokens, 2) int64, number and token in that order.
        """
        chunks, said = self.plan(), []
        logits = self.compute(chunks) if chunks else torch.empty(0)
        for (request, n), row in zip(chunks, logits):
            ### BEGIN SOLUTION
            request.cached += n
            if request.cached < len(request.tokens):
                continue  # the rest of its prompt comes in the next step
            request.tokens.append(int(row.argmax()))
            request.left -= 1
            said.append((request.number, request.tokens[-1]))
            if request.left == 0:
                self.running = [r for r in self.running if r.tokens != request.tokens]
                self.cache.free(request.number)
            ### END SOLUTION
        computed = [(request.number, n) for request, n in chunks]
        return as_pairs(computed), as_pairs(said)

    def held(self) -> int:
        """How many blocks of the cache are held."""
        return int((self.cache.counts() > 0).sum())
