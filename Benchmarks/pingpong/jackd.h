#pragma once

#include "options.h"

/// A JACK server with the dummy driver and a unique name, on the host's processor.
typedef struct {
  char name[32];
  int process;
  int output;         ///< A file with the server's output, shown after a failure.
  bool had_registry;  ///< Whether JACK's registry of shared memory existed before.
} JackServer;

void start_jackd(JackServer *server, const Options *options);

/// Stops the server, waits until it ends, and removes its files from /dev/shm.
void stop_jackd(JackServer *server);

/// Copies the last 1024 bytes of the server's output to standard error.
void show_output(const JackServer *server);
