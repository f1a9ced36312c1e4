# two helper methods, names first: all children are named and forked, then the row is swapped, then the old one is freed
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
        self._replace(list(map(self.sequences.__getitem__, parents)))
        return self.model.step(self.cache, list(self.sequences), [[int(token)] for token in tokens])

    def _replace(self, ancestors: list[int]) -> None:
        before, now = self.sequences, []
        for ancestor in ancestors:
            now.append(next(self.unused))
            self.cache.fork(ancestor, now[-1])
        while before:
            self.cache.free(before.pop())
        self.sequences = now

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
