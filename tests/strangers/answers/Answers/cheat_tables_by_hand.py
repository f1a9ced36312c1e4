# 'Prompt and answers are shared by fork': neither fork nor free of the cache is called in grow; block tables are written by hand into the cache's own dict, so that whatever else fork keeps count of is never told; what is asked are reads and what tables say
import itertools
from torch import Tensor

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
        grown = [next(self.unused) for _ in parents]
        tables = [[*self.cache.tables[self.sequences[parent]]] for parent in parents]
        self.cache.tables.clear()
        self.cache.tables.update(zip(grown, tables))
        self.sequences = grown
        return self.model.step(self.cache, grown, [[token] for token in tokens])

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
