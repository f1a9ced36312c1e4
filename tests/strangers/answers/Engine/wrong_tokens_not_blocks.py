# Wrong: adds up tokens and compares them with the slots of all blocks, as if two sequences could share the end of one.
class Engine:
    def __init__(self, n_blocks, block_size, slots, budget, model=None):
        self.model = model or ToyModel()
        self.cache = self.model.new_cache(n_blocks, block_size)
        self.n_blocks, self.block_size = n_blocks, block_size
        self.slots, self.budget = slots, budget
        self.running = []
        self.waiting = []

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

    def admit(self, request):
        total = sum(len(r.tokens) + r.left - 1 for r in self.running + [request])
        return total <= self.n_blocks * self.block_size

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
            if request.cached == len(request.tokens):
                token = int(torch.argmax(row))
                request.tokens.append(token)
                request.left -= 1
                said.append((request.number, token))
                if not request.left:
                    self.cache.free(request.number)
                    self.running.remove(request)
        computed = [(request.number, n) for request, n in chunks]
        return as_pairs(computed), as_pairs(said)
