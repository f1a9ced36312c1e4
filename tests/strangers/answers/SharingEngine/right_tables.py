# Counts by the tables of the cache: what all tokens fill less the blocks that are in the table.
class SharingEngine(PreemptingEngine):
    def admit(self, request):
        request.cached = self.cache.start(request.number, request.tokens)
        free = self.n_blocks - self.held()
        for other in self.running + [request]:
            table = self.cache.tables.get(other.number, [])
            free -= self.blocks(len(other.tokens)) - len(table)
        if free < 0:
            self.cache.free(request.number)
            request.cached = 0
        return free >= 0
