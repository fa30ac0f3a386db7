#pragma once

#include "options.h"

#include <stdint.h>

/// The duration of a cycle that was lost.
static const int64_t LATE = -1;

/// Measures round trips; ends the process on failure.
///
/// - Parameter durations: Receives `options->cycles` durations in nanoseconds, or ``LATE``.
void measure_futex(const Options *options, int64_t *durations);
void measure_jack(const Options *options, int64_t *durations);
