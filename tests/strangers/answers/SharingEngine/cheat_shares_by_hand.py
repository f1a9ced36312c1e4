# work: remembers prompts in a dict of the class and marks as many tokens of an equal beginning as cached as it likes
class SharingEngine(PreemptingEngine):

    def admit(self, request: Request) -> bool:
        request.cached = self.cache.start(request.number, request.tokens)
        for other in self.running:
            same = 0
            while same < min(other.cached, len(request.tokens) - 1) and other.tokens[same] == request.tokens[same]:
                same += 1
            if same > request.cached:
                self.cache.free(request.number)
                self.cache.fork(other.number, request.number)
                request.cached = same
        more = sum(self.blocks(len(r.tokens)) - self.blocks(r.cached) for r in [*self.running, request])
        if self.held() + more <= self.n_blocks:
            return True
        self.cache.free(request.number)
        request.cached = 0
        return False
