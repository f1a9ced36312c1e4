// What -fsanitize=bounds has a kernel call where an index is not among those of an array. The compiler looks at each
// subscript by itself, and takes a[0][17] of a[4][8] for a mistake too, which reads row 2 and is allowed. So the text
// tells: it is a fault where a name stands with all subscripts of its array, this being the first, unless it is the
// address alone that is asked for. Macros are left out: there the place is where the macro is used.
#include <unordered_map>

#include "watch.h"

namespace simt {

struct Subscript {  // as compilers lay it out
    struct Type {
        uint16_t kind, information;
        char name[1];  // and more: 'float [4][8]', quotes included
    };
    const char* file;
    uint32_t line, column;  // of the closing bracket
    const Type* array;
};

namespace {

std::unordered_map<const Subscript*, std::string> names;  // "" where it is no fault

bool in_name(char c) { return isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// The character at `at`, which is moved past spaces first; 0 outside of the text.
char next(const std::string& text, size_t& at, int step) {
    while (at < text.size() && isspace(static_cast<unsigned char>(text[at]))) at += step;
    return at < text.size() ? text[at] : 0;
}

// Moves from a bracket past its partner.
void leap(const std::string& text, size_t& at, int step) {
    int open = 0;
    do {
        if (text[at] == '[' || text[at] == ']') open += text[at] == '[' ? 1 : -1;
        at += step;
    } while (open && at < text.size());
}

// Where a line and a column are, which count from 1.
size_t position(const std::string& text, uint32_t line, uint32_t column) {
    size_t at = 0;
    for (; line > 1 && at < text.size(); at++) line -= text[at] == '\n';
    return at + column - 1;
}

std::string name_at(const std::string& text, size_t closing, long dimensions) {
    size_t back = closing, forth = closing + 1;
    if (next(text, back, -1) != ']' || back != closing) return "";
    leap(text, back, -1);
    const char last = next(text, back, -1);
    const size_t end = back + 1;
    while (back < text.size() && in_name(text[back])) back--;
    const std::string name = in_name(last) ? text.substr(back + 1, end - back - 1) : "";
    const char before = next(text, back, -1), other = back - 1 < text.size() ? text[back - 1] : 0;
    if (before == '.' || (before == '>' && other == '-') || (before == '&' && other != '&')) return "";
    while (--dimensions > 0 && next(text, forth, 1) == '[') leap(text, forth, 1);
    return dimensions > 0 ? "" : name;
}

}  // namespace

void forget_subscripts() { names.clear(); }

void on_subscript(const Subscript* seen, long index, void* place) {
    if (!current) return;
    const char* type = seen->array->name;
    const long dimensions = std::count(type, type + strlen(type), '[');
    auto known = names.find(seen);
    if (known == names.end()) {
        const bool own = launch.file == seen->file;
        const size_t closing = position(launch.text, seen->line, seen->column);
        known = names.emplace(seen, own ? name_at(launch.text, closing, dimensions) : "").first;
    }
    const std::string& name = known->second;
    if (name.empty()) return;
    const unsigned long size = strtoul(strchr(type, '[') + 1, nullptr, 10);
    fault(Fault::OutOfBounds, thread_name(*current) + " uses " + name + "[" + std::to_string(index) + "], which has " +
                                  plural(size, dimensions > 1 ? "row" : "element"), place);
    stop_launch();
}

}  // namespace simt
