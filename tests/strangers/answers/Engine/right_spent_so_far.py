# Counts what is spent instead of what is left; ends are collected first and taken out behind the loop.
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
        return sum(self.blocks(len(r.tokens) + r.left - 1) for r in self.running + [request]) <= self.n_blocks

    def plan(self):
        chunks = []

        def spent():
            return sum(n for _, n in chunks)

        def give(request):
            chunks.append((request, min(len(request.tokens) - request.cached, self.budget - spent())))

        for request in self.running:
            give(request)
        while spent() < self.budget and len(self.running) < self.slots:
            if not self.waiting or not self.admit(self.waiting[0]):
                break
            self.running.append(self.waiting[0])
            self.waiting = self.waiting[1:]
            give(self.running[-1])
        return chunks

    def step(self):
        chunks = self.plan()
        if not chunks:
            return as_pairs([]), as_pairs([])
        best = [int(row.argmax()) for row in self.compute(chunks)]
        said, over = [], []
        for i, (request, n) in enumerate(chunks):
            request.cached += n
            if request.cached < len(request.tokens):
                continue
            request.tokens.append(best[i])
            said.append((request.number, best[i]))
            request.left -= 1
            if request.left < 1:
                over.append(request)
        for request in over:
            self.running.remove(request)
            self.cache.free(request.number)
        return as_pairs([(r.number, n) for r, n in chunks]), as_pairs(said)
