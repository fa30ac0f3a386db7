#include "jackd.h"

#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static const char registry[] = "/dev/shm/jack-shm-registry";

/// JACK clients run 5 priority levels below the server.
enum { CLIENT_PRIORITY_OFFSET = 5 };

void start_jackd(JackServer *server, const Options *options) {
  snprintf(server->name, sizeof server->name, "portative-%d", getpid());
  server->had_registry = access(registry, F_OK) == 0;
  server->output = memfd_create("jackd", MFD_CLOEXEC);
  if (server->output < 0) fail("memfd_create: %m");
  server->process = fork_bound(SIGTERM);
  if (server->process > 0) return;

  set_affinity(HOST_SIDE, options);
  int input = open("/dev/null", O_RDONLY);
  dup2(input, STDIN_FILENO);
  dup2(server->output, STDOUT_FILENO);
  dup2(server->output, STDERR_FILENO);
  setenv("JACK_NO_AUDIO_RESERVATION", "1", 1);
  char frames[16], rate[16], priority[16];
  snprintf(frames, sizeof frames, "%d", options->frames);
  snprintf(rate, sizeof rate, "%d", options->rate ? options->rate : 48000);
  snprintf(priority, sizeof priority, "-P%d", options->priority + CLIENT_PRIORITY_OFFSET);
  execlp("jackd", "jackd", "-n", server->name, options->is_fifo ? "-R" : "-r", priority, "-d",
         "dummy", "-r", rate, "-p", frames, NULL);
  fail("jackd: %m (Debian: jackd2)");
}

/// Calls `action`, if given, for each file that matches `pattern`.
///
/// - Returns: The number of files that match.
static size_t for_each_file(const char *pattern, int (*action)(const char *path)) {
  glob_t files = {0};
  if (glob(pattern, 0, NULL, &files) != 0) return 0;
  for (size_t index = 0; action && index < files.gl_pathc; ++index) action(files.gl_pathv[index]);
  size_t count = files.gl_pathc;
  globfree(&files);
  return count;
}

void stop_jackd(JackServer *server) {
  kill(server->process, SIGTERM);
  while (waitpid(server->process, NULL, 0) < 0 && errno == EINTR) {}
  // A server that crashes leaves its socket and its clients' futexes.
  char own[64];
  snprintf(own, sizeof own, "/dev/shm/jack_*%s_*", server->name);
  for_each_file(own, unlink);
  // JACK keeps its registry of segments for the next server. Remove it if this server created it and it is empty.
  if (!server->had_registry && for_each_file("/dev/shm/jack-[0-9]*", NULL) == 0) unlink(registry);
}

void show_output(const JackServer *server) {
  char end[1024];
  off_t size = lseek(server->output, 0, SEEK_END);
  off_t begin = size > (off_t)sizeof end ? size - (off_t)sizeof end : 0;
  ssize_t count = pread(server->output, end, sizeof end, begin);
  if (count > 0) fwrite(end, 1, (size_t)count, stderr);
}
