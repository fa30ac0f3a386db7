#include "CJACK.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

static struct jack_library jack;
static bool is_loaded;

static __typeof__(jack_client_open) *client_open;
static __typeof__(jack_get_cycle_times) *get_cycle_times;
static __typeof__(jack_get_time) *get_time;
static __typeof__(jack_midi_clear_buffer) *midi_clear_buffer;
static __typeof__(jack_midi_event_get) *midi_event_get;
static __typeof__(jack_midi_event_reserve) *midi_event_reserve;
static __typeof__(jack_midi_get_event_count) *midi_get_event_count;
static __typeof__(jack_midi_max_event_size) *midi_max_event_size;
static __typeof__(jack_port_get_buffer) *port_get_buffer;
static __typeof__(jack_set_error_function) *set_error_function;
static __typeof__(jack_set_info_function) *set_info_function;
static __typeof__(jack_transport_query) *transport_query;

static void say_nothing(const char *message) { (void)message; }

static atomic_uint cleanups;

// The only sign that JACK's library (1.9.21) frees clients in `jack_client_open`.
static void note_error(const char *message) {
  if (strstr(message, "clients are still allocated")) atomic_fetch_add(&cleanups, 1);
}

unsigned cjack_cleanups(void) { return atomic_load(&cleanups); }

static void load(void) {
  void *library = dlopen("libjack.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
#define FIND(variable, name)                                                                       \
  variable = (__typeof__(variable))dlsym(library, "jack_" #name);                                  \
  if (!(variable)) return;
#define FIND_FIELD(name) FIND(jack.name, name)
  JACK_FUNCTIONS(FIND_FIELD)
  FIND(client_open, client_open)
  FIND(get_cycle_times, get_cycle_times)
  FIND(get_time, get_time)
  FIND(midi_clear_buffer, midi_clear_buffer)
  FIND(midi_event_get, midi_event_get)
  FIND(midi_event_reserve, midi_event_reserve)
  FIND(midi_get_event_count, midi_get_event_count)
  FIND(midi_max_event_size, midi_max_event_size)
  FIND(port_get_buffer, port_get_buffer)
  FIND(set_error_function, set_error_function)
  FIND(set_info_function, set_info_function)
  FIND(transport_query, transport_query)
  set_error_function(note_error);
  set_info_function(say_nothing);
  is_loaded = true;
}

const struct jack_library *cjack_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return is_loaded ? &jack : NULL;
}

jack_client_t *cjack_open(const char *name, const char *server, jack_status_t *status) {
  int options = JackNoStartServer | (server ? JackServerName : 0);
  return client_open(name, options, status, server);
}

float *cjack_buffer(jack_port_t *port, jack_nframes_t frames) {
  return port_get_buffer(port, frames);
}

bool cjack_cycle(const jack_client_t *client, uint32_t *frame, int64_t *elapsed) {
  jack_time_t begin, end;
  float length;
  if (get_cycle_times(client, frame, &begin, &end, &length) != 0) return false;
  *elapsed = (int64_t)(get_time() - begin);
  return true;
}

uint32_t cjack_midi_count(void *buffer) { return midi_get_event_count(buffer); }

bool cjack_midi_get(void *buffer, uint32_t index, jack_midi_event_t *event) {
  return midi_event_get(event, buffer, index) == 0;
}

void cjack_midi_clear(void *buffer) { midi_clear_buffer(buffer); }

size_t cjack_midi_room(void *buffer) { return midi_max_event_size(buffer); }

uint8_t *cjack_midi_reserve(void *buffer, jack_nframes_t frame, size_t size) {
  return midi_event_reserve(buffer, frame, size);
}

void cjack_locate(jack_client_t *client, jack_nframes_t frame) {
  jack.transport_locate(client, frame);
}

bool cjack_transport(const jack_client_t *client, jack_position_t *position) {
  return transport_query(client, position) == JackTransportRolling;
}
