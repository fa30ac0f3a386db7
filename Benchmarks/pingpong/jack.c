// The same round trip through JACK, in one cycle of its graph. JACK runs a client once per cycle, so the
// host consists of two clients: one sends MIDI to the node, the other receives the node's audio.

#include "jackclient.h"
#include "jackd.h"
#include "peers.h"
#include "process.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

typedef struct {
  JackServer server;
  int clients[ROLES];
} Processes;

static volatile sig_atomic_t interruption;

static void record_signal(int signal) { interruption = signal; }

/// Lets signals, and an alarm after `seconds`, interrupt a wait, so that the server is always stopped.
static void watch_signals(unsigned seconds) {
  static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGALRM};
  struct sigaction action = {.sa_handler = record_signal};
  for (int index = 0; index < 4; ++index) sigaction(signals[index], &action, NULL);
  alarm(seconds);
}

/// Waits until a client exits with status 0.
///
/// Any other event first (a failed client, the server's end, a signal) stops all processes and fails.
static void await_client(Processes *processes) {
  int status;
  int ended = waitpid(-1, &status, 0);
  if (ended > 0 && ended != processes->server.process && status == 0) return;

  show_output(&processes->server);
  stop_jackd(&processes->server);
  for (int role = 0; role < ROLES; ++role) kill(processes->clients[role], SIGKILL);
  if (ended == processes->server.process) fail("jackd ended unexpectedly");
  if (ended > 0) fail("a JACK client failed");
  fail(interruption == SIGALRM ? "JACK did not finish in time" : "interrupted");
}

void measure_jack(const Options *options, int64_t *durations) {
  Path *path = share_memory(sizeof *path);
  path->options = *options;
  if (path->options.rate == 0) path->options.rate = 48000;
  path->durations = durations;

  Processes processes = {0};
  start_jackd(&processes.server, &path->options);
  strcpy(path->server, processes.server.name);
  for (Role role = SOURCE; role < ROLES; ++role) {
    processes.clients[role] = fork_bound(SIGKILL);
    if (processes.clients[role] > 0) continue;
    run_client(role, path);
    exit(0);
  }
  double seconds = 1.1 * options->cycles * options->frames / path->options.rate;
  watch_signals(20 + 2 * (unsigned)seconds);
  // The sink ends first because the others wait for `end`.
  await_client(&processes);
  post(&path->end, 1);
  await_client(&processes);
  await_client(&processes);
  stop_jackd(&processes.server);
}
