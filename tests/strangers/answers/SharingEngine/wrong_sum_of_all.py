# Wrong: counts every request's blocks by itself, so that sharing makes no room.
class SharingEngine(PreemptingEngine):
    def admit(self, request):
        if not super().admit(request):
            return False
        request.cached = self.cache.start(request.number, request.tokens)
        return True
