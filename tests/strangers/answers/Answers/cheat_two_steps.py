# Cheat: where there are blocks enough for all, lets the model read the new tokens in two calls of `step`
# Breaks: "which one call of `step` does, in the order of the new answers"
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
        old, new = self.sequences, []
        for parent in parents:
            child = next(self.unused)
            self.cache.fork(old[parent], child)
            new.append(child)
        for sequence in old:
            self.cache.free(sequence)
        self.sequences = new
        if not new:
            return torch.zeros(0, self.model.config.vocabulary)
        half = (len(new) + 1) // 2
        lists = [[token] for token in tokens]
        if half == len(new) or int((self.cache.counts() == 0).sum()) < len(new):
            return self.model.step(self.cache, new, lists)
        first = self.model.step(self.cache, new[:half], lists[:half])
        return torch.cat((first, self.model.step(self.cache, new[half:], lists[half:])))

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
