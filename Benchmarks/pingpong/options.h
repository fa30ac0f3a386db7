#pragma once

#include <stdbool.h>

enum { MAXIMUM_FRAMES = 8192, MAXIMUM_CYCLES = 1000000 };

/// Which processors the two sides may use.
typedef enum { SAME_CPU, TWO_CPUS, ANY_CPU } Placement;

typedef struct {
  int frames;    ///< Of a cycle, 1 ... MAXIMUM_FRAMES.
  int cycles;    ///< That are measured, 1 ... MAXIMUM_CYCLES.
  int rate;      ///< Frames per second; 0: a cycle begins when the one before has ended.
  bool is_fifo;  ///< SCHED_FIFO, otherwise SCHED_OTHER.
  int priority;  ///< For SCHED_FIFO, 1 ... 90.
  Placement placement;
  bool touches;  ///< Whether the node writes, and the host reads, two channels in each cycle.
} Options;

/// A tenth more, which come first and are not measured.
static inline int warm_up_cycles(const Options *options) { return options->cycles / 10; }

/// - Returns: 0, or the program's exit code.
int parse_options(char **words, Options *options);
