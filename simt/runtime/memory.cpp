// The memory that a kernel has: each access is located (a tensor, shared memory), compared with
// what others did there, and kept for requests.cpp.
#include "watch.h"

#include <numeric>

namespace simt {

namespace {

struct Cell {
    Mark write, read, other_read;
    uint32_t born;  // the interval from which it counts: shared memory starts afresh with every block
    bool atomic, pending;
    uint32_t again;    // the block, numbered from 1, that has last loaded it once more
    uint32_t altered;  // and that in which it has been altered
};

constexpr size_t WIDEST = 16;         // bytes that one access moves
constexpr uintptr_t NEAR = 4096;      // an access this many bytes outside shared memory was still meant for it
constexpr uint64_t WORTH_A_COPY = 16;  // products: fewer are done before main memory answers
constexpr size_t SHORT_LOG = 512;     // accesses of a lane before the others catch up: a cache holds those of a warp

// Memory with a cell for every granule: as many bytes as the smallest access to it so far, if
// no fewer than `least`.
struct Region {
    uintptr_t start, end;
    bool shared;
    size_t least;
    unsigned shift;  // the granule as a power of 2
    std::vector<Cell> cells;

    Region(uintptr_t start, uintptr_t end, bool shared, size_t least)
        : start(start), end(end), shared(shared), least(least), shift(__builtin_ctzl(start | WIDEST)),
          cells(needed()) {}
    size_t granule() const { return size_t(1) << shift; }
    size_t needed() const { return (end - start + granule() - 1) >> shift; }
    void divide(size_t granule);
};

// What was done to a cell was done to all of its parts, since no access was smaller.
void Region::divide(size_t size) {
    const unsigned before = shift;
    shift = __builtin_ctzl(std::max(size, least));
    std::vector<Cell> parts(needed());
    for (size_t i = 0; i < parts.size(); i++) parts[i] = cells[i >> (before - shift)];
    cells.swap(parts);
}

std::vector<Region> regions;  // static shared memory, dynamic shared memory, then the tensors
uint32_t interval, first_interval;  // of the grid so far, of this block
std::array<uint64_t, MOST_THREADS> loaded, stored;  // bytes of global memory, by each thread of this block
std::array<uint64_t, MOST_THREADS> shared_read, shared_written;  // and of shared memory
uint32_t altered_warps;  // of this block, as bits
uint64_t again;  // bytes of main memory that this block has loaded more than once, each of which counts once

// What a thread has read last of what others have written: a sum that is read for each number of a row is one number.
struct Taken {
    static constexpr unsigned FEW = 4;
    uint64_t bytes;
    unsigned next;
    std::array<uintptr_t, FEW> places;
    std::array<uint64_t, FEW> times;  // when each had been written
};
std::array<Taken, MOST_THREADS> taken;  // by each thread of this block

Region* region_of(uintptr_t address, size_t size) {
    for (Region& r : regions)
        if (r.start <= address && address + size <= r.end) return &r;
    return nullptr;
}

[[noreturn, gnu::cold]] void out_of_bounds(uintptr_t address, bool write, bool shared, void* place) {
    const Variable* nearest = nullptr;
    uintptr_t least = ~uintptr_t(0);
    for (const Variable& v : launch.variables) {
        const uintptr_t distance = address < v.start ? v.start - address : address >= v.end ? address - v.end : 0;
        if (v.shared == shared && distance < least) nearest = &v, least = distance;
    }
    std::string said = thread_name(*current) + (write ? " writes " : " reads ");
    if (nearest && least < (64u << 20)) {
        const size_t item = nearest->itemsize;
        const long at = long(address - nearest->start) / long(item) -
                        (address < nearest->start && (nearest->start - address) % item ? 1 : 0);
        said += element(*nearest, at) + ", which has " + plural((nearest->end - nearest->start) / item, "element");
    } else {
        said += std::string("an address that belongs to no ") + (shared ? "shared variable" : "tensor");
    }
    fault(Fault::OutOfBounds, said, place);
    stop_launch();
}

bool near(uintptr_t address, uintptr_t start, uintptr_t end) {
    return start < end && address + NEAR >= start && address < end + NEAR;
}

[[gnu::always_inline]] inline bool in_order(const Mark& before, const Mark now, bool shared) {
    const uint32_t a = before.thread - 1, b = now.thread - 1;
    if (before.interval != now.interval) return shared || before.thread == 0 || a / MOST_THREADS == b / MOST_THREADS;
    return a == b || (a / WARP == b / WARP && before.warp_interval != now.warp_interval);
}

std::string who(const Mark& mark, bool here) {
    const uint32_t number = (mark.thread - 1) % MOST_THREADS, in_block = (mark.thread - 1) / MOST_THREADS;
    return "thread " + std::to_string(number) + (here ? "" : " of block " + std::to_string(in_block));
}

[[gnu::cold]] void race(uintptr_t address, const Mark& before, bool wrote, const Mark& now, bool writes, void* place) {
    if (!says_more(Fault::Race)) return;  // there may be millions
    const bool one_block = (before.thread - 1) / MOST_THREADS == (now.thread - 1) / MOST_THREADS;
    const int line = line_of(reinterpret_cast<char*>(launch.base) + before.place);
    std::string said = who(before, one_block) + (wrote ? " writes " : " reads ") + element(address) + " in line " +
                       std::to_string(line) + " and " + who(now, one_block) + (writes ? " writes" : " reads") +
                       " it in line " + std::to_string(line_of(place)) + ", with nothing in between that orders them";
    fault(Fault::Race, said, place);
}

[[gnu::cold]] void too_early(const Cell& cell, uintptr_t address, void* place) {
    if (!says_more(Fault::Uninitialised)) return;
    const char* why = cell.pending ? " while cp_async may still be copying to it" : ", which nobody has written";
    fault(Fault::Uninitialised, thread_name(*current) + " reads " + element(address) + why, place);
}

// Of main memory: whoever of the grid, and of this block, has loaded it before.
void load_again(Cell& cell, const Mark now, size_t bytes, void* place) {
    const uint32_t mine = (now.thread - 1) / MOST_THREADS;
    const auto here = [&](const Mark& mark) { return mark.thread && (mark.thread - 1) / MOST_THREADS == mine; };
    if (!cell.again) counts_of(place).repeated += bytes;
    if (cell.again != mine + 1 && (here(cell.read) || here(cell.other_read))) {
        again += bytes;
        cell.again = mine + 1;
    }
    if (!cell.again) cell.again = ~0u;
}

[[gnu::always_inline]] inline void touch(Region& region, size_t i, const Mark now, bool write, bool atomic, void* place) {
    Cell& cell = region.cells[i];
    const uintptr_t at = region.start + (i << region.shift);
    if (region.shared && cell.born < first_interval) cell = Cell{{}, {}, {}, interval, false, false, 0};
    if (region.shared && !write && (cell.pending || cell.write.thread == 0)) too_early(cell, at, place);
    if (!(atomic && cell.atomic) && !in_order(cell.write, now, region.shared))
        race(at, cell.write, true, now, write, place);
    if (!region.shared && !write && cell.read.thread) load_again(cell, now, region.granule(), place);
    if (write) {
        if (!in_order(cell.read, now, region.shared)) race(at, cell.read, false, now, true, place);
        if (!in_order(cell.other_read, now, region.shared)) race(at, cell.other_read, false, now, true, place);
        const bool own = cell.write.thread == now.thread && cell.write.interval == now.interval;
        if (!(own && atomic && !cell.atomic))
            cell.write = now, cell.atomic = atomic;  // else others may still race with the plain store
        cell.pending = false;
    } else if (in_order(cell.read, now, region.shared)) {
        cell.read = now;
    } else {
        cell.other_read = now;
    }
}

// The running thread reads a number that another has written.
void take(uintptr_t at, const Mark& written, size_t bytes) {
    Taken& mine = taken[current->number];
    const uint64_t when = uint64_t(written.interval) << 32 | written.warp_interval;
    for (unsigned i = 0; i < Taken::FEW; i++)
        if (mine.places[i] == at && mine.times[i] == when) return;
    mine.places[mine.next] = at, mine.times[mine.next] = when;
    mine.next = (mine.next + 1) % Taken::FEW;
    mine.bytes += bytes;
}

// Of what the running thread reads, the bytes that a thread of another group of so many has written.
size_t handed_on(const Region& region, uintptr_t address, size_t size, uint32_t group) {
    size_t bytes = 0;
    for (uintptr_t at = address; at < address + size; at += region.granule()) {
        const Mark& written = region.cells[(at - region.start) >> region.shift].write;
        if (!written.thread || (written.thread - 1) / group == (current->now.thread - 1) / group) continue;
        const size_t of_this = std::min(region.granule(), size);
        bytes += of_this;
        if (region.shared) take(at, written, of_this);
    }
    return bytes;
}

uint32_t offset_of(void* place) { return uint32_t(static_cast<char*>(place) - reinterpret_cast<char*>(launch.base)); }

[[gnu::always_inline]] inline void check(Region& region, uintptr_t address, size_t size, bool write, bool atomic, void* place) {
    const Mark& mine = current->now;
    const Mark now{mine.thread, mine.interval, mine.warp_interval, offset_of(place)};
    if (size < region.granule() && region.granule() > region.least) region.divide(size);
    if (size < region.granule()) atomic = true;  // neighbours share a cell, so a race cannot be told
    const size_t first = (address - region.start) >> region.shift,
                 last = (address + size - 1 - region.start) >> region.shift;
    for (size_t i = first; i <= last; i++) touch(region, i, now, write, atomic, place);
}

// Whether shared memory is read that was written before the last barrier, as by most accesses of most kernels: then
// all is noted that on_memory would note, in half the time.
template <size_t size> bool is_read_in_order(uintptr_t address, void* place) {
    Region* const region = region_of(address, size);
    if (!region || !region->shared || region->granule() != size || address % size) return false;
    Lane& lane = *current;
    Cell& cell = region->cells[(address - region->start) >> region->shift];
    const bool before = cell.write.interval >= first_interval && cell.write.interval < lane.now.interval;
    if (!before || cell.pending || (lane.accesses.size() + 1) % SHORT_LOG == 0) return false;
    const Mark now{lane.now.thread, lane.now.interval, lane.now.warp_interval, offset_of(place)};
    (in_order(cell.read, now, true) ? cell.read : cell.other_read) = now;
    lane.accesses.push_back(Access(address, lane.loop.rounds, now.place, size, false, false, true));
    shared_read[lane.number] += size;
    if (cell.write.thread != now.thread) counts_of(place).handed += size, take(address, cell.write, size);
    return true;
}

void exchange(size_t bytes, bool write) { (write ? shared_written : shared_read)[current->number] += bytes; }

void move(size_t bytes, bool write) { (write ? stored : loaded)[current->number] += bytes; }

uint64_t all(const std::array<uint64_t, MOST_THREADS>& of_threads) {
    return std::accumulate(of_threads.begin(), of_threads.end(), uint64_t(0));
}

void raise(uint64_t& most, const std::array<uint64_t, MOST_THREADS>& of_threads) {
    most = std::max(most, *std::max_element(of_threads.begin(), of_threads.end()));
}

}  // namespace

void begin_memory() {
    regions.clear();
    if (!launch.watched) return;
    for (const Variable& v : launch.variables)
        regions.emplace_back(v.start, v.end, v.shared, std::min<size_t>(v.itemsize, v.shared ? 2 : 4));
    interval = 0;
}

void end_block_in_memory() {
    raise(launch.most.thread_read, shared_read), raise(launch.most.thread_wrote, shared_written);
    for (const Taken& mine : taken) launch.most.thread_taken = std::max(launch.most.thread_taken, mine.bytes);
    launch.most.block_again = std::max(launch.most.block_again, again);
    raise(launch.most.thread_loaded, loaded), raise(launch.most.thread_stored, stored);
    launch.most.block_moved = std::max(launch.most.block_moved, all(loaded) + all(stored));
    launch.most.block_wrote = std::max(launch.most.block_wrote, all(shared_written));
}

void begin_block_in_memory(Lane* lanes) {
    next_interval(lanes);
    first_interval = interval;
    loaded.fill(0), stored.fill(0), shared_read.fill(0), shared_written.fill(0), taken.fill({});
    again = 0;
    altered_warps = 0;
}

void next_interval(Lane* lanes) {
    interval++;
    for (unsigned i = 0; i < block.threads; i++) lanes[i].now = {block.number * MOST_THREADS + i + 1, interval, 0, 0};
}

// Numbers stay finite: it is the first bit behind the point that is another one.
void alter_what_was_written(int by) {
    uint32_t altered = altered_warps;
    for (Region& r : regions) {
        if (launch.altered != (r.shared ? 1 : 2)) continue;
        for (size_t i = 0; i < r.cells.size(); i++) {
            Cell& cell = r.cells[i];
            const uint32_t writer = cell.write.thread - 1, warp = writer % MOST_THREADS / WARP;
            const bool here = cell.write.thread && writer / MOST_THREADS == block.number;
            if (!here || (r.shared && cell.born < first_interval)) continue;
            // Of main memory each number is altered once: a barrier may stand between the rows of a warp.
            const bool before = r.shared ? altered_warps >> warp & 1 : cell.altered == block.number + 1;
            if (before || (by >= 0 && int(warp) != by)) continue;
            cell.altered = block.number + 1;
            char* bytes = reinterpret_cast<char*>(r.start + (i << r.shift));
            if (r.granule() == 2) bytes[1] ^= 2;
            for (size_t b = 2; b < r.granule(); b += 4) bytes[b] ^= 0x40;
            altered |= 1u << warp;
        }
    }
    altered_warps = altered;
}

void next_warp_interval(Lane** warp) {
    for (int i = 0; i < WARP && launch.altered == 1; i++)
        if (warp[i]) {
            alter_what_was_written(warp[i]->warp);
            break;
        }
    for (int i = 0; i < WARP; i++)
        if (warp[i]) warp[i]->now.warp_interval++;
}

void misaligned(uintptr_t address, size_t size, void* place) {
    const std::string bytes = std::to_string(size);
    fault(Fault::Misaligned, thread_name(*current) + " moves " + bytes + " bytes at once, from " + element(address) +
          " on, whose address is not a multiple of " + bytes, place);
    stop_launch();
}

void too_deep(uintptr_t reached, void* place) {
    const std::string bytes = std::to_string(reinterpret_cast<uintptr_t>(current->stack) + STACK - reached);
    fault(Fault::LocalMemory, thread_name(*current) + " uses " + bytes + " bytes for variables of its own: " +
          "a thread has registers for 1020, and here at most " + std::to_string(MOST_OF_A_THREAD), place);
    stop_launch();
}

void on_memory(uintptr_t address, size_t size, bool write, void* place, bool atomic) {
    Region* region = region_of(address, size);
    if (!region) {
        const uintptr_t dynamic = reinterpret_cast<uintptr_t>(block.dynamic_shared);
        const bool shared = near(address, launch.static_start, launch.static_end) ||
                            near(address, dynamic, dynamic + block.dynamic_size);
        if (!shared && address >= launch.module_start && address < launch.module_end) return;  // constants
        out_of_bounds(address, write, shared, place);
    }
    must_be_aligned(reinterpret_cast<void*>(address), size, place);
    check(*region, address, size, write, atomic, place);
    current->accesses.push_back(
        Access(address, current->loop.rounds, offset_of(place), size, atomic, write, region->shared));
    if (region->shared) exchange(size, write);
    else move(size, write);
    if (region->shared && !write) counts_of(place).handed += handed_on(*region, address, size, 1);
    if (!region->shared && !write) counts_of(place).passed += handed_on(*region, address, size, WARP);
    if (atomic && !region->shared) counts_of(place).loaded += size;
    if (current->accesses.size() % SHORT_LOG == 0)
        wait_for_scheduler();  // still ready: continues when the others have caught up
}

template <size_t size> void on_read(uintptr_t address, void* place) {
    if (!is_read_in_order<size>(address, place)) on_memory(address, size, false, place, false);
}
template void on_read<1>(uintptr_t, void*);
template void on_read<2>(uintptr_t, void*);
template void on_read<4>(uintptr_t, void*);
template void on_read<8>(uintptr_t, void*);
template void on_read<16>(uintptr_t, void*);

void must_be_shared(const void* pointer, const char* name, void* place) {
    const Region* region = region_of(reinterpret_cast<uintptr_t>(pointer), 1);
    if (region && region->shared) return;
    fault(Fault::OutOfBounds,
          thread_name(*current) + " gives " + name + " an address that does not lie in shared memory", place);
    stop_launch();
}

void on_atomic_read(const void* pointer, size_t size, bool needed, void* place) {
    const uintptr_t address = reinterpret_cast<uintptr_t>(pointer);
    Region* region = region_of(address, size);
    if (!region || !region->shared) return;
    exchange(size, false);
    const Cell& cell = region->cells[(address - region->start) >> region->shift];
    const bool written = cell.born >= first_interval && cell.write.thread != 0;
    if (needed && !written) too_early(cell, address, place);
    if (written && cell.write.thread != current->now.thread) take(address, cell.write, size);
}

void on_copy_started(Copy& copy) {
    if (copy.valid) on_access(copy.from, 16, false, copy.place);
    on_access(copy.to, 16, true, copy.place);
    must_be_shared(copy.to, "cp_async", copy.place);
    const uintptr_t to = reinterpret_cast<uintptr_t>(copy.to);
    Region& region = *region_of(to, 16);
    for (size_t i = 0; i < 16 >> region.shift; i++)
        region.cells[((to - region.start) >> region.shift) + i].pending = true;
    const Region* from = copy.valid ? region_of(reinterpret_cast<uintptr_t>(copy.from), 16) : nullptr;
    copy.fetched = from && !from->shared;
    current->under_way += copy.fetched;
}

void on_copy_done(const Copy& copy) {
    Region* region = region_of(reinterpret_cast<uintptr_t>(copy.to), 16);
    check(*region, reinterpret_cast<uintptr_t>(copy.to), 16, true, false, copy.place);
    if (!copy.fetched) return;
    current->under_way--;
    if (current->multiplied - copy.multiplied >= WORTH_A_COPY) counts_of(copy.place).copied += 16;
}

}  // namespace simt
