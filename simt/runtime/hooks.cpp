// What -fsanitize=thread has a kernel call before every access to memory, -fsanitize=bounds where an index is not among
// those of an array, and -fstack-protector-strong at its end, where the number above a thread's arrays is another one
// than before.
#include "watch.h"

using simt::on_access, simt::on_read_access;
#define HOOK extern "C" __attribute__((visibility("default"), noinline)) void
#define PLACE __builtin_return_address(0)
// A struct is copied in pieces of 4 bytes, or of fewer where it lies otherwise, as on a GPU.
static void in_pieces(const void* p, size_t n, bool write, void* place) {
    size_t piece = 4;
    while ((n | reinterpret_cast<uintptr_t>(p)) % piece) piece /= 2;
    for (size_t i = 0; i < n; i += piece) on_access(static_cast<const char*>(p) + i, piece, write, place);
}
#define SIZED(n)                                                                \
    HOOK __tsan_read##n(void* p) { on_read_access<n>(p, PLACE); }               \
    HOOK __tsan_write##n(void* p) { on_access(p, n, true, PLACE); }             \
    HOOK __tsan_unaligned_read##n(void* p) { in_pieces(p, n, false, PLACE); }   \
    HOOK __tsan_unaligned_write##n(void* p) { in_pieces(p, n, true, PLACE); }   \
    HOOK __tsan_read_write##n(void* p) { on_access(p, n, false, PLACE), on_access(p, n, true, PLACE); }
SIZED(1)
SIZED(2)
SIZED(4)
SIZED(8)
SIZED(16)
HOOK __tsan_read_range(void* p, size_t n) { in_pieces(p, n, false, PLACE); }
HOOK __tsan_write_range(void* p, size_t n) { in_pieces(p, n, true, PLACE); }
extern "C" __attribute__((visibility("default"), noinline)) void* __tsan_memcpy(void* to, const void* from, size_t n) {
    in_pieces(from, n, false, PLACE), in_pieces(to, n, true, PLACE);
    return memcpy(to, from, n);
}
extern "C" __attribute__((visibility("default"), noinline)) void* __tsan_memset(void* to, int byte, size_t n) {
    in_pieces(to, n, true, PLACE);
    return memset(to, byte, n);
}
HOOK __tsan_func_entry(void*) {}
HOOK __tsan_func_exit() {}
HOOK __tsan_init() {}
HOOK __tsan_vptr_update(void**, void*) {}
HOOK __tsan_vptr_read(void**) {}
HOOK __ubsan_handle_out_of_bounds(simt::Subscript* seen, long index) { simt::on_subscript(seen, index, PLACE); }
HOOK __wrap___stack_chk_fail() {
    simt::fault(simt::Fault::OutOfBounds,
                simt::thread_name(*simt::current) + " writes past the end of an array of its own", PLACE);
    simt::stop_launch();
}
