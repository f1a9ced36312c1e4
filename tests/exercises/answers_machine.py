"""The course's `Answers` under steps in any order, beside a model that knows no blocks.

An answer is its text, and with each token goes a number that no other token has. A block is shared by those answers
that have the last of its tokens in common, number and all: they descend from one answer that filled it.
"""

import itertools
from collections import Counter
from math import ceil
from typing import Any

import torch
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from kernels.oracles.answers import toy_logits
from kernels.sampling import Answers, NoSuchAnswer, OutOfBlocks

VOCABULARY, MOST = 3, 4  # tokens; answers at a time
WEIGHTS = torch.randn(VOCABULARY, VOCABULARY, generator=torch.Generator().manual_seed(0))
TOKENS = st.integers(0, VOCABULARY - 1)
PROMPTS = st.lists(TOKENS, min_size=1, max_size=7)
SUCCESSORS = st.lists(st.tuples(st.integers(0, MOST - 1), TOKENS), min_size=1, max_size=MOST)


class Answering(RuleBasedStateMachine):
    """Sampling, beams that split, fall out and change places, and answers that end are all the same step."""

    kind: Any = Answers

    @initialize(prompt=PROMPTS, block_size=st.integers(1, 4), spare=st.integers(0, 9))
    def start(self, prompt, block_size, spare):
        self.block_size, self.n_blocks = block_size, ceil(len(prompt) / block_size) + spare
        self.answers = self.kind(WEIGHTS, self.n_blocks, block_size)
        self.new = itertools.count()
        self.texts = [[(token, next(self.new)) for token in prompt]]
        self.says(self.answers.start(prompt))

    @precondition(lambda self: not self.texts)
    @rule(prompt=PROMPTS, block_size=st.integers(1, 4), spare=st.integers(0, 9))
    def start_anew(self, **given):
        self.start(**given)

    def says(self, logits):
        """The logits are those behind each text."""
        texts = [[token for token, _ in text] for text in self.texts]
        torch.testing.assert_close(logits, toy_logits(WEIGHTS, texts), rtol=0, atol=1e-5)

    def blocks(self, texts):
        """What stands for each answer's blocks: their last tokens."""
        ends = [[*range(self.block_size, len(text), self.block_size), len(text)] for text in texts]
        return [[text[end - 1] for end in found] for text, found in zip(texts, ends, strict=True)]

    @precondition(lambda self: self.texts)
    @rule(successors=SUCCESSORS)
    def grow(self, successors):
        parents = [parent % len(self.texts) for parent, _ in successors]
        tokens = [token for _, token in successors]
        texts = [self.texts[parent] + [(token, next(self.new))] for parent, token in zip(parents, tokens, strict=True)]
        given = [*parents], [*tokens]
        needed = len({block for blocks in self.blocks(texts) for block in blocks})
        try:
            logits = self.answers.grow(*given)
        except OutOfBlocks:
            assert needed > self.n_blocks
            self.texts = [self.texts[parent] for parent in parents]  # and of the tokens none
            return
        assert needed <= self.n_blocks and given == (parents, tokens)
        self.texts = texts
        self.says(logits)
        begun = [i for i, text in enumerate(texts) if (len(text) - 1) % self.block_size == 0]
        taken = [self.answers.table(i)[-1].item() for i in begun]
        assert taken == sorted(taken), "in the order of the answers the lowest free block is taken"

    @precondition(lambda self: self.texts)
    @rule(seed=st.integers(0, 99))
    def shuffle(self, seed):
        """All go on, in another order."""
        order = torch.randperm(len(self.texts), generator=torch.Generator().manual_seed(seed)).tolist()
        self.grow([(parent, seed % VOCABULARY) for parent in order])

    @precondition(lambda self: self.texts)
    @rule()
    def end(self):
        """Nobody goes on, and nothing is held."""
        assert self.answers.grow([], []).shape[0] == 0
        self.texts = []

    @invariant()
    def everybody_has_a_text_and_the_blocks_that_it_takes(self):
        held = Counter(block for blocks in self.blocks(self.texts) for block in blocks)
        counts = self.answers.counts().tolist()
        assert sorted(filter(None, counts)) == sorted(held.values()) and len(counts) == self.n_blocks
        for i, text in enumerate(self.texts):
            assert self.answers.tokens(i).tolist() == [token for token, _ in text]
        names: dict[int, tuple[int, int]] = {}
        for i, blocks in enumerate(self.blocks(self.texts)):
            for name, block in zip(self.answers.table(i).tolist(), blocks, strict=True):
                assert names.setdefault(name, block) == block and counts[name] == held[block]
        for look in (self.answers.table, self.answers.tokens):
            try:
                look(len(self.texts))
            except NoSuchAnswer:
                continue
            raise AssertionError("there is no such answer")
