// printf as a GPU has it: %n would store where nothing is watched, and what it returns is the number of its arguments,
// which says nothing of memory that nobody has been seen to load.
#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "block.h"

namespace {

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
        const std::string said = simt::thread_name(*simt::current) + " prints with %" + unknown + ", which a GPU's printf does not have";
        simt::fault(simt::Fault::Crash, said, __builtin_return_address(0));
        simt::stop_launch();
    }
    va_list values;
    va_start(values, format);
    vprintf(format, values);
    va_end(values);
    return arguments;
}
