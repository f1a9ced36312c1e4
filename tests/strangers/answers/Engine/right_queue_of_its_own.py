# Right: a generator deals out the candidates; the queues are a class of lists.
from itertools import chain


class Queue(list):
    pass


class Engine:
    """One generator deals tokens out; what is done is swept up after the step."""

    def __init__(self, n_blocks, block_size, slots, budget, model=None):
        self.model = ToyModel() if model is None else model
        self.cache = self.model.new_cache(n_blocks, block_size)
        self.n_blocks, self.block_size, self.slots, self.budget = n_blocks, block_size, slots, budget
        self.running, self.waiting = Queue(), Queue()

    def blocks(self, tokens):
        return (tokens + self.block_size - 1) // self.block_size

    def submit(self, number, prompt, new):
        request = Request(number, list(prompt), new)
        if self._room(request) > self.n_blocks:
            raise TooLong(number)
        self.waiting.append(request)

    def _room(self, request):
        return self.blocks(len(request.tokens) + request.left - 1)

    def admit(self, request):
        reserved = 0
        for other in self.running:
            reserved += self._room(other)
        return reserved + self._room(request) <= self.n_blocks

    def _candidates(self):
        yield from list(self.running)
        while self.waiting and len(self.running) < self.slots and self.admit(self.waiting[0]):
            self.running.append(self.waiting[0])
            del self.waiting[0]
            yield self.running[-1]

    def plan(self):
        left, dealt = self.budget, []
        candidates = self._candidates()
        while left:
            request = next(candidates, None)
            if request is None:
                break
            share = min(left, len(request.tokens[request.cached :]))
            dealt.append((request, share))
            left -= share
        return dealt

    def compute(self, chunks):
        return self.model.step(
            self.cache,
            [r.number for r, _ in chunks],
            [r.tokens[r.cached :][:n] for r, n in chunks],
        )

    def step(self):
        dealt = self.plan()
        computed = as_pairs([(r.number, n) for r, n in dealt])
        if not dealt:
            return computed, as_pairs([])
        best = self.compute(dealt).max(dim=-1).indices
        speakers = []
        for place, (request, n) in enumerate(dealt):
            request.cached += n
            if len(request.tokens) == request.cached:
                request.tokens += [best[place].item()]
                request.left -= 1
                speakers.append(request)
        for request in [r for r in speakers if not r.left]:
            self.cache.free(request.number)
        self.running[:] = [r for r in self.running if r.left]
        return computed, as_pairs([(r.number, r.tokens[-1]) for r in speakers])

    def held(self):
        return sum(1 for n in self.cache.counts().flatten() if n > 0)
