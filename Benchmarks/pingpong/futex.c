// Two processes that share memory and wake each other: the lower bound for any connection.

#include "peers.h"
#include "process.h"
#include "unit.h"
#include "word.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

enum { CACHE_LINE = 64 };
static const uint32_t END = UINT32_MAX;

typedef struct {
  _Alignas(CACHE_LINE) Word request;  ///< Written by the host: the cycle to render.
  _Alignas(CACHE_LINE) Word answer;   ///< Written by the node: the cycle that it has rendered.
  _Alignas(CACHE_LINE) float left[MAXIMUM_FRAMES];
  float right[MAXIMUM_FRAMES];
} Connection;

static void serve(Connection *connection, const Options *options) {
  for (uint32_t cycle = 0;;) {
    cycle = wait_while_equal(&connection->request, cycle);
    if (cycle == END) return;
    render_unit(connection->left, cycle, options);
    render_unit(connection->right, cycle, options);
    post(&connection->answer, cycle);
  }
}

static int64_t render_cycle(Connection *connection, uint32_t cycle, const Options *options) {
  static float left[MAXIMUM_FRAMES], right[MAXIMUM_FRAMES];
  int64_t begin = now();
  post(&connection->request, cycle);
  wait_while_equal(&connection->answer, cycle - 1);
  uint32_t left_cycle = copy_channel(left, connection->left, options);
  uint32_t right_cycle = copy_channel(right, connection->right, options);
  int64_t end = now();
  if (left_cycle != cycle || right_cycle != cycle)
    fail("cycle %u returned the audio of cycles %u and %u", cycle, left_cycle, right_cycle);
  return end - begin;
}

static void sleep_until(int64_t time) {
  struct timespec moment = {time / 1000000000, time % 1000000000};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &moment, NULL) != 0) {}
}

static void handle_node_exit(int signal) {
  (void)signal;
  static const char text[] = "pingpong: the node process ended unexpectedly\n";
  if (write(STDERR_FILENO, text, sizeof text - 1) < 0) {}
  _exit(1);
}

void measure_futex(const Options *options, int64_t *durations) {
  Connection *connection = share_memory(sizeof *connection);
  signal(SIGCHLD, handle_node_exit);
  int node = fork_bound(SIGKILL);
  if (node == 0) {
    set_affinity(NODE_SIDE, options);
    set_policy(options);
    serve(connection, options);
    exit(0);
  }
  set_affinity(HOST_SIDE, options);
  set_policy(options);
  int64_t begin = now();
  int warm_up = warm_up_cycles(options);
  for (int cycle = 0; cycle < warm_up + options->cycles; ++cycle) {
    if (options->rate)
      sleep_until(begin + cycle * INT64_C(1000000000) * options->frames / options->rate);
    int64_t duration = render_cycle(connection, (uint32_t)cycle + 1, options);
    if (cycle >= warm_up) durations[cycle - warm_up] = duration;
  }
  signal(SIGCHLD, SIG_DFL);
  post(&connection->request, END);
  waitpid(node, NULL, 0);
}
