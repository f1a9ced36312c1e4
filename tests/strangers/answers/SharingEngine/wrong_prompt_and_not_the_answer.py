# only the prompt as it came is looked for, not what a preempted request has said
class SharingEngine(PreemptingEngine):
    def admit(self, request):
        if not hasattr(self, "prompts"):
            self.prompts = {}
        self.prompts.setdefault(request.number, len(request.tokens))
        request.cached = self.cache.start(request.number, request.tokens[: self.prompts[request.number]])
        more = sum(self.blocks(len(r.tokens)) - self.blocks(r.cached) for r in [*self.running, request])
        if self.held() + more <= self.n_blocks:
            return True
        self.cache.free(request.number)
        request.cached = 0
        return False
