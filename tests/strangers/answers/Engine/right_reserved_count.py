# Keeps a count of the reserved blocks, raised when a request is admitted and lowered when it ends.
class Engine:
    def __init__(self, n_blocks, block_size, slots, budget, model=None):
        self.model = model or ToyModel()
        self.cache = self.model.new_cache(n_blocks, block_size)
        self.n_blocks, self.block_size = n_blocks, block_size
        self.slots, self.budget = slots, budget
        self.running = []
        self.waiting = []
        self.reserved = 0

    def blocks(self, tokens):
        return -(-tokens // self.block_size)

    def submit(self, number, prompt, new):
        if self.blocks(len(prompt) + new - 1) > self.n_blocks:
            raise TooLong(number)
        self.waiting.append(Request(number, list(prompt), new))

    def compute(self, chunks):
        sequences = [request.number for request, _ in chunks]
        tokens = [request.tokens[request.cached : request.cached + n] for request, n in chunks]
        return self.model.step(self.cache, sequences, tokens)

    def held(self):
        return int((self.cache.counts() > 0).sum())

    def longest(self, request):
        return self.blocks(len(request.tokens) + request.left - 1)

    def admit(self, request):
        if self.reserved + self.longest(request) > self.n_blocks:
            return False
        self.reserved += self.longest(request)
        return True

    def plan(self):
        left, chunks = self.budget, []
        for request in self.running:
            n = min(len(request.tokens) - request.cached, left)
            chunks.append((request, n))
            left -= n
        while left and self.waiting and len(self.running) < self.slots and self.admit(self.waiting[0]):
            request = self.waiting.pop(0)
            self.running.append(request)
            n = min(len(request.tokens), left)
            chunks.append((request, n))
            left -= n
        return chunks

    def step(self):
        chunks, said = self.plan(), []
        logits = self.compute(chunks) if chunks else torch.empty(0)
        for (request, n), row in zip(chunks, logits):
            request.cached += n
            missing = len(request.tokens) - request.cached
            if missing:
                continue
            if request.left == 1:
                self.reserved -= self.longest(request)
            request.tokens += [int(row.argmax())]
            request.left -= 1
            said += [(request.number, request.tokens[-1])]
            if request.left == 0:
                self.cache.free(request.number)
                self.running = [other for other in self.running if other is not request]
        computed = [(request.number, n) for request, n in chunks]
        return as_pairs(computed), as_pairs(said)
