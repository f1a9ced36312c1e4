// Exponentials, and what they can be made of: left to the library, and counted.
#include <cmath>

#include "watch.h"

namespace {

template <class T> T counted(T power, void* place) {
    if (simt::watching()) simt::on_exponential(power, place);
    return power;
}

}  // namespace

#define API extern "C" __attribute__((visibility("default"), noinline))
#define COUNTED(name, T, parameters, x) \
    API T simt_##name parameters noexcept { return counted<T>(name x, __builtin_return_address(0)); }
#define OF_BOTH(name) COUNTED(name##f, float, (float x), (x)) COUNTED(name, double, (double x), (x))
OF_BOTH(exp) OF_BOTH(exp2) OF_BOTH(expm1) OF_BOTH(sinh) OF_BOTH(cosh) OF_BOTH(tanh)
COUNTED(powf, float, (float x, float y), (x, y)) COUNTED(pow, double, (double x, double y), (x, y))
