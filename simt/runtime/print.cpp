// printf as a GPU has it: %n would store where nothing is watched, and what it returns is the number of its arguments,
// which says nothing of memory that nobody has been seen to load. The text waits for the end of the launch in a buffer
// of one size, from which Python takes it: every thread may print, and nobody reads so many lines.
#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "watch.h"

namespace {

char text[64 << 10];
size_t used;
uint64_t left_out;  // calls that found no room

// How many arguments a format takes. unknown: its first conversion that is of no number, character or string, if any.
int arguments_of(const char* format, char& unknown) {
    int arguments = 0;
    while (!unknown && (format = strchr(format, '%'))) {
        while (*++format && strchr("-+ #0123456789.*hlLqjzt", *format)) arguments += *format == '*';
        if (!*format) unknown = '%';
        else if (!strchr("diouxXeEfFgGaAcsp%", *format)) unknown = *format;
        else arguments += *format++ != '%';
    }
    return arguments;
}

}  // namespace

extern "C" __attribute__((visibility("default"), noinline)) int simt_printf(const char* format, ...) {
    char unknown = 0;
    const int arguments = arguments_of(format, unknown);
    if (unknown) {
        const std::string said =
            simt::thread_name(*simt::current) + " prints with %" + unknown + ", which a GPU's printf does not have";
        simt::fault(simt::Fault::Crash, said, __builtin_return_address(0));
        simt::stop_launch();
    }
    va_list values;
    va_start(values, format);
    const size_t room = sizeof text - used;
    if (left_out) left_out++;
    else if (const int length = vsnprintf(text + used, room, format, values); length >= 0 && size_t(length) < room)
        used += length;
    else left_out = 1;
    va_end(values);
    return arguments;
}

// What the last launch printed, and how many calls of printf found no more room.
extern "C" __attribute__((visibility("default"))) const char* simt_printed(uint64_t* more) {
    text[used] = 0;  // there is room for it, which vsnprintf needed too
    *more = left_out;
    return text;
}

void simt::begin_printing() { used = left_out = 0; }
