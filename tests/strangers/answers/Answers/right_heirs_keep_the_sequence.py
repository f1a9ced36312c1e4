# The first successor takes its parent's sequence over, further ones are forked from it; only childless answers are freed.
class Answers:
    def __init__(self, model: Any, n_blocks: int, block_size: int):
        self.model = ToyModel(model) if isinstance(model, Tensor) else model
        self.cache = self.model.new_cache(n_blocks, block_size)
        self.sequences: list[int] = []
        self.unused = itertools.count()

    def start(self, prompt: list[int]) -> Tensor:
        self.sequences = [next(self.unused)]
        return self.model.step(self.cache, self.sequences, [prompt])

    def grow(self, parents: list[int], tokens: list[int]) -> Tensor:
        old, heirs, new = self.sequences, set(), []
        for parent in parents:
            if parent in heirs:
                number = next(self.unused)
                self.cache.fork(old[parent], number)
            else:
                heirs.add(parent)
                number = old[parent]
            new.append(number)
        for answer, sequence in enumerate(old):
            if answer not in heirs:
                self.cache.free(sequence)
        self.sequences = new
        return self.model.step(self.cache, list(new), [[token] for token in tokens])

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
