// In which rounds of which loops a thread is. Before every stretch of code without branches the
// compiler calls the function at the end (-fsanitize-coverage=trace-pc); it lays them out as
// the text has them. Lanes of a warp that come by one place in the same rounds of all loops
// around it come by together, as on a GPU, whatever they did before. Some stretches of a loop
// lie aside, behind its end, as copies of structs do: whoever comes back from there into its
// middle has not left it. Two ways back to one place are two loops, one within the other, or, as
// `continue` and `if` in a `for (;;)` make them, rounds of one: so the text has to tell.
#include "watch.h"

#include <regex>
#include <unordered_map>
#include <unordered_set>

namespace simt {

static std::unordered_set<uintptr_t> aside;  // stretches that threads have come back from
static std::unordered_map<uintptr_t, uintptr_t> ends;  // of loops by `first`, as far as threads have come back from
static bool has_short_rounds;  // where two ways back to one place are rounds of one loop

void forget_loops() {
    static const std::regex short_rounds(R"(\bcontinue\b|\bfor\s*\([^;)]*;\s*;|\bwhile\s*\(\s*(true|1)\s*\))");
    static std::string looked_at;
    if (launch.text != looked_at) {
        looked_at = launch.text;
        has_short_rounds = std::regex_search(looked_at, short_rounds);
    }
    aside.clear(), ends.clear();
}

void leave_loops(Lane& lane) { lane.around.clear(), lane.left.clear(), lane.loop = Loop{0, ~uintptr_t(0), 0}; }

static void leave_loop(Lane& lane) {
    Loop& around = lane.around.back();
    around.within = lane.loop.first, around.left_in = around.rounds, around.left_at = lane.loop.rounds;
    lane.loop = around, lane.around.pop_back();
}

// `loop` is the innermost one, `around` the others.
[[gnu::noinline]] static void go_forth(Lane& lane) {
    lane.left.clear();
    for (; lane.at > lane.loop.last; leave_loop(lane)) lane.left.push_back(lane.loop);
    lane.left_in = lane.loop.rounds;
}

// Whether the lane is where it was before it went aside: in the loops that it seemed to leave.
static bool came_back(Lane& lane, uintptr_t first, uintptr_t last) {
    const auto is_within = [=](const Loop& loop) { return loop.first < first && first <= loop.last; };
    const size_t around = lane.around.size();
    while (!lane.left.empty() && lane.left_in == lane.loop.rounds && is_within(lane.left.back())) {
        lane.around.push_back(lane.loop);
        lane.loop = lane.left.back(), lane.left.pop_back();
        lane.left_in = lane.loop.rounds;
    }
    if (lane.around.size() > around) aside.insert(last);
    return aside.count(last);
}

[[gnu::noinline]] static void go_back(Lane& lane, uintptr_t first, uintptr_t last) {
    if (came_back(lane, first, last)) return;
    if (has_short_rounds) last = ends[first] = std::max(ends[first], last);
    const auto is_it = [=](const Loop& loop) { return loop.first == first && (has_short_rounds || loop.last == last); };
    while (!is_it(lane.loop) && (lane.loop.first > first || lane.loop.last < last)) leave_loop(lane);
    if (!is_it(lane.loop)) {
        // One that seemed to be left, as nobody had come back from its end before, goes on.
        const Loop around = lane.loop;
        const bool goes_on = has_short_rounds && around.within == first && around.left_in == around.rounds;
        const uint32_t begun = (around.rounds * 31 + uint32_t(first)) * 0x9e3779b1u;
        lane.around.push_back(around);
        lane.loop = {first, last, goes_on ? around.left_at : begun};
    }
    lane.loop.last = last;
    lane.loop.rounds++;
}

}  // namespace simt

// Most of what a kernel runs calls this, so that it does next to nothing unless a loop is left
// or begun.
extern "C" __attribute__((visibility("default"), noinline)) void __sanitizer_cov_trace_pc() {
    using namespace simt;
    if (!current) return;
    Lane& lane = *current;
    const uintptr_t at = reinterpret_cast<uintptr_t>(__builtin_return_address(0)), before = lane.at;
    lane.at = at;
    if (at > before) {
        if (at > lane.loop.last) go_forth(lane);
    } else if (at == lane.loop.first && before == lane.loop.last) {
        lane.loop.rounds++;
    } else {
        go_back(lane, at, before);
    }
}
