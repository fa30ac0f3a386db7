#pragma once

#include "options.h"
#include "word.h"

#include <stdint.h>

/// The clients, in the order in which JACK runs them in each cycle.
typedef enum { SOURCE, NODE, SINK } Role;
enum { ROLES = 3, RECENT_CYCLES = 4096 };

/// The memory that the clients' processes share.
typedef struct {
  Options options;
  char server[32];
  _Atomic int active;                     ///< The number of active clients.
  Word end;                               ///< Not 0: the source and the node end.
  _Atomic int64_t begins[RECENT_CYCLES];  ///< Written by the source: when it sent a cycle's number.
  int64_t *durations;                     ///< Written by the sink.
} Path;

/// Runs a client until it is done; ends the process on failure.
///
/// The sink returns when it has measured all cycles, the source and the node when `path->end` is posted.
void run_client(Role role, Path *path);
