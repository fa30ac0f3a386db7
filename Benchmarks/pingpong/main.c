#include "peers.h"
#include "process.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: pingpong futex|jack [OPTION ...]\n"
    "\n"
    "Measures round trips from a host process to a node process and back, over a bare futex or\n"
    "through a separate JACK server. Prints each round trip in nanoseconds on a line, or the\n"
    "word late for a cycle that was lost.\n"
    "\n"
    "  --cycles N            number of cycles (20000), after a tenth as many to warm up\n"
    "  --frames N            length of a cycle (64)\n"
    "  --touch               the node zeroes two channels of a cycle, the host copies them\n"
    "  --rate N              cycles come at this many frames per second, like a sound card's\n"
    "                        (0: one after another; JACK: 48000)\n"
    "  --policy other|fifo   scheduling policy of both sides (other)\n"
    "  --priority N          priority under fifo (70)\n"
    "  --cpu same|two|free   both sides on one processor, or on two (free)\n";

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "--help") == 0) {
    fputs(help, stdout);
    return 0;
  }
  bool is_futex = argc > 1 && strcmp(argv[1], "futex") == 0;
  if (!is_futex && !(argc > 1 && strcmp(argv[1], "jack") == 0)) {
    fputs(help, stderr);
    return 2;
  }
  Options options;
  int code = parse_options(argv + 2, &options);
  if (code != 0) return code;

  int64_t *durations = share_memory((size_t)options.cycles * sizeof *durations);
  (is_futex ? measure_futex : measure_jack)(&options, durations);
  for (int cycle = 0; cycle < options.cycles; ++cycle) {
    if (durations[cycle] == LATE) {
      puts("late");
    } else {
      printf("%" PRId64 "\n", durations[cycle]);
    }
  }
  return fflush(stdout) == 0 ? 0 : 1;
}
