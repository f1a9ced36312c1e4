"""The course's objects under operations in any order; its caches are held against models that know no blocks.

Each machine must also be able to fail: it is let loose on the classic mistakes of its exercise and has to find them.
"""

import contextlib
import hashlib
import itertools
from collections.abc import Iterator
from math import ceil
from pathlib import Path
from typing import Any

import hypothesis
import torch
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.errors import HypothesisException
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from autograder.spec import interpreter

interpreter.choose()

from autograder.backends import function_from  # noqa: E402
from autograder.spec.catalogue import exercise_named  # noqa: E402
from autograder.spec.edits import Mutant  # noqa: E402
from autograder.spec.exercise import Exercise  # noqa: E402
from kernels.kv_cache import CacheFull, KVCache  # noqa: E402
from kernels.long_context import RollingCache  # noqa: E402
from kernels.paged_cache import BlockAllocator, NotHeld, OutOfBlocks, PagedCache, PrefixCache, WrongSequence  # noqa: E402
from tests.exercises import answers_machine, batching_machines  # noqa: E402
from tests.exercises.answers_machine import Answering  # noqa: E402
from tests.exercises.batching_machines import SERVING  # noqa: E402

SETTINGS = settings(
    derandomize=True, deadline=None, suppress_health_check=list(HealthCheck), max_examples=40, stateful_step_count=25
)
# A mistake has to be found, not to be made short.
SEARCH = settings(SETTINGS, max_examples=5000, phases=[Phase.generate], report_multiple_bugs=False)

NUMBERS = range(4)  # of sequences
ANY = st.sampled_from(NUMBERS)
some_there = precondition(lambda self: self.texts)
room_for_one = precondition(lambda self: len(self.texts) <= len(NUMBERS) - 1)
room_for_two = precondition(lambda self: len(self.texts) <= len(NUMBERS) - 2)
# Texts begin alike, or nothing would be shared. Of their two tokens the lowest bits are alike, and in either order the
# digits: names that are made of no more find what they should not.
ONE, OTHER = 4096, 4096_4096
TEXTS = st.builds(
    lambda n, others: n * [ONE] + others * [OTHER] or [ONE], st.integers(0, 2) | st.integers(1, 9), st.integers(0, 2)
)
BLOCKS = st.lists(st.integers(0, 7), min_size=1, max_size=3)


def raised(call, *given):
    """The kind of exception that a call ends in, None if it returns."""
    try:
        call(*given)
    except (OutOfBlocks, NotHeld, WrongSequence, CacheFull, LookupError) as error:
        return type(error)
    return None


class Allocating(RuleBasedStateMachine):
    """Every holding of a block is written down by itself, as the block's number in one list."""

    kind = BlockAllocator

    @initialize(n_blocks=st.integers(1, 8))
    def make(self, n_blocks):
        self.n_blocks, self.allocator, self.holdings = n_blocks, self.kind(n_blocks), []

    def free_blocks(self):
        return [block for block in range(self.n_blocks) if block not in self.holdings]

    @rule(n=st.integers(0, 4))
    def allocate(self, n):
        free = self.free_blocks()
        if n > len(free):
            assert raised(self.allocator.allocate, n) is OutOfBlocks
        else:
            blocks = self.allocator.allocate(n)
            assert blocks == free[:n]
            self.holdings += blocks

    @rule(blocks=BLOCKS)
    def share(self, blocks):
        blocks = [block % self.n_blocks for block in blocks]
        held = all(block in self.holdings for block in blocks)
        assert raised(self.allocator.share, blocks) is (None if held else NotHeld)
        self.holdings += blocks if held else []

    @rule(blocks=BLOCKS)
    def free(self, blocks):
        blocks = [block % self.n_blocks for block in blocks]
        held = all(self.holdings.count(block) >= blocks.count(block) for block in blocks)
        assert raised(self.allocator.free, blocks) is (None if held else NotHeld)
        for block in blocks if held else ():
            self.holdings.remove(block)

    @invariant()
    def every_holding_is_counted(self):
        assert self.allocator.counts().tolist() == [self.holdings.count(block) for block in range(self.n_blocks)]

    def teardown(self):
        if hasattr(self, "allocator"):
            self.allocator.free(self.holdings)
            assert not self.allocator.counts().any()
            assert self.allocator.allocate(self.n_blocks) == list(range(self.n_blocks))


class Paging(RuleBasedStateMachine):
    """Every sequence is a list of tokens, which stand for their keys and values. Tables are only looked at."""

    kind = PagedCache

    @initialize(n_blocks=st.integers(1, 12), block_size=st.integers(1, 4), n_heads=st.integers(1, 2))
    def make(self, n_blocks, block_size, n_heads):
        self.n_blocks, self.block_size, self.n_heads = n_blocks, block_size, n_heads
        self.cache = self.kind(n_blocks, block_size, n_heads, 2)
        self.texts = {}
        self.new = itertools.count(1)  # no two tokens are alike

    def keys(self, tokens):
        """(n_heads, n, 2), every number in it another one."""
        heads, width = torch.arange(self.n_heads)[:, None, None] / 8, torch.arange(2) / 4
        return torch.tensor(tokens, dtype=torch.float32)[:, None] + heads + width

    def blocks_wanted(self, sequence, n):
        """How many blocks n more tokens need, and whether one of them is for a copy of the last block."""
        length = len(self.texts.get(sequence, []))
        table = self.cache.table(sequence).tolist() if sequence in self.texts else []
        copies = length % self.block_size > 0 and self.cache.counts()[table[-1]] > 1
        return ceil((length + n) / self.block_size) - len(table) + int(copies), bool(copies)

    def looked_at(self):
        tables = {sequence: self.cache.table(sequence).tolist() for sequence in self.texts}
        return tables, self.cache.counts().tolist()

    def grow(self, sequence, tokens, call, *given):
        """A call that adds tokens to a sequence: what it takes from the pool, and what it leaves alone."""
        wanted, copies = self.blocks_wanted(sequence, len(tokens))
        tables, counts = self.looked_at()
        error = raised(call, sequence, *given, self.keys(tokens), -self.keys(tokens))
        assert error is (OutOfBlocks if wanted > counts.count(0) else None)
        if error:
            assert self.looked_at() == (tables, counts)
            return
        self.texts[sequence] = self.texts.get(sequence, []) + tokens
        before = tables.pop(sequence, [])
        new = [block for block, count in enumerate(counts) if count == 0][:wanted]
        tables_now, counts_now = self.looked_at()
        assert tables_now.pop(sequence) == before[: len(before) - copies] + new and tables_now == tables
        assert counts_now.count(0) == counts.count(0) - wanted

    def there(self, which):
        """One of the sequences that there are."""
        return sorted(self.texts)[which % len(self.texts)]

    def unused(self):
        return next(number for number in NUMBERS if number not in self.texts)

    @rule(sequence=ANY, n=st.integers(1, 6))
    def append(self, sequence, n):
        tokens = list(itertools.islice(self.new, n))
        self.grow(sequence, tokens, self.cache.append)

    @some_there
    @room_for_one
    @rule(which=ANY)
    def fork(self, which):
        parent, child = self.there(which), self.unused()
        counts = self.cache.counts()
        self.cache.fork(parent, child)
        self.texts[child] = list(self.texts[parent])
        assert torch.equal(self.cache.counts() > 0, counts > 0)

    @some_there
    @rule(which=ANY)
    def free(self, which):
        self.end(self.there(which))

    def end(self, sequence):
        self.cache.free(sequence)
        del self.texts[sequence]

    @rule(number=ANY, other=ANY)
    def misname(self, number, other):
        if number in self.texts:
            assert raised(self.cache.fork, number, next(iter(self.texts))) is WrongSequence
        else:
            for method in (self.cache.free, self.cache.gather, self.cache.table):
                assert raised(method, number) is WrongSequence
            assert raised(self.cache.fork, number, other) is WrongSequence

    @invariant()
    def every_block_counts_its_tables(self):
        held = []
        for sequence, text in self.texts.items():
            table = self.cache.table(sequence)
            assert table.dtype == torch.int32 and len(table) == ceil(len(text) / self.block_size)
            held += table.tolist()
        assert self.cache.counts().tolist() == [held.count(block) for block in range(self.n_blocks)]

    @invariant()
    def every_text_is_whole(self):
        """The others' too: whatever was written into a block that two of them hold would show in one of them."""
        for sequence in self.texts:
            keys = self.contents(sequence)
            k, v = self.cache.gather(sequence)
            assert torch.equal(k, keys) and torch.equal(v, -keys)

    def contents(self, sequence):
        return self.keys(self.texts[sequence])

    def teardown(self):
        for sequence in getattr(self, "texts", ()):
            self.cache.free(sequence)
        assert not hasattr(self, "cache") or not self.cache.counts().any()


class Prefixes(Paging):
    """Keys and values hang on the whole text before a token. Full blocks are things of the model, without numbers."""

    kind = PrefixCache
    cache: PrefixCache
    append = None  # type: ignore[assignment]  # no rule: tokens come with `extend`

    @initialize(n_blocks=st.integers(4, 24), block_size=st.integers(1, 3))
    def make(self, n_blocks, block_size):
        super().make(n_blocks, block_size, 1)
        self.numbers = {}  # of every text so far
        self.full = {}  # of each sequence the things that stand for its full blocks
        self.known = {}  # from a text to the thing that has its name

    def states(self, text):
        """A number for each token, which stands for all of the text up to it."""
        texts = [tuple(text[:end]) for end in range(1, len(text) + 1)]
        return [self.numbers.setdefault(known, len(self.numbers)) for known in texts]

    def contents(self, sequence):
        return self.keys(self.states(self.texts[sequence]))

    def shared(self, prompt):
        """What `start` has to share: known blocks that somebody holds, and never the whole prompt."""
        found = []
        for end in range(self.block_size, len(prompt), self.block_size):
            thing = self.known.get(tuple(prompt[:end]))
            if thing is None or not self.held(thing):
                break
            found.append(thing)
        return found

    def held(self, thing):
        return any(thing in things for things in self.full.values())

    @room_for_one
    @rule(prompt=TEXTS)
    def ask(self, prompt):
        self.begin(prompt, self.unused())

    @room_for_two
    @rule(prompt=TEXTS, tokens=TEXTS)
    def ask_twice(self, prompt, tokens):
        """In one step; then the second goes on, and the first, whose blocks are known, ends."""
        first, second = [number for number in NUMBERS if number not in self.texts][:2]
        self.begin(prompt, first, second)
        self.add(second, tokens)
        self.end(first)

    @some_there
    @room_for_one
    @rule(which=ANY, tokens=TEXTS)
    def ask_further(self, which, tokens):
        """The next question of a conversation: all of its text, and more."""
        self.begin(self.texts[self.there(which)] + tokens, self.unused())

    def begin(self, prompt, *sequences):
        """All are started before the first is computed."""
        for sequence in sequences:
            found = self.shared(prompt)
            cached = len(found) * self.block_size
            assert self.cache.start(sequence, list(prompt)) == cached
            self.full[sequence], self.texts[sequence] = found, prompt[:cached]
        for sequence in sequences:
            self.add(sequence, prompt[len(self.texts[sequence]) :])

    @some_there
    @rule(which=ANY, tokens=TEXTS)
    def go_on(self, which, tokens):
        self.add(self.there(which), tokens)

    def add(self, sequence, tokens):
        before = self.texts[sequence]
        states = self.states(before + tokens)[len(before) :]
        self.grow(sequence, states, self.cache.extend, list(tokens))
        if self.texts[sequence] is before:  # there was no room
            return
        text = self.texts[sequence] = before + tokens
        for i in range(len(text) // self.block_size):
            if i == len(self.full[sequence]):
                self.full[sequence].append(object())
            name = tuple(text[: (i + 1) * self.block_size])
            if name not in self.known or not self.held(self.known[name]):
                self.known[name] = self.full[sequence][i]

    @some_there
    @room_for_one
    @rule(which=ANY)
    def fork(self, which):
        parent, child = self.there(which), self.unused()
        super().fork(which)
        self.full[child] = list(self.full[parent])

    def end(self, sequence):
        super().end(sequence)
        del self.full[sequence]

    @rule(number=ANY, other=ANY)
    def misname(self, number, other):
        super().misname(number, other)
        k = self.keys([1])
        method, *given = (self.cache.start, [1]) if number in self.texts else (self.cache.extend, [1], k, k)
        assert raised(method, number, *given) is WrongSequence

    @invariant()
    def a_full_block_has_one_number(self):
        pairs = {
            (thing, block)
            for sequence, things in self.full.items()
            for thing, block in zip(things, self.cache.table(sequence).tolist())
        }
        assert len(pairs) == len({thing for thing, _ in pairs}) == len({block for _, block in pairs})


class Storing(RuleBasedStateMachine):
    """All tokens so far in two tensors."""

    kind = KVCache

    @initialize(batch=st.integers(1, 2), heads=st.integers(1, 2), capacity=st.integers(1, 10))
    def make(self, batch, heads, capacity):
        self.capacity, self.cache = capacity, self.kind(batch, heads, capacity, 3)
        self.k = self.v = torch.zeros(batch, heads, 0, 3)

    @rule(n=st.integers(0, 4), seed=st.integers(0, 99))
    def append(self, n, seed):
        k, v = torch.randn(2, *self.k.shape[:2], n, 3, generator=torch.Generator().manual_seed(seed))
        fits = self.k.shape[2] + n <= self.capacity
        assert raised(self.cache.append, k, v) is (None if fits else CacheFull)
        if fits:
            self.k, self.v = torch.cat([self.k, k], 2), torch.cat([self.v, v], 2)

    @invariant()
    def everything_is_there(self):
        k, v = self.cache.contents()
        assert torch.equal(k, self.k) and torch.equal(v, self.v)
        if k.numel():  # nothing is copied
            assert (k.data_ptr(), v.data_ptr()) == (self.cache.k.data_ptr(), self.cache.v.data_ptr())


class Rolling(RuleBasedStateMachine):
    """All tokens that ever came; the ring is what the model leaves out."""

    kind = RollingCache

    @initialize(slots=st.integers(1, 7), window=st.integers(1, 7))
    def make(self, slots, window):
        self.slots, self.window, self.cache = slots, window, self.kind(slots, window, 4, 3)
        self.k, self.v = torch.zeros(0, 4), torch.zeros(0, 3)

    @rule(n=st.integers(0, 3) | st.integers(4, 9), seed=st.integers(0, 99))
    def append(self, n, seed):
        k, v = torch.randn(n, 7, generator=torch.Generator().manual_seed(seed)).split([4, 3], dim=1)
        self.cache.append(k, v)
        self.k, self.v = torch.cat([self.k, k]), torch.cat([self.v, v])

    @rule(n=st.integers(1, 5), seed=st.integers(0, 99))
    def attend(self, n, seed):
        q = 2 * torch.randn(n, 4, generator=torch.Generator().manual_seed(seed))
        length = len(self.k)
        seen = [range(max(p - self.window + 1, 0), p + 1) for p in range(length - n, length)]
        if n > length or seen[0][0] < length - self.slots:
            assert raised(self.cache.attend, q) is LookupError
            return
        rows = [torch.softmax(x @ self.k[keys].T / 2, 0) @ self.v[keys] for x, keys in zip(q, map(list, seen))]
        torch.testing.assert_close(self.cache.attend(q), torch.stack(rows), rtol=0, atol=1e-5)

    @invariant()
    def every_slot_has_its_newest_token(self):
        newest = [-1] * self.slots
        for position in range(len(self.k)):
            newest[position % self.slots] = position
        assert self.cache.positions().tolist() == newest


MACHINES: list[Any] = [Allocating, Paging, Prefixes, Storing, Rolling, *SERVING, Answering]
# Mistakes that answer every operation as they should.
NOT_SEEN = {
    "every token that ever came is kept as well": "memory is metered, and no answer shows it",
    "masked scores are large negative numbers, which are not the lowest there are": "all scores here are larger",
}


FILES = [Path(__file__), Path(answers_machine.__file__), Path(batching_machines.__file__)]
MACHINERY = f"{hypothesis.__version__} {hashlib.sha256(b''.join(file.read_bytes() for file in FILES)).hexdigest()}"


def exercise_of(machine: Any) -> Exercise:
    return exercise_named(machine.kind.__name__)


def mistakes_of(machine: Any) -> list[Mutant]:
    """Those that operations can show: what is kept beside the pool is a matter of memory alone."""
    exercise = exercise_of(machine)
    counted = {case.key for case in exercise.cases if case.budget}
    return [mutant for mutant in exercise.mutants if mutant.killed_by not in counted]


def holds(machine: Any) -> None:
    """Raise if the course's own does not hold under operations in any order."""
    with _one_thread():
        run_state_machine_as_test(machine, settings=SETTINGS)


def finds(machine: Any, mutant: Mutant) -> bool:
    """Whether the machine finds the mistake, or holds with it if it is one that no answer shows."""
    kind = function_from(exercise_of(machine), mutant.edit.apply(exercise_of(machine).source), "wrong")
    wrong = type(f"{machine.__name__}Wrong", (machine,), {"kind": kind, "__module__": "wrong"})  # no file to parse
    if mutant.name in NOT_SEEN:
        holds(wrong)
        return True
    try:
        with _one_thread():
            run_state_machine_as_test(wrong, settings=SEARCH)
    except Exception as error:
        return not isinstance(error, HypothesisException)
    return False


@contextlib.contextmanager
def _one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
