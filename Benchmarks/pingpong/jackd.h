#pragma once

#include "options.h"

/// A JACK server with the dummy driver and a name of its own, on the host's processor.
typedef struct {
  char name[32];
  int process;
  int output;         ///< What it writes, for when something goes wrong.
  bool had_registry;  ///< Whether JACK's list of shared memory was there before.
} JackServer;

void start_jackd(JackServer *server, const Options *options);

/// Ends the server, waits for it, and leaves nothing of it in /dev/shm.
void stop_jackd(JackServer *server);

/// Copies the last of what the server has written to standard error.
void show_output(const JackServer *server);
