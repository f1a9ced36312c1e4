// The instruments. Before every access to memory the compiler calls a function at the end (-fsanitize=thread).
// Each access is located (a tensor, shared memory, the thread's own), counted, and compared with what others did there.
#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "launch.h"

namespace simt {

namespace {

// Who touched a cell of memory: the thread, numbered through the grid from 1 (0: nobody), and when.
struct Mark {
    uint32_t thread, interval, warp_interval, place;
};
struct Cell {
    Mark write, read, other_read;
    uint32_t born;  // the interval from which it counts: shared memory starts afresh with every block
    bool atomic, pending;
};

// Memory with a cell for every `granule` bytes.
struct Region {
    uintptr_t start, end;
    size_t granule;
    bool shared;
    std::vector<Cell> cells;
};

std::vector<Region> regions;  // static shared memory, dynamic shared memory, then the tensors
uint32_t interval, first_interval;  // of the grid so far, of this block
std::array<uint32_t, MOST_THREADS / WARP> warp_intervals;
std::array<uint64_t, MOST_THREADS> loaded, stored, exponentials;  // bytes of global memory, and powers, by each thread of this block
uint64_t moved_by_block, vanished_in_block;
std::unordered_map<void*, int> lines;

constexpr uintptr_t NEAR = 4096;      // an access this many bytes outside shared memory was still meant for it
constexpr double NOTHING = 1e-12;      // the power of a masked score is less, or its inverse, and of others in a row around 0 none is
constexpr size_t SCATTERED = 3;       // times as many requests as a lane has visits: they go one behind the other
constexpr size_t LONGEST_LOG = 4096;  // accesses of a lane before the others of its warp catch up

std::string plural(size_t n, const char* noun) { return std::to_string(n) + " " + noun + (n == 1 ? "" : "s"); }

std::string index_text(const Index& i, const Index& size) {
    if (size.y * size.z == 1) return std::to_string(i.x);
    std::string said = "(" + std::to_string(i.x) + ", " + std::to_string(i.y);
    return said + (size.z > 1 ? ", " + std::to_string(i.z) + ")" : ")");
}

std::string element(uintptr_t address) {
    for (const Variable& v : launch.variables)
        if (v.start <= address && address < v.end) return v.name + "[" + std::to_string((address - v.start) / v.itemsize) + "]";
    return "memory";
}

Region* region_of(uintptr_t address, size_t size) {
    for (Region& r : regions)
        if (r.start <= address && address + size <= r.end) return &r;
    return nullptr;
}

[[noreturn]] void out_of_bounds(uintptr_t address, bool write, bool shared, void* place) {
    const Variable* nearest = nullptr;
    uintptr_t least = ~uintptr_t(0);
    for (const Variable& v : launch.variables) {
        const uintptr_t distance = address < v.start ? v.start - address : address >= v.end ? address - v.end : 0;
        if (v.shared == shared && distance < least) nearest = &v, least = distance;
    }
    std::string said = thread_name(*current) + (write ? " writes " : " reads ");
    if (nearest && least < (64u << 20)) {
        const size_t item = nearest->itemsize;
        const long at = long(address - nearest->start) / long(item) - (address < nearest->start && (nearest->start - address) % item ? 1 : 0);
        said += nearest->name + "[" + std::to_string(at) + "]" + ", which has " + plural((nearest->end - nearest->start) / item, "element");
    } else {
        said += std::string("an address that belongs to no ") + (shared ? "shared variable" : "tensor");
    }
    fault(Fault::OutOfBounds, said, place);
    stop_launch();
}

bool near(uintptr_t address, uintptr_t start, uintptr_t end) {
    return start < end && address + NEAR >= start && address < end + NEAR;
}

bool in_order(const Mark& before, const Mark& now, bool shared) {
    if (before.thread == 0 || before.thread == now.thread) return true;
    if ((before.thread - 1) / MOST_THREADS != (now.thread - 1) / MOST_THREADS) return shared;  // another block
    if (before.interval != now.interval) return true;
    const bool one_warp = (before.thread - 1) / WARP == (now.thread - 1) / WARP;
    return one_warp && before.warp_interval != now.warp_interval;
}

std::string who(const Mark& mark, bool here) {
    const uint32_t number = (mark.thread - 1) % MOST_THREADS, in_block = (mark.thread - 1) / MOST_THREADS;
    return "thread " + std::to_string(number) + (here ? "" : " of block " + std::to_string(in_block));
}

void race(uintptr_t address, const Mark& before, bool wrote, const Mark& now, bool writes, void* place) {
    const bool one_block = (before.thread - 1) / MOST_THREADS == (now.thread - 1) / MOST_THREADS;
    const int line = line_of(reinterpret_cast<char*>(launch.base) + before.place);
    std::string said = who(before, one_block) + (wrote ? " writes " : " reads ") + element(address) + " in line " + std::to_string(line) + " and " +
                       who(now, one_block) + (writes ? " writes" : " reads") + " it in line " + std::to_string(line_of(place)) + ", with nothing in between that orders them";
    fault(Fault::Race, said, place);
}

void check(Region& region, uintptr_t address, size_t size, bool write, bool atomic, void* place) {
    const Lane& lane = *current;
    const Mark now{block.number * MOST_THREADS + lane.number + 1, interval, warp_intervals[lane.warp],
                   uint32_t(static_cast<char*>(place) - reinterpret_cast<char*>(launch.base))};
    const size_t first = (address - region.start) / region.granule, last = (address + size - 1 - region.start) / region.granule;
    if (size < region.granule) atomic = true;  // neighbours share a cell, so a race cannot be told
    for (size_t i = first; i <= last; i++) {
        Cell& cell = region.cells[i];
        if (region.shared && cell.born < first_interval) cell = Cell{{}, {}, {}, interval, false, false};
        const uintptr_t at = region.start + i * region.granule;
        if (region.shared && !write) {
            if (cell.pending)
                fault(Fault::Uninitialised, thread_name(lane) + " reads " + element(at) + " while cp_async may still be copying to it", place);
            else if (cell.write.thread == 0)
                fault(Fault::Uninitialised, thread_name(lane) + " reads " + element(at) + ", which nobody has written", place);
        }
        if (!(atomic && cell.atomic) && !in_order(cell.write, now, region.shared)) race(at, cell.write, true, now, write, place);
        if (write) {
            if (!in_order(cell.read, now, region.shared)) race(at, cell.read, false, now, true, place);
            if (!in_order(cell.other_read, now, region.shared)) race(at, cell.other_read, false, now, true, place);
            const bool own = cell.write.thread == now.thread && cell.write.interval == now.interval;
            if (!(own && atomic && !cell.atomic)) cell.write = now, cell.atomic = atomic;  // else others may still race with the plain store
            cell.pending = false;
        } else if (cell.read.thread == now.thread || in_order(cell.read, now, region.shared)) {
            cell.read = now;
        } else {
            cell.other_read = now;
        }
    }
}

// What one instruction of a warp moves: the sectors of 32 bytes it touches, or the passes over 32 banks it takes.
struct Request {
    uintptr_t addresses[WARP];
    unsigned lanes[WARP];
    int n;
};

// Which access of which instruction this is: cp_async reads main memory and writes shared memory.
uintptr_t instruction(const Access& a) { return reinterpret_cast<uintptr_t>(a.place) * 4 + a.shared * 2 + a.write; }

bool same(const Access& a, const Access& b) {
    return instruction(a) == instruction(b) && a.size == b.size && a.rounds == b.rounds;
}

int distinct(uintptr_t* values, int n) {
    std::sort(values, values + n);
    return int(std::unique(values, values + n) - values);
}

// The sectors or passes that a request takes, or how few lanes take that make it all at once.
void count(const Access& access, Request& r, bool least) {
    Line& line = launch.lines[line_of(access.place)];
    if (!access.shared && least) {
        line.least_sectors += (distinct(r.addresses, r.n) * access.size + 31) / 32;
        return;
    }
    if (!access.shared) {
        uintptr_t sectors[2 * WARP];
        int n = 0;
        for (int i = 0; i < r.n; i++) {
            sectors[n++] = r.addresses[i] / 32;
            if ((r.addresses[i] + access.size - 1) / 32 != sectors[n - 1]) sectors[n] = sectors[n - 1] + 1, n++;
        }
        n = distinct(sectors, n);
        const uint64_t bytes = uint64_t(r.n) * access.size;
        (access.write ? line.stored : line.loaded) += bytes;
        (access.write ? line.store_sectors : line.load_sectors) += n;
        line.requests++, line.sectors += n;
        return;
    }
    if (!least) line.shared_requests++, line.shared_bytes += uint64_t(r.n) * access.size;
    const unsigned together = access.size <= 4 ? 32 : access.size <= 8 ? 16 : 8;  // lanes served at once
    for (unsigned from = 0; from < WARP; from += together) {
        uintptr_t words[4 * WARP];
        int n = 0;
        for (int i = 0; i < r.n; i++)
            if (r.lanes[i] / together == from / together)
                for (size_t b = 0; b < access.size; b += 4) words[n++] = r.addresses[i] / 4 + b / 4;
        if (!n) continue;
        if (least) {
            line.least_wavefronts++;
            continue;
        }
        if (!access.atomic) n = distinct(words, n);  // atomic ones go one behind the other, at one address too
        int banks[32] = {}, most = 0;
        for (int i = 0; i < n; i++) most = std::max(most, ++banks[words[i] % 32]);
        line.wavefronts += most;
    }
}

using Requests = std::vector<std::pair<Access, Request>>;

// Lanes that come by a place in the same rounds of all loops make one request; or their k-th visits to it do.
Requests apart(Lane** warp, bool by_rounds) {
    Requests requests;
    std::unordered_map<uintptr_t, std::vector<size_t>> found;
    for (int i = 0; i < WARP; i++) {
        if (!warp[i]) continue;
        std::unordered_map<uintptr_t, size_t> times;
        for (const Access& a : warp[i]->accesses) {
            const uintptr_t visit = by_rounds ? instruction(a) ^ uintptr_t(a.rounds) << 32 : instruction(a);
            std::vector<size_t>& same_visits = found[visit];
            const size_t k = times[visit]++;
            if (k == same_visits.size()) {
                same_visits.push_back(requests.size());
                requests.push_back({a, Request{}});
            }
            Request& r = requests[same_visits[k]].second;
            r.lanes[r.n] = i, r.addresses[r.n++] = a.address;
        }
    }
    return requests;
}

// Lanes took different paths. What they ask for takes least if those make a request that come by together; but lanes
// that go one behind the other, in many more requests than the visits of any of them, save no passes by that.
void count_apart(Lane** warp) {
    struct Visits {
        size_t requests, of_lanes[WARP];
    };
    std::unordered_map<uintptr_t, Visits> visits;
    Requests made = apart(warp, true);
    for (const auto& [access, request] : made) {
        Visits& here = visits[instruction(access)];
        here.requests++;
        for (int i = 0; i < request.n; i++) here.of_lanes[request.lanes[i]]++;
    }
    const auto scattered = [&](const Access& a) {
        const Visits& here = visits[instruction(a)];
        return here.requests > SCATTERED * *std::max_element(here.of_lanes, here.of_lanes + WARP);
    };
    bool any = false;
    for (auto& [access, request] : made) {
        count(access, request, false);
        if (scattered(access)) any = true;
        else count(access, request, true);
    }
    if (!any) return;
    for (auto& [access, request] : apart(warp, false))
        if (scattered(access)) count(access, request, true);
}

}  // namespace

bool watching() { return launch.watched; }

int line_of(void* place) {
    if (!place) return 0;
    auto known = lines.find(place);
    if (known != lines.end()) return known->second;
    return lines[place] = line_at(place);
}

int line_at(void* place) {
    const uint64_t offset = static_cast<char*>(place) - 1 - reinterpret_cast<char*>(launch.base);
    auto after = std::upper_bound(launch.places.begin(), launch.places.end(), offset, [](uint64_t o, const Place& p) { return o < p.offset; });
    return after == launch.places.begin() ? 0 : std::prev(after)->line;
}

std::string thread_name(const Lane& lane) {
    const std::string of = block.grid.x * block.grid.y * block.grid.z == 1 ? "" : " of block " + index_text(block.index, block.grid);
    return "thread " + index_text(lane.index, block.size) + of;
}

// "thread 3", "threads 0 to 15", "threads 1, 3, 5 and 13 more"
std::string threads_named(const std::vector<unsigned>& numbers) {
    if (numbers.size() == 1) return "thread " + std::to_string(numbers[0]);
    if (numbers.back() - numbers.front() + 1 == numbers.size())
        return "threads " + std::to_string(numbers.front()) + " to " + std::to_string(numbers.back());
    std::string said = "threads ";
    for (size_t i = 0; i < std::min<size_t>(numbers.size(), 3); i++) said += (i ? ", " : "") + std::to_string(numbers[i]);
    return said + (numbers.size() > 3 ? " and " + std::to_string(numbers.size() - 3) + " more" : "");
}

void fault(Fault kind, const std::string& message, void* place) {
    // What was read too early is written after all: what is missing is the order.
    const bool better = launch.faulted && launch.fault_kind == Fault::Uninitialised && kind == Fault::Race;
    if (launch.faulted && !better) return;
    launch.faulted = true;
    launch.fault_kind = kind, launch.fault_message = message, launch.fault_line = line_of(place);
}

void begin_watch() {
    lines.clear();
    regions.clear();
    if (!launch.watched) return;
    auto add = [](uintptr_t start, uintptr_t end, size_t granule, bool shared) {
        regions.push_back({start, end, granule, shared, std::vector<Cell>((end - start + granule - 1) / granule)});
    };
    for (const Variable& v : launch.variables) {
        add(v.start, v.end, std::min<size_t>(v.itemsize, v.shared ? 2 : 4), v.shared);
    }
    interval = 0;
    warp_intervals.fill(0);
}

void begin_block() {
    first_interval = ++interval;
    loaded.fill(0), stored.fill(0), exponentials.fill(0);
    moved_by_block = vanished_in_block = 0;
}
void next_interval() { interval++; }
void next_warp_interval(Lane& lane) { warp_intervals[lane.warp]++; }

void flush(Lane** warp) {
    if (!launch.watched) return;
    Lane* first = nullptr;
    bool alike = true;
    for (int i = 0; i < WARP; i++) {
        if (!warp[i] || warp[i]->accesses.empty()) continue;
        if (!first) first = warp[i];
        else if (warp[i]->accesses.size() != first->accesses.size()) alike = false;
    }
    if (!first) return;
    for (int i = 0; i < WARP && alike; i++) {
        if (!warp[i] || warp[i]->accesses.empty()) continue;
        for (size_t j = 0; j < first->accesses.size() && alike; j++) alike = same(warp[i]->accesses[j], first->accesses[j]);
    }
    if (alike) {
        for (size_t j = 0; j < first->accesses.size(); j++) {
            Request r;
            r.n = 0;
            for (int i = 0; i < WARP; i++)
                if (warp[i] && !warp[i]->accesses.empty()) r.lanes[r.n] = i, r.addresses[r.n++] = warp[i]->accesses[j].address;
            for (bool least : {false, true}) count(first->accesses[j], r, least);
        }
    } else {
        count_apart(warp);
    }
    uint64_t bytes = 0;
    for (int i = 0; i < WARP; i++) {
        if (!warp[i]) continue;
        const unsigned number = WARP * first->warp + i;
        for (const Access& a : warp[i]->accesses) {
            if (a.shared) continue;
            bytes += a.size;
            (a.write ? stored : loaded)[number] += a.size;
        }
        launch.busiest_loader = std::max(launch.busiest_loader, loaded[number]);
        launch.busiest_thread = std::max(launch.busiest_thread, stored[number]);
        warp[i]->accesses.clear();
    }
    launch.busiest_block = std::max(launch.busiest_block, moved_by_block += bytes);
}

void must_be_aligned(const void* pointer, size_t size, void* place) {
    const uintptr_t address = reinterpret_cast<uintptr_t>(pointer);
    if (address % size == 0) return;
    const std::string bytes = std::to_string(size);
    fault(Fault::Misaligned, thread_name(*current) + " moves " + bytes + " bytes at once, from " + element(address) +
          " on, whose address is not a multiple of " + bytes, place);
    stop_launch();
}

// Variables that no access shows take room too: those of calls within each other, and what lies before an array.
static void must_fit(size_t bytes, void* place) {
    if (bytes <= MOST_OF_A_THREAD + FRAMES) return;
    fault(Fault::LocalMemory, thread_name(*current) + " uses " + std::to_string(bytes) + " bytes for variables of its own: " +
          "a thread has registers for 1020, and here at most " + std::to_string(MOST_OF_A_THREAD), place);
    stop_launch();
}

void on_access(const void* pointer, size_t size, bool write, void* place, bool atomic) {
    if (!current) return;
    const uintptr_t address = reinterpret_cast<uintptr_t>(pointer);
    const uintptr_t stack = reinterpret_cast<uintptr_t>(current->stack);
    const bool own = address - stack < STACK && address >= stack;
    must_fit(stack + STACK - std::min(own ? address : ~uintptr_t(0), reinterpret_cast<uintptr_t>(__builtin_frame_address(0))), place);
    if (own) {
        if (size == 16) must_be_aligned(pointer, size, place);
        return;
    }
    Region* region = region_of(address, size);
    if (!region) {
        const uintptr_t dynamic = reinterpret_cast<uintptr_t>(block.dynamic_shared);
        const bool shared = near(address, launch.static_start, launch.static_end) || near(address, dynamic, dynamic + block.dynamic_size);
        if (!shared && address >= launch.module_start && address < launch.module_end) return;  // constants
        out_of_bounds(address, write, shared, place);
    }
    must_be_aligned(pointer, size, place);
    check(*region, address, size, write, atomic, place);
    current->accesses.push_back({address, place, current->loop.rounds, uint16_t(size), write, region->shared, atomic});
    if (atomic && !region->shared) launch.lines[line_of(place)].loaded += size;
    if (current->accesses.size() >= LONGEST_LOG) wait_for_scheduler();  // still ready: continues when the others have caught up
}

void on_copy_started(const Copy& copy) {
    if (copy.valid) on_access(copy.from, 16, false, copy.place);
    on_access(copy.to, 16, true, copy.place);
    const uintptr_t to = reinterpret_cast<uintptr_t>(copy.to);
    Region& region = *region_of(to, 16);
    for (size_t i = 0; i < 16 / region.granule; i++) region.cells[(to - region.start) / region.granule + i].pending = true;
}

void on_multiplied() { launch.multiplied++; }

void on_used(uint64_t lanes, Lane** warp, void* place) {
    Line& line = launch.lines[line_of(place)];
    line.multiplied += lanes;
    if (std::any_of(warp, warp + WARP, [](const Lane* lane) { return lane->under_way; })) line.overlapped += lanes;
}

void on_barrier(void* place) { launch.lines[line_of(place)].barriers++; }

// Bits that a warp's lanes tell each other, as they could through shared memory.
void on_vote(void* place) { launch.lines[line_of(place)].shared_requests++; }

void on_shuffle(int words, void* place) { launch.lines[line_of(place)].shuffles += words; }

void on_exponential(double power, void* place) {
    Line& line = launch.lines[line_of(place)];
    line.exponentials++;
    const double size = std::abs(power);
    if (!(size >= NOTHING && size <= 1 / NOTHING)) {  // or its reciprocal comes to nothing, or it is no number
        line.vanished++;
        launch.most_vanished = std::max(launch.most_vanished, ++vanished_in_block);
    }
    launch.most_exponentials = std::max(launch.most_exponentials, ++exponentials[current->number]);
}

void on_copy_done(const Copy& copy) {
    Region* region = region_of(reinterpret_cast<uintptr_t>(copy.to), 16);
    check(*region, reinterpret_cast<uintptr_t>(copy.to), 16, true, false, copy.place);
    const Region* from = copy.valid ? region_of(reinterpret_cast<uintptr_t>(copy.from), 16) : nullptr;
    if (from && !from->shared && launch.multiplied > copy.multiplied) launch.lines[line_of(copy.place)].copied += 16;
}

}  // namespace simt

// What -fsanitize=thread calls.

using simt::on_access;
#define HOOK extern "C" __attribute__((visibility("default"), noinline)) void
#define PLACE __builtin_return_address(0)
// A struct is copied in pieces of 4 bytes, or of fewer where it lies otherwise, as on a GPU.
static void in_pieces(const void* p, size_t n, bool write, void* place) {
    size_t piece = 4;
    while ((n | reinterpret_cast<uintptr_t>(p)) % piece) piece /= 2;
    for (size_t i = 0; i < n; i += piece) on_access(static_cast<const char*>(p) + i, piece, write, place);
}
#define SIZED(n)                                                                \
    HOOK __tsan_read##n(void* p) { on_access(p, n, false, PLACE); }             \
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
