# right: goes through the old answers, forks the successors of each and frees it; numbers are given out before, in the order of the new ones
class Answers:
    """Several answers to one prompt, written at the same time in one paged cache."""

    def __init__(self, model: Any, n_blocks: int, block_size: int):
        self.model = ToyModel(model) if isinstance(model, Tensor) else model
        self.cache = self.model.new_cache(n_blocks, block_size)
        self.sequences: list[int] = []
        self.unused = itertools.count()

    def start(self, prompt: list[int]) -> Tensor:
        """Compute the prompt, once. Answer 0 begins, and is empty. Returns logits (1, V)."""
        self.sequences = [next(self.unused)]
        return self.model.step(self.cache, self.sequences, [prompt])

    def grow(self, parents: list[int], tokens: list[int]) -> Tensor:
        """Put new answers in place of those that there are: each is an old one and one token."""
        family = [[] for _ in self.sequences]
        following = []
        for parent in parents:
            following.append(next(self.unused))
            family[parent].append(following[-1])
        for old, children in zip(self.sequences, family):
            for child in children:
                self.cache.fork(old, child)
            self.cache.free(old)
        self.sequences = following
        return self.model.step(self.cache, following, [[token] for token in tokens])

    def table(self, answer: int) -> Tensor:
        """The block table of an answer and its prompt, (blocks,) int32."""
        if answer >= len(self.sequences):
            raise NoSuchAnswer(answer)
        return self.cache.table(self.sequences[answer])

    def tokens(self, answer: int) -> Tensor:
        """The tokens in the cache of an answer and its prompt, (tokens,) int64."""
        if answer >= len(self.sequences):
            raise NoSuchAnswer(answer)
        return torch.tensor(self.cache.tokens(self.sequences[answer]))

    def counts(self) -> Tensor:
        """How many answers hold each block, (n_blocks,) int64; 0 is free."""
        return self.cache.counts()
