// What the instruments count besides accesses, and how they name what they find.
#include "watch.h"

#include <cmath>
#include <cstring>
#include <unordered_map>

namespace simt {

namespace {

constexpr double NOTHING =
    1e-12;  // the power of a masked score is less, or its inverse, and of others in a row around 0 none is
std::array<uint64_t, MOST_THREADS> exponentials;  // by each thread of this block
uint64_t vanished_in_block;
std::array<uint64_t, MOST_THREADS / WARP> shuffles;  // by each warp of this block
std::array<uint64_t, MOST_THREADS> warp_barriers;  // that each thread of this block has passed
uint64_t block_barriers;

// Threads and bits of the numbers that they have rounded since the last barrier: those of an earlier one are no more.
class Rounded {
    static constexpr uint64_t SLOTS = 1 << 16, KEY = 42;  // bits: 10 of a thread, 32 of a number
    std::array<uint64_t, SLOTS> slots{};
    uint64_t barrier = 1, taken = 0;

public:
    void clear() { barrier++, taken = 0; }
    bool is_new(uint64_t thread, uint64_t bits) {
        if (taken > SLOTS / 2) clear();
        const uint64_t entry = barrier << KEY | thread << 32 | bits;
        uint64_t at = (entry * 0x9e3779b97f4a7c15u) >> 48;
        for (; slots[at] >> KEY == barrier; at = (at + 1) % SLOTS)
            if (slots[at] == entry) return false;
        slots[at] = entry;
        return ++taken;
    }
} rounded;
std::unordered_map<void*, int> lines;

}  // namespace

std::vector<Line*> counts;

bool watching() { return launch.watched; }

std::string index_text(const Index& i, const Index& size) {
    if (size.y * size.z == 1) return std::to_string(i.x);
    std::string said = "(" + std::to_string(i.x) + ", " + std::to_string(i.y);
    return said + (size.z > 1 ? ", " + std::to_string(i.z) + ")" : ")");
}

std::string plural(size_t n, const char* noun) { return std::to_string(n) + " " + noun + (n == 1 ? "" : "s"); }

std::string element(const Variable& v, long at) {
    const std::string number = std::to_string(at);
    return v.rows ? "element " + number + " of " + v.name : v.name + "[" + number + "]";
}

std::string element(uintptr_t address) {
    for (const Variable& v : launch.variables)
        if (v.start <= address && address < v.end) return element(v, (address - v.start) / v.itemsize);
    return "memory";
}

int line_of(void* place) {
    if (!place) return 0;
    auto known = lines.find(place);
    if (known != lines.end()) return known->second;
    return lines[place] = line_at(place);
}

Line& new_counts_of(void* place) {
    Line& line = launch.lines[line_of(place)];
    const uintptr_t at = reinterpret_cast<uintptr_t>(place) - launch.module_start;
    if (at < counts.size()) counts[at] = &line;
    return line;
}

int line_at(void* place) {
    const uint64_t offset = static_cast<char*>(place) - 1 - reinterpret_cast<char*>(launch.base);
    auto after = std::upper_bound(launch.places.begin(), launch.places.end(), offset,
                                  [](uint64_t o, const Place& p) { return o < p.offset; });
    return after == launch.places.begin() ? 0 : std::prev(after)->line;
}

std::string thread_name(const Lane& lane) {
    const std::string of =
        block.grid.x * block.grid.y * block.grid.z == 1 ? "" : " of block " + index_text(block.index, block.grid);
    return "thread " + index_text(lane.index, block.size) + of;
}

// "thread 3", "threads 0 to 15", "threads 1, 3, 5 and 13 more"
std::string threads_named(const std::vector<unsigned>& numbers) {
    if (numbers.size() == 1) return "thread " + std::to_string(numbers[0]);
    if (numbers.back() - numbers.front() + 1 == numbers.size())
        return "threads " + std::to_string(numbers.front()) + " to " + std::to_string(numbers.back());
    std::string said = "threads ";
    for (size_t i = 0; i < std::min<size_t>(numbers.size(), 3); i++)
        said += (i ? ", " : "") + std::to_string(numbers[i]);
    return said + (numbers.size() > 3 ? " and " + std::to_string(numbers.size() - 3) + " more" : "");
}

bool says_more(Fault kind) {
    // What was read too early is written after all: what is missing is the order.
    return !launch.faulted || (launch.fault_kind == Fault::Uninitialised && kind == Fault::Race);
}

void fault(Fault kind, const std::string& message, void* place) {
    if (!says_more(kind)) return;
    launch.faulted = true;
    launch.fault_kind = kind, launch.fault_message = message, launch.fault_line = line_of(place);
}

void begin_watch() {
    lines.clear(), counts.assign(launch.watched ? launch.module_end - launch.module_start : 0, nullptr);
    begin_memory();
    forget_subscripts();
    forget_loops();
}

void begin_block(Lane* lanes) {
    begin_block_in_memory(lanes);
    exponentials.fill(0);
    vanished_in_block = 0;
    shuffles.fill(0);
    warp_barriers.fill(0), block_barriers = 0;
    rounded.clear();
}

void end_block() {
    end_block_in_memory();
    const auto end = exponentials.begin() + block.threads;
    const uint64_t most = *std::max_element(exponentials.begin(), end);
    const uint64_t idle = std::count_if(exponentials.begin(), end, [=](uint64_t mine) { return 8 * mine < most; });
    launch.most.idle_threads = std::max(launch.most.idle_threads, idle);
}

void on_used(uint64_t lanes, Lane** warp, void* place) {
    Line& line = counts_of(place);
    line.multiplied += lanes;
    if (std::any_of(warp, warp + WARP, [](const Lane* lane) { return lane->under_way; })) line.overlapped += lanes;
}

void on_barrier(void* place) {
    counts_of(place).barriers++;
    block_barriers++;
    const uint64_t most = *std::max_element(warp_barriers.begin(), warp_barriers.begin() + block.threads);
    launch.most.thread_barriers = std::max(launch.most.thread_barriers, block_barriers + most);
    rounded.clear();
}

void on_warp_barrier(const Lane& lane) {
    const uint64_t passed = block_barriers + ++warp_barriers[lane.number];
    launch.most.thread_barriers = std::max(launch.most.thread_barriers, passed);
}

// Bits that a warp's lanes tell each other, as they could through shared memory.
void on_vote(int requests, void* place) { counts_of(place).shared_requests += requests; }

static void hand_on(int words, unsigned warp) {
    launch.most.warp_shuffles = std::max(launch.most.warp_shuffles, shuffles[warp] += words);
}

void on_shuffle(int words, unsigned warp, void* place) {
    counts_of(place).shuffles += words;
    hand_on(words, warp);
}

// A factor that is packed for each product that it meets is one number.
void on_rounded(float x, void* place) {
    uint32_t bits;
    std::memcpy(&bits, &x, sizeof bits);
    if (rounded.is_new(current->number, bits)) counts_of(place).rounded++;
}

// What each lane said is 32 bits for each, as a shuffle brings. One bit for all is little, but not that of many votes.
void on_vote_in_warp(bool of_each, unsigned warp, void* place) {
    on_vote(1, place);
    if (of_each) on_shuffle(1, warp, place);
    else hand_on(1, warp);
}

void on_exponential(double power, void* place) {
    Line& line = counts_of(place);
    line.exponentials++;
    const double size = std::abs(power);
    if (!(size >= NOTHING && size <= 1 / NOTHING)) {  // or its reciprocal comes to nothing, or it is no number
        line.vanished++;
        launch.most.block_vanished = std::max(launch.most.block_vanished, ++vanished_in_block);
    }
    launch.most.thread_exponentials = std::max(launch.most.thread_exponentials, ++exponentials[current->number]);
}

}  // namespace simt
