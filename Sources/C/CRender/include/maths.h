#pragma once
#include <math.h>
#include "promise.h"

// Functions of the C library that neither allocate nor lock.

/// Returns 2 to the power of `exponent`.
RENDER_THREAD static inline double maths_exp2(double exponent) { return exp2(exponent); }

/// Return the sine and cosine of an angle in radians.
RENDER_THREAD static inline double maths_sin(double angle) { return sin(angle); }
RENDER_THREAD static inline double maths_cos(double angle) { return cos(angle); }

/// Returns the angle of the point (x, y) in radians.
RENDER_THREAD static inline double maths_atan2(double y, double x) { return atan2(y, x); }

RENDER_THREAD static inline double maths_sqrt(double square) { return sqrt(square); }

RENDER_THREAD static inline double maths_log2(double number) { return log2(number); }

/// Returns the nearest whole number; halves are rounded away from zero.
RENDER_THREAD static inline float maths_round(float number) { return roundf(number); }
