#pragma once
#include <math.h>
#include "promise.h"

// What Swift leaves to the C library, which neither allocates nor locks for it.

/// 2 to the power of `exponent`.
RENDER_THREAD static inline double maths_exp2(double exponent) { return exp2(exponent); }

/// The sine and cosine of an angle in radians.
RENDER_THREAD static inline double maths_sin(double angle) { return sin(angle); }
RENDER_THREAD static inline double maths_cos(double angle) { return cos(angle); }
