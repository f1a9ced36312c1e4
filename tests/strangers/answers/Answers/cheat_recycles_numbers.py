# Cheat: numbers of sequences that have ended are given to new ones, so that they stay small; who keeps something by the number (a log, a prefix table) takes one answer for another.
# Breaks: "unused: gives a number that no sequence has had, with next(self.unused)."
class Answers:
    def __init__(self, model: Any, n_blocks: int, block_size: int):
        self.model = ToyModel(model) if isinstance(model, Tensor) else model
        self.cache = self.model.new_cache(n_blocks, block_size)
        self.sequences: list[int] = []
        self.unused = itertools.count()
        self.ended: list[int] = []

    def start(self, prompt: list[int]) -> Tensor:
        self.sequences = [next(self.unused)]
        return self.model.step(self.cache, self.sequences, [prompt])

    def grow(self, parents: list[int], tokens: list[int]) -> Tensor:
        new = []
        for parent in parents:
            number = self.ended.pop() if self.ended else next(self.unused)
            self.cache.fork(self.sequences[parent], number)
            new.append(number)
        for sequence in self.sequences:
            self.cache.free(sequence)
        self.ended += self.sequences
        self.sequences = new
        if not new:
            return torch.zeros(0, self.model.config.vocabulary)
        return self.model.step(self.cache, new, [[token] for token in tokens])

    def table(self, answer: int) -> Tensor:
        if answer >= len(self.sequences):
            raise NoSuchAnswer(answer)
        return self.cache.table(self.sequences[answer])

    def tokens(self, answer: int) -> Tensor:
        if answer >= len(self.sequences):
            raise NoSuchAnswer(answer)
        return torch.tensor(self.cache.tokens(self.sequences[answer]))

    def counts(self) -> Tensor:
        return self.cache.counts()
