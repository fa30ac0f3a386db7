// Loads the library, plays a port and unloads the library, twice: as hosts do with a plugin that uses it. The host's
// handlers of signals must stay as they are: Swift's runtime has some of its own, which write a trace of a crash.
//
//   plugin NAME
#define _DEFAULT_SOURCE
#include <dlfcn.h>
#include <portative/host.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>

// The conversion that POSIX recommends.
#define FIND(name)                                                                                        \
  __typeof__(&name) p_##name;                                                                             \
  *(void **)&p_##name = dlsym(library, #name)

static int play(void *library, const char *name) {
  FIND(portative_error_create);
  FIND(portative_error_message);
  FIND(portative_error_free);
  FIND(portative_host_create);
  FIND(portative_host_free);
  FIND(portative_components_create);
  FIND(portative_components_get);
  FIND(portative_components_free);
  FIND(portative_host_connect);
  FIND(portative_connection_initialize);
  FIND(portative_connection_render);
  FIND(portative_connection_free);

  portative_error *error = p_portative_error_create();
  portative_query query = {.size = sizeof query, .name = name};
  portative_components *list = p_portative_components_create(&query, PORTATIVE_BY_MAKER_AND_NAME);
  portative_host *host = p_portative_host_create("Plugin", NULL, NULL);
  portative_connection *connection =
      p_portative_host_connect(host, p_portative_components_get(list, 0), 5, error);
  p_portative_components_free(list);
  // A realtime connection, which has a thread for its deadlines.
  portative_initialization initialization = {.size = sizeof initialization, .sample_rate = 44100,
                                             .output_channels = 1, .maximum_frames = 16,
                                             .deadline_fraction = 1000};
  int result = -1;
  if (connection && p_portative_connection_initialize(connection, &initialization, error) == 0)
    result = p_portative_connection_render(connection, 1, 0, NULL, 0, NULL) == PORTATIVE_RENDERED ? 0 : -1;
  if (result) fprintf(stderr, "plugin: %s\n", p_portative_error_message(error));
  p_portative_connection_free(connection);
  p_portative_host_free(host);
  p_portative_error_free(error);
  return result;
}

typedef void (*signal_handler)(int, siginfo_t *, void *);

static void read_handlers(signal_handler handlers[NSIG]) {
  for (int number = 1; number < NSIG; number++) {
    struct sigaction action = {0};
    sigaction(number, NULL, &action);
    handlers[number] = action.sa_sigaction;
  }
}

int main(int count, char **arguments) {
  signal_handler before[NSIG], after[NSIG];
  read_handlers(before);
  for (int i = 0; i < 2; i++) {
    void *library = dlopen("libportative.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!library || count < 2) {
      fprintf(stderr, "plugin: %s\n", dlerror());
      return 1;
    }
    if (play(library, arguments[1])) return 1;
    read_handlers(after);
    for (int number = 1; number < NSIG; number++) {
      if (before[number] == after[number]) continue;
      fprintf(stderr, "plugin: the library has changed the handler of signal %d\n", number);
      return 1;
    }
    dlclose(library);
    nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
  }
  return 0;
}
