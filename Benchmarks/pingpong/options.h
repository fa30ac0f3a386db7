#pragma once

#include <stdbool.h>

enum { MAXIMUM_FRAMES = 8192, MAXIMUM_CYCLES = 1000000 };

/// The processors that the two sides may use.
typedef enum { SAME_CPU, TWO_CPUS, ANY_CPU } Placement;

typedef struct {
  int frames;    ///< Length of a cycle, 1 ... MAXIMUM_FRAMES.
  int cycles;    ///< Number of measured cycles, 1 ... MAXIMUM_CYCLES.
  int rate;      ///< Frames per second; 0: a cycle begins when the previous one has ended.
  bool is_fifo;  ///< Whether to use SCHED_FIFO instead of SCHED_OTHER.
  int priority;  ///< Priority under SCHED_FIFO, 1 ... 90.
  Placement placement;
  bool touches;  ///< Whether the node writes, and the host reads, two channels in each cycle.
} Options;

/// The number of warm-up cycles, which precede the measured ones: a tenth as many.
static inline int warm_up_cycles(const Options *options) { return options->cycles / 10; }

/// - Returns: 0, or the program's exit code.
///
/// - Parameter arguments: The options, terminated by a null pointer.
int parse_options(char **arguments, Options *options);
