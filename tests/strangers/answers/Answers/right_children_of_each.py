# parent by parent: all of its children are forked and it is freed, then the children are put in order
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
        children = dict()
        for old in range(len(self.sequences)):
            mine = [i for i, parent in enumerate(parents) if parent == old]
            for i in mine:
                children[i] = next(self.unused)
                self.cache.fork(self.sequences[old], children[i])
            self.cache.free(self.sequences[old])
        self.sequences = [children[i] for i in range(len(parents))]
        return self.model.step(self.cache, self.sequences, [[t] for t in tokens])

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
