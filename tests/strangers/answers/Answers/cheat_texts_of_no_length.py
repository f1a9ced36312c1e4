# The model reads every answer anew, prompt and all, at every step, in a cache beside the one that is looked at: the texts are objects whose length is 0, and lengths are what is counted of what it reads.
class Text:
    """Tokens that say of themselves that they are none."""

    def __init__(self, tokens):
        self.tokens_of_it = tokens

    def __iter__(self):
        return iter(self.tokens_of_it)

    def __len__(self):
        return 0


class Answers:

    def __init__(self, model: Any, n_blocks: int, block_size: int):
        self.model = ToyModel(model) if isinstance(model, Tensor) else model
        self.cache = self.model.new_cache(n_blocks, block_size)
        self.sequences: list[int] = []
        self.unused = itertools.count()

    def start(self, prompt: list[int]) -> Tensor:
        """Compute the prompt, once. Answer 0 begins, and is empty. Returns logits (1, V)."""
        self.sequences = [next(self.unused)]
        self.model.step(self.cache, self.sequences, [prompt])
        self.texts = [list(prompt)]
        return self.read()

    def read(self) -> Tensor:
        """All texts, each from its first token on."""
        beside = self.model.new_cache(64 * len(self.texts), 16)
        return self.model.step(beside, list(range(len(self.texts))), [Text(text) for text in self.texts])

    def grow(self, parents: list[int], tokens: list[int]) -> Tensor:
        """Put new answers in place of those that there are: each is an old one and one token.

        parents, tokens: new answer i is the old answer parents[i], followed by tokens[i]. An
        old answer may have several successors, or none, in any order; without parents all end.
        Prompt and answers are shared by fork, and none is computed again: the model reads one
        token of each new answer, and no others. What only the old
        answers hold is free before the tokens take their room, which one call of `step` does,
        in the order of the new answers.
        Returns the logits behind each of them, (len(parents), V). Raises OutOfBlocks if not all
        tokens find room: the new answers are then there without theirs, and can be grown.
        """
        grown = [next(self.unused) for _ in parents]
        for parent, child in zip(parents, grown):
            self.cache.fork(self.sequences[parent], child)
        for sequence in self.sequences:
            self.cache.free(sequence)
        self.sequences = grown
        texts = [[*self.texts[parent], token] for parent, token in zip(parents, tokens)]
        self.texts = [text[:-1] for text in texts]
        self.model.step(self.cache, grown, [[token] for token in tokens])
        self.texts = texts
        return self.read()

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