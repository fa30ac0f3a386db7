#include <math.h>

// Swift's library refers to this function, which glibc 2.35 has given a new version: with that of the C library, a library
// that contains Swift's would need glibc 2.35 instead of 2.34. Nothing here calls it.
__attribute__((visibility("hidden"))) float hypotf(float x, float y) {
  if (isinf(x) || isinf(y)) return INFINITY;
  // The squares are exact, and their sum is in range.
  return (float)sqrt((double)x * x + (double)y * y);
}
