#pragma once

#include "options.h"
#include "word.h"

#include <stdint.h>

/// The clients, in the order in which JACK runs them in each cycle.
typedef enum { SOURCE, NODE, SINK } Role;
enum { ROLES = 3, RECENT_CYCLES = 4096 };

/// What the clients' processes share.
typedef struct {
  Options options;
  char server[32];
  _Atomic int active;                     ///< How many clients are active.
  Word end;                               ///< Not 0: the source and the node may go.
  _Atomic int64_t begins[RECENT_CYCLES];  ///< Source: when it sent a cycle's number.
  int64_t *durations;                     ///< Sink.
} Path;

/// The whole life of a client's process. Ends the process if it cannot be lived.
///
/// The sink goes when it has measured all cycles, the source and the node at `path->end`.
void run_client(Role role, Path *path);
