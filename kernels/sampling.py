"""The next token: filtered, drawn, several answers at once, and the likeliest of all answers.

Penalties for repeated tokens, constraints on what may be said, and drafts that a second model
checks are left out.
"""

import itertools
from collections.abc import Iterable
from typing import Any

import numpy as np
import torch
from torch import Tensor


class OutOfBlocks(RuntimeError):
    """More blocks are asked for than are free."""


class WrongSequence(KeyError):
    """A sequence that does not exist is named, or one that exists already is begun."""


class NoSuchAnswer(LookupError):
    """An answer is named that is not being written."""


class TokenCache:
    """A paged cache in small: its blocks hold tokens in place of their keys and values.

    n_blocks, block_size, fork, free and who holds which block are those of `PagedCache`: of the
    free blocks the one with the lowest number is taken, and a block that several sequences hold
    is copied by the first that writes into it.
    """

    def __init__(self, n_blocks: int, block_size: int):
        self.blocks: list[list[int]] = [[] for _ in range(n_blocks)]
        self.block_size = block_size
        self.tables: dict[int, list[int]] = {}

    def fork(self, parent: int, child: int) -> None:
        """Begin the new sequence `child` with all tokens of `parent`."""
        if parent not in self.tables or child in self.tables:
            raise WrongSequence(parent, child)
        self.tables[child] = [*self.tables[parent]]

    def free(self, sequence: int) -> None:
        """End a sequence."""
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        del self.tables[sequence]

    def append(self, sequence: int, token: int) -> None:
        """Add a token to a sequence, which begins here if it is new."""
        table = self.tables.setdefault(sequence, [])
        if not table or len(self.blocks[table[-1]]) == self.block_size:
            table.append(self._free_block())
            self.blocks[table[-1]] = []
        elif sum(table[-1] in other for other in self.tables.values()) > 1:
            copy = self._free_block()
            self.blocks[copy] = [*self.blocks[table[-1]]]
            table[-1] = copy
        self.blocks[table[-1]].append(token)

    def _free_block(self) -> int:
        held = {block for table in self.tables.values() for block in table}
        if len(held) == len(self.blocks):
            raise OutOfBlocks(f"all {len(held)} blocks are held")
        return min(set(range(len(self.blocks))) - held)

    def table(self, sequence: int) -> Tensor:
        """The block table of a sequence, (blocks,) int32."""
        if sequence not in self.tables:
            raise WrongSequence(sequence)
        return torch.tensor(self.tables[sequence], dtype=torch.int32)

    def tokens(self, sequence: int) -> list[int]:
        """All tokens of a sequence, in order."""
        return [token for block in self.table(sequence) for token in self.blocks[block]]

    def counts(self) -> Tensor:
        """How many sequences hold each block, (n_blocks,) int64; 0 is free."""
        held = [block for table in self.tables.values() for block in table]
        return torch.tensor([held.count(block) for block in range(len(self.blocks))])


class ToyConfig:
    """vocabulary: how many tokens there are."""

    def __init__(self, vocabulary: int):
        self.vocabulary = vocabulary


class ToyModel:
    """A model without layers: each token of a sequence adds its row of `weights` to the logits,
    the last one in full, and each one before it half as much as the one after it.

    weights: (V, V) float32 for a vocabulary of V tokens.
    """

    def __init__(self, weights: Tensor):
        self.weights = weights
        self.config = ToyConfig(len(weights))

    def new_cache(self, n_blocks: int, block_size: int) -> TokenCache:
        return TokenCache(n_blocks, block_size)

    def step(self, cache: TokenCache, sequences: list[int], tokens: list[list[int]]) -> Tensor:
        """Add tokens to the cache, a list for each of the sequences, which begin here if new.

        Returns the logits after each sequence's last token, (len(sequences), V). Raises
        OutOfBlocks if there are not enough blocks; everything is then as it was.
        """
        blocks, tables = [[*block] for block in cache.blocks], {**cache.tables}
        tables = {sequence: [*table] for sequence, table in tables.items()}
        try:
            for sequence, new in zip(sequences, tokens, strict=True):
                for token in new:
                    cache.append(sequence, token)
        except OutOfBlocks:
            cache.blocks, cache.tables = blocks, tables
            raise
        logits = self.weights.new_zeros(len(sequences), self.config.vocabulary)
        for row, sequence in zip(logits, sequences):
            for token in cache.tokens(sequence):
                row.div_(2).add_(self.weights[token])
        return logits


def filtered(
    chunks: Iterable[np.ndarray], temperature: float, k: int, p: float
) -> tuple[np.ndarray, np.ndarray]:
    """The tokens that may be said next and their probabilities, in one pass over the logits.

    chunks: yields arrays (R, C) float32 of logits, the same R rows each time, C >= 1, not all
    equally wide; it can be read once. Column j of the whole row is token j. Entries may be -inf
    (masked); equal ones stand in the order of their tokens.
    1. temperature >= 0: logits are divided by it. At 0 only the largest one stays.
    2. k >= 1: the k largest stay.
    3. p > 0: of these, in descending order and with a sum of 1, those stay before which the sum
    is below p, in float32 or wider; all of them if p is 1 or more.
    Returns probabilities (R, k), same dtype, in descending order and with a sum of 1 again, and
    index (R, k) int64, their tokens. A slot for which no token stays holds 0 and -1; a token
    that stays keeps its index where its probability underflows to 0.
    Memory: O(R (k + C)) for the widest chunk C, whatever the number of chunks.
    """
    ### BEGIN SOLUTION from softmax_top_k
    first = 0
    for chunk in chunks:
        rows, width = chunk.shape
        if first == 0:
            top = np.full((rows, k), -np.inf, chunk.dtype)
            index = np.zeros((rows, k), np.int64)

        columns = np.broadcast_to(np.arange(first, first + width), chunk.shape)
        values = np.concatenate([top, chunk], axis=1)
        places = np.concatenate([index, columns], axis=1)
        order = np.argsort(-values, axis=1, kind="stable")[:, :k]
        top = np.take_along_axis(values, order, axis=1)
        index = np.take_along_axis(places, order, axis=1)
        first += width

    if temperature == 0:
        top[:, 1:], temperature = -np.inf, 1
    best = np.where(np.isneginf(top[:, :1]), 0, top[:, :1])
    weight = np.exp((top - best) / temperature)  # the maximum first: x / temperature overflows
    share = weight / np.maximum(weight.sum(axis=1, keepdims=True), 1)
    stays = (np.cumsum(share, axis=1) - share < p) | (p >= 1)
    weight = np.where(stays, weight, 0)
    share = weight / np.maximum(weight.sum(axis=1, keepdims=True), 1)
    return share, np.where(stays & ~np.isneginf(top), index, -1)
    ### END SOLUTION


def draw(p: np.ndarray, index: np.ndarray, u: np.ndarray) -> np.ndarray:
    """One token for each row, by its probabilities and a random number.

    p: (R, k) float32, a row's probabilities in any order, with a sum of 1 up to rounding, or
    all 0. index: (R, k) int64, their tokens. u: (R,) float32, uniform in [0, 1).
    Returns (R,) int64: the token in the first slot j with p_0 + ... + p_j > u, summed in
    float32 or wider; where rounding leaves none, that in the last slot with p > 0. A row of
    zeros gives -1. Memory: a few times p, and nothing k x k.
    """
    slot = (np.cumsum(p, axis=1) <= u[:, None]).sum(axis=1)
    last = p.shape[1] - 1 - np.argmax(p[:, ::-1] > 0, axis=1)
    token = index[np.arange(len(p)), np.minimum(slot, last)]
    return np.where(p.any(axis=1), token, -1)


class Answers:
    """Several answers to one prompt, written at the same time in one paged cache.

    model: has `new_cache`, `step` and `config.vocabulary`, as a ToyModel has; a Tensor stands
    for the ToyModel with these weights. n_blocks, block_size: of the cache.
    sequences: for each answer, counted from 0, the number of its sequence in the cache. unused:
    gives a number that no sequence has had, with next(self.unused). What is returned is (V,)
    logits for each answer, V being the size of the vocabulary.
    """

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
        """Put new answers in place of those that there are: each is an old one and one token.

        parents, tokens: new answer i is the old answer parents[i], one of those that there are,
        followed by tokens[i]. An old answer may have several successors, or none, in any order;
        without parents all end.
        Prompt and answers are shared by fork (one successor may keep the old sequence), and
        none is computed again: the model reads one token of each new answer, and no others.
        What only the old answers hold is free before the tokens take their room, which one call
        of `step` does, in the order of the new answers; without parents it need not be called.
        Returns the logits after each of them, (len(parents), V). Raises OutOfBlocks if not all
        tokens find room: the new answers are then there without theirs, and can be grown.
        """
        ### BEGIN SOLUTION
        grown = [next(self.unused) for _ in parents]
        for parent, child in zip(parents, grown):
            self.cache.fork(self.sequences[parent], child)
        for sequence in self.sequences:
            self.cache.free(sequence)
        self.sequences = grown
        return self.model.step(self.cache, grown, [[token] for token in tokens])
        ### END SOLUTION

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


def best_continuations(scores: Tensor, logits: Tensor, n: int) -> tuple[Tensor, Tensor, Tensor]:
    """The n >= 1 likeliest texts that are one of the beams and a token more.

    scores: (B,) float32, the log-probabilities of the beams, finite and <= 0, however small.
    logits: (B, V) float32, after each of them, from -10^6 to 10^6; -inf: the token must not
    follow, which may hold for a whole row.
    Returns score (m,) float32, beam (m,) int64 and token (m,) int64, the likeliest first: score
    is that of the beam plus the token's log-probability under the softmax of its logits, up to
    the rounding of numbers as large as these. Those that are equal as computed, in float32 or
    wider, stand in the order of their beams, and in a beam in that of their tokens.
    m is n, or fewer if fewer texts may follow.
    """
    total = scores[:, None] + torch.log_softmax(logits, dim=-1)
    total = torch.where(torch.isneginf(logits), -torch.inf, total)  # NaN where all are masked
    score, place = torch.sort(total.flatten(), descending=True, stable=True)
    m = min(n, int((score > -torch.inf).sum()))
    score, place = score[:m], place[:m]
    return score, place // logits.shape[1], place % logits.shape[1]


def beam_search(
    model: Any,
    prompt: list[int],
    n_beams: int,
    end: int,
    max_tokens: int,
    alpha: float,
    n_blocks: int,
    block_size: int,
) -> tuple[Tensor, Tensor]:
    """The best answers to a prompt that a search with n_beams beams finds.

    model, n_blocks, block_size: as in `Answers`. end: the token that ends an answer and is its
    last. max_tokens: an answer of so many tokens ends too: what would be new beams then is
    finished as it comes among the continuations. alpha >= 0.
    At each step the continuations of all beams are gone through, the likeliest first. One whose
    token is `end` is finished. Of the others, the first n_beams are the new beams, and what
    comes after the last of these does not count. An answer's score is its log-probability
    over its number of tokens to the power alpha.
    The search is over at max_tokens tokens, when no beam is left, or when there are n_beams
    finished answers and no beam can become better than the worst of the best n_beams of them,
    even if all its further tokens are certain. Torch runs at most 1000 operations for each step
    until then. Only beams that go on are grown, so the last tokens take no room. One `Answers`
    does it all: the model reads the prompt, and the tokens of those beams, once.
    Returns scores (m,) float32, the best one first, and tokens (m, max_tokens) int64, each row
    an answer followed by -1. Of those that are equal as computed, in float32 or wider, the one
    that was finished first comes first. m is n_beams, or fewer if fewer answers end, and 0 if
    no token may follow the prompt.
    """
    answers = Answers(model, n_blocks, block_size)
    logits = answers.start(prompt)
    scores = logits.new_zeros(1)  # of the beams, the likeliest first
    texts: list[list[int]] = [[]]  # theirs, without the prompt
    finished: list[tuple[Tensor, list[int]]] = []  # scores and texts, the best first
    ### BEGIN SOLUTION
    for length in range(1, max_tokens + 1):
        score, beam, token = best_continuations(scores, logits, 2 * n_beams)
        ended = (token == end) | (length == max_tokens)
        looked_at = (token != end).cumsum(0) - (token != end).long() < n_beams
        longer = [texts[b] + [t] for b, t in zip(beam.tolist(), token.tolist())]
        over = (looked_at & ended).nonzero().flatten().tolist()
        finished += [(score[i] / length**alpha, longer[i]) for i in over]
        finished = sorted(finished, key=lambda answer: -answer[0])[:n_beams]

        goes_on = looked_at & ~ended
        if not goes_on.any():
            break
        scores = score[goes_on]
        if len(finished) == n_beams and scores[0] / max_tokens**alpha <= finished[-1][0]:
            break
        texts = [longer[i] for i in goes_on.nonzero().flatten().tolist()]
        logits = answers.grow(beam[goes_on].tolist(), token[goes_on].tolist())
    ### END SOLUTION
    tokens = torch.full((len(finished), max_tokens), -1)
    for row, (_, text) in zip(tokens, finished):
        row[: len(text)] = torch.tensor(text)
    return scores.new_tensor([float(score) for score, _ in finished]), tokens
