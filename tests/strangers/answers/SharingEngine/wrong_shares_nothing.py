# Wrong: inherits admit from the preempting engine and never looks into the cache.
class SharingEngine(PreemptingEngine):
    def admit(self, request):
        return super().admit(request)
