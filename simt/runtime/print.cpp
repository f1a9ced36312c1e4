// printf, with the conversions that a GPU has: %n would store where nothing is watched.
#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "block.h"

namespace {

// The first conversion of another kind than those of numbers, characters and strings; 0 if there is none.
char unknown_conversion(const char* format) {
    for (const char* at = strchr(format, '%'); at; at = strchr(at + 1, '%')) {
        at += 1 + strspn(at + 1, "-+ #0123456789.*hlLqjzt");
        if (!*at || !strchr("diouxXeEfFgGaAcsp%", *at)) return *at ? *at : '%';
    }
    return 0;
}

}  // namespace

extern "C" __attribute__((visibility("default"), noinline, format(printf, 1, 2))) int simt_printf(const char* format, ...) {
    if (const char unknown = unknown_conversion(format)) {
        const std::string said = simt::thread_name(*simt::current) + " prints with %" + unknown + ", which a GPU's printf does not have";
        simt::fault(simt::Fault::Crash, said, __builtin_return_address(0));
        simt::stop_launch();
    }
    va_list values;
    va_start(values, format);
    const int printed = vprintf(format, values);
    va_end(values);
    return printed;
}
