# A student's: submit refuses a request if there are not enough free blocks when it comes. It could wait: what comes while another runs shows it.
class Engine:
    def __init__(self, n_blocks, block_size, slots, budget, model=None):
        self.model = model or ToyModel()
        self.cache = self.model.new_cache(n_blocks, block_size)
        self.n_blocks, self.block_size = n_blocks, block_size
        self.slots, self.budget = slots, budget
        self.running: list[Request] = []
        self.waiting: list[Request] = []

    def blocks(self, tokens):
        return -(-tokens // self.block_size)

    def submit(self, number, prompt, new):
        if self.blocks(len(prompt) + new - 1) > self.n_blocks - self.held():
            raise TooLong(number)
        self.waiting.append(Request(number, list(prompt), new))

    def compute(self, chunks):
        sequences = [request.number for request, _ in chunks]
        tokens = [request.tokens[request.cached : request.cached + n] for request, n in chunks]
        return self.model.step(self.cache, sequences, tokens)

    def held(self):
        return int((self.cache.counts() > 0).sum())

    def admit(self, request):
        together = [*self.running, request]
        return sum(self.blocks(len(r.tokens) + r.left - 1) for r in together) <= self.n_blocks

    def plan(self):
        chunks, budget = [], self.budget
        for request in self.running:
            n = min(len(request.tokens) - request.cached, budget)
            if n > 0:
                chunks.append((request, n))
                budget -= n
        while budget > 0 and self.waiting and len(self.running) < self.slots:
            request = self.waiting[0]
            if not self.admit(request):
                break
            self.running.append(self.waiting.pop(0))
            n = min(len(request.tokens) - request.cached, budget)
            chunks.append((request, n))
            budget -= n
        return chunks

    def step(self):
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
