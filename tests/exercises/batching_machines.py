"""The course's engines under requests that come in any order: beside the checker's models, and held to their promises.

The promises are looked at without the models: a step keeps to the budget and the slots, those that run are the first in
the queue, whoever has said a token says one in every step unless it is preempted, texts are those of a request that is
alone, and at the end every request has ended and no block is held.
"""

import itertools
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from autograder.spec import interpreter

interpreter.choose()

from kernels.continuous_batching import Engine, PreemptingEngine, SharingEngine  # noqa: E402
from kernels.oracles.continuous_batching import EngineModel, PreemptingModel, SharingModel, alone  # noqa: E402
from kernels.serving import TooLong  # noqa: E402

# Prompts begin alike, or nothing would be shared.
PROMPTS = st.builds(lambda n, ends: n * [7] + ends or [5], st.integers(0, 9), st.lists(st.integers(0, 2), max_size=2))
MOST = 6  # requests at a time


class Serving(RuleBasedStateMachine):
    """What each request has to say is known when it comes."""

    kind: Any = Engine
    model: Any = EngineModel
    preempts = False

    @initialize(
        n_blocks=st.integers(1, 9), block_size=st.integers(1, 4), slots=st.integers(1, 4), more=st.integers(0, 6)
    )
    def make(self, n_blocks, block_size, slots, more):
        self.slots, self.budget = slots, slots + more
        self.engine, self.beside = (make(n_blocks, block_size, slots, self.budget) for make in (self.kind, self.model))
        self.room = n_blocks * block_size
        self.numbers = itertools.count()
        self.speaking = set()  # who said a token in the step before, and has more to say
        self.prompts, self.texts, self.said = {}, {}, {}  # of those that are there, in the order in which they came

    @precondition(lambda self: len(self.texts) < MOST)
    @rule(prompt=PROMPTS, new=st.integers(1, 6))
    def submit(self, prompt, new):
        number = next(self.numbers)
        if len(prompt) + new - 1 > self.room:
            for engine in (self.engine, self.beside):
                try:
                    engine.submit(number, prompt, new)
                except TooLong:
                    continue
                raise AssertionError("it was taken")
            return
        self.engine.submit(number, list(prompt), new)
        self.beside.submit(number, list(prompt), new)
        self.prompts[number], self.texts[number] = prompt, alone(tuple(prompt), new)
        self.said[number] = 0

    @rule(times=st.integers(1, 4))
    def step(self, times):
        for _ in range(times):
            self.one_step()

    def one_step(self):
        computed, said = self.engine.step()
        also, told = self.beside.step()
        assert computed.tolist() == also.tolist() and said.tolist() == told.tolist()
        assert self.engine.held() == self.beside.held()
        self.keeps_its_promises(dict(computed.tolist()), said.tolist())

    def keeps_its_promises(self, computed, said):
        assert sum(computed.values()) <= self.budget and len(computed) <= self.slots
        assert list(computed) == list(self.texts)[: len(computed)]  # the first of the queue
        assert all(n >= 1 for n in computed.values())
        speaking = {number for number, _ in said}
        assert self.speaking & computed.keys() <= speaking
        assert self.preempts or self.speaking <= computed.keys()
        for number, token in said:
            assert token == self.texts[number][len(self.prompts[number]) + self.said[number]]
            self.said[number] += 1
        for number in computed:
            if self.said[number] == len(self.texts[number]) - len(self.prompts[number]):
                del self.prompts[number], self.texts[number], self.said[number]
        self.speaking = speaking & self.texts.keys()
        assert self.texts or self.engine.held() == 0

    def teardown(self):
        if not hasattr(self, "engine"):
            return
        for _ in range(1000):
            if not self.texts:
                break
            self.one_step()
        assert not self.texts and self.engine.held() == 0


class Preempting(Serving):
    kind = PreemptingEngine
    model = PreemptingModel
    preempts = True


class Sharing(Preempting):
    kind = SharingEngine
    model = SharingModel


SERVING: list[Any] = [Serving, Preempting, Sharing]
