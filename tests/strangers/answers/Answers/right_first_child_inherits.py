# right: the first successor takes over its parent's sequence, further ones are forked from it before anything is written, the childless are freed
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
        heirs: dict[int, int] = {}
        successors = []
        for parent in parents:
            own = self.sequences[parent]
            if parent in heirs:
                heir = next(self.unused)
                self.cache.fork(own, heir)
            else:
                heirs[parent] = heir = own
            successors.append(heir)
        for number, sequence in enumerate(self.sequences):
            if number not in heirs:
                self.cache.free(sequence)
        self.sequences = successors
        return self.model.step(self.cache, successors, [[token] for token in tokens])

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
