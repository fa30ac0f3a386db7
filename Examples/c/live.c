// A realtime host in C: plays a phrase until SIGINT or SIGTERM. It plays on after late cycles, after the connection was
// parked, and when the node has ended and runs again. It has no sound device: a clock asks for each cycle as a device would.
//
//   cc -o live live.c $(pkg-config --cflags --libs portative) -pthread
//   ./live 'Example: Saw'
#define _POSIX_C_SOURCE 200809L
#include <portative/host.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

enum { SAMPLE_RATE = 48000, FRAMES = 256, CHANNELS = 2, STEP = SAMPLE_RATE / 4 };

// ---- The render thread: no memory allocation, no locks, no files, and nothing is printed

// The connection that the render thread plays. While it is NULL, the connection belongs to the main thread, which may then
// initialize or free it.
static _Atomic(portative_connection *) playing;
static atomic_uint rendered_cycles, late_cycles, silent_cycles;
static atomic_int priority;
static atomic_bool is_over;

static void end(int signal) {
  (void)signal;
  atomic_store(&is_over, true);
}

static void schedule_phrase(portative_connection *connection, int64_t position) {
  static const uint8_t keys[] = {60, 64, 67, 72, 76, 72, 67, 64};
  int64_t step = (position + STEP - 1) / STEP, offset = step * STEP - position;
  if (offset >= FRAMES) return;
  uint8_t key = keys[step % 8], last = keys[(step + 7) % 8];
  portative_connection_schedule(connection, offset, (const uint8_t[]){0x80, last, 64}, 3);
  portative_connection_schedule(connection, offset, (const uint8_t[]){0x90, key, 100}, 3);
}

// Renders a cycle, as the callback of a sound device would.
static void render(int64_t position, float *const output[]) {
  portative_connection *connection = atomic_load(&playing);
  if (!connection) {
    atomic_fetch_add(&silent_cycles, 1);
    return;
  }
  schedule_phrase(connection, position);
  switch (portative_connection_render(connection, FRAMES, 0, NULL, 0, output)) {
  case PORTATIVE_RENDERED: atomic_fetch_add(&rendered_cycles, 1); break;
  // Silence. What was scheduled acts when the node answers again.
  case PORTATIVE_LATE: atomic_fetch_add(&late_cycles, 1); break;
  // Parked or lost: the main thread gets the connection back.
  default: atomic_store(&playing, NULL); break;
  }
}

static void *run(void *context) {
  (void)context;
  portative_error *error = portative_error_create();
  int permitted = portative_request_realtime_priority(70, error);
  if (permitted < 0) fprintf(stderr, "live: without realtime priority: %s\n", portative_error_message(error));
  portative_error_free(error);
  atomic_store(&priority, permitted);

  static float left[FRAMES], right[FRAMES];
  float *const output[] = {left, right};
  struct timespec next;
  clock_gettime(CLOCK_MONOTONIC, &next);
  for (int64_t position = 0; !atomic_load(&is_over); position += FRAMES) {
    render(position, output);
    next.tv_nsec += (long)FRAMES * 1000000000 / SAMPLE_RATE;
    if (next.tv_nsec >= 1000000000) {
      next.tv_nsec -= 1000000000;
      next.tv_sec++;
    }
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
  }
  return NULL;
}

// ---- The main thread: connects, initializes, prints

// Connects to the instrument with a name. Returns NULL and prints the reason if that is not possible now.
static portative_connection *connect_to(portative_host *host, const char *name, portative_error *error) {
  portative_query query = {.size = sizeof query, .type = PORTATIVE_INSTRUMENT, .name = name};
  portative_components *components = portative_components_create(&query, PORTATIVE_BY_LAST_USE);
  const portative_component *component = portative_components_get(components, 0);
  portative_connection *connection = component ? portative_host_connect(host, component, 5, error) : NULL;
  if (!component) printf("no node has the instrument '%s'\n", name);
  else if (!connection) printf("cannot connect: %s\n", portative_error_message(error));
  portative_components_free(components);
  return connection;
}

// Lets the render thread play a connection that is open or parked.
static bool start(portative_connection *connection, portative_error *error) {
  portative_initialization initialization = {.size = sizeof initialization,
                                             .sample_rate = SAMPLE_RATE,
                                             .output_channels = CHANNELS,
                                             .maximum_frames = FRAMES,
                                             .priority = atomic_load(&priority)};
  if (portative_connection_initialize(connection, &initialization, error)) {
    printf("cannot initialize: %s\n", portative_error_message(error));
    return false;
  }
  atomic_store(&playing, connection);
  return true;
}

static void print_state(const portative_connection *connection) {
  char *text = portative_connection_status_text(connection);
  printf("%s\n", text);
  portative_free_string(text);
}

// Prints what has happened to the cycles since the last call.
static void print_cycles(const portative_connection *connection) {
  static unsigned rendered, late;
  static bool has_played, plays;
  unsigned now_rendered = atomic_load(&rendered_cycles), now_late = atomic_load(&late_cycles);
  if (now_late != late) {
    printf("late cycles: %u\n", now_late - late);
    plays = false;
  }
  if (now_rendered != rendered && !plays) {
    int32_t process;
    const char *node = portative_connection_node(connection, &process);
    const char *port = portative_connection_port(connection)->name;
    printf("'%s' of node '%s' (process %d) plays%s\n", port, node, (int)process, has_played ? " again" : "");
    has_played = plays = true;
  }
  // While there is no connection to play, it does not.
  if (!atomic_load(&playing)) plays = false;
  rendered = now_rendered;
  late = now_late;
}

int main(int count, char **arguments) {
  if (count != 2) {
    fprintf(stderr, "usage: live NAME\n");
    return 2;
  }
  setvbuf(stdout, NULL, _IOLBF, 0);
  signal(SIGINT, end);
  signal(SIGTERM, end);
  portative_error *error = portative_error_create();
  portative_host *host = portative_host_create("Live host in C", NULL, NULL);
  portative_connection *connection = NULL;
  pthread_t thread;
  if (pthread_create(&thread, NULL, run, NULL)) {
    perror("live");
    return 1;
  }
  while (atomic_load(&priority) == 0) nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);

  while (!atomic_load(&is_over)) {
    if (connection) print_cycles(connection);
    else connection = connect_to(host, arguments[1], error);
    if (connection && !atomic_load(&playing)) {
      portative_connection_status status = {.size = sizeof status};
      portative_connection_get_status(connection, &status);
      if (status.state != PORTATIVE_OPEN) print_state(connection);
      if (status.state == PORTATIVE_LOST || !start(connection, error)) {
        portative_connection_free(connection);
        connection = NULL;
      }
    }
    nanosleep(&(struct timespec){.tv_nsec = connection ? 50000000 : 500000000}, NULL);
  }
  pthread_join(thread, NULL);
  portative_connection_free(connection);
  portative_host_free(host);
  portative_error_free(error);
  printf("%u cycles rendered, %u late, %u without the instrument\n", atomic_load(&rendered_cycles),
         atomic_load(&late_cycles), atomic_load(&silent_cycles));
  return 0;
}
