# counts for each that runs the blocks that its table lacks, in a loop
class SharingEngine(PreemptingEngine):

    def admit(self, request: Request) -> bool:
        shared = self.cache.start(request.number, request.tokens)
        free = int((self.cache.counts() == 0).sum())
        lacking = self.blocks(len(request.tokens)) - shared // self.block_size
        for other in self.running:
            there = -(-other.cached // self.block_size)
            lacking += -(-len(other.tokens) // self.block_size) - there
        if lacking > free:
            self.cache.free(request.number)
            return False
        request.cached = shared
        return True
