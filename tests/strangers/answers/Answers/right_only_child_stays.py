# an answer with one successor goes on in its own sequence, only the others are forked
class Answers:
    def __init__(self, model, n_blocks, block_size):
        self.model = ToyModel(model) if isinstance(model, Tensor) else model
        self.cache = self.model.new_cache(n_blocks, block_size)
        self.sequences = []
        self.unused = itertools.count()

    def start(self, prompt):
        self.sequences = [next(self.unused)]
        return self.model.step(self.cache, self.sequences, [prompt])

    def grow(self, parents, tokens):
        heirs, taken = [], set()
        for parent in parents:
            sequence = self.sequences[parent]
            if parent in taken:
                child = next(self.unused)
                self.cache.fork(sequence, child)
                sequence = child
            taken.add(parent)
            heirs.append(sequence)
        for i, sequence in enumerate(self.sequences):
            if i not in taken:
                self.cache.free(sequence)
        self.sequences = heirs
        return self.model.step(self.cache, heirs, [[t] for t in tokens])

    def table(self, answer):
        if answer >= len(self.sequences):
            raise NoSuchAnswer(answer)
        return self.cache.table(self.sequences[answer])

    def tokens(self, answer):
        if answer >= len(self.sequences):
            raise NoSuchAnswer(answer)
        return torch.tensor(self.cache.tokens(self.sequences[answer]))

    def counts(self):
        return self.cache.counts()
