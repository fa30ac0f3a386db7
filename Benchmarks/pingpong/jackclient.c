#include "jackclient.h"

#include "libjack.h"
#include "peers.h"
#include "process.h"
#include "unit.h"

#include <sched.h>

static Path *path;
static JackPort *midi, *left, *right;

/// Used by the sink: not 0 when all cycles are measured.
static Word result;
enum { MEASURED = 1, WRONG_POLICY };

/// The source sends a cycle's number to the node in a system-exclusive message, 7 bits per byte.
enum { MESSAGE_LENGTH = 6, MAXIMUM_NUMBER = (1 << 21) - 1 };

static void write_number(void *buffer, uint32_t number) {
  const uint8_t message[MESSAGE_LENGTH] = {
      0xF0, 0x7D, number >> 14 & 0x7F, number >> 7 & 0x7F, number & 0x7F, 0xF7};
  jack.midi_clear_buffer(buffer);
  jack.midi_event_write(buffer, 0, message, sizeof message);
}

/// - Returns: The cycle's number, or 0 if the buffer holds no valid message.
static uint32_t read_number(void *buffer) {
  JackMIDIEvent event;
  if (jack.midi_get_event_count(buffer) == 0) return 0;
  if (jack.midi_event_get(&event, buffer, 0) != 0 || event.size != MESSAGE_LENGTH) return 0;
  return (uint32_t)event.buffer[2] << 14 | (uint32_t)event.buffer[3] << 7 | event.buffer[4];
}

/// Process callback of the source. The round trip begins after the event is written.
static int run_source(uint32_t frames, void *unused) {
  (void)unused;
  static uint32_t cycle;
  if (cycle == MAXIMUM_NUMBER) return 0;
  cycle += 1;
  write_number(jack.port_get_buffer(midi, frames), cycle);
  atomic_store_explicit(&path->begins[cycle % RECENT_CYCLES], now(), memory_order_relaxed);
  return 0;
}

static int run_node(uint32_t frames, void *unused) {
  (void)unused;
  uint32_t cycle = read_number(jack.port_get_buffer(midi, frames));
  render_unit(jack.port_get_buffer(left, frames), cycle, &path->options);
  render_unit(jack.port_get_buffer(right, frames), cycle, &path->options);
  return 0;
}

/// Stores a duration, unless it belongs to the warm-up or all are stored; the last one sets `result`.
static void record(int64_t duration) {
  static int skipped, count;
  if (skipped < warm_up_cycles(&path->options)) {
    skipped += 1;
  } else if (count < path->options.cycles) {
    path->durations[count++] = duration;
    if (count == path->options.cycles) {
      bool is_fifo = (sched_getscheduler(0) & ~SCHED_RESET_ON_FORK) == SCHED_FIFO;
      post(&result, is_fifo == path->options.is_fifo ? MEASURED : WRONG_POLICY);
    }
  }
}

/// Process callback of the sink. The round trip ends when the audio is copied.
static int run_sink(uint32_t frames, void *unused) {
  (void)unused;
  static float output[2][MAXIMUM_FRAMES];
  static uint32_t last;
  uint32_t cycle = copy_channel(output[0], jack.port_get_buffer(left, frames), &path->options);
  copy_channel(output[1], jack.port_get_buffer(right, frames), &path->options);
  int64_t end = now();
  if (cycle <= last) return 0;  // The node is not connected yet or has missed this cycle.
  for (uint32_t lost = last + 1; last > 0 && lost < cycle; ++lost) record(LATE);
  record(end - atomic_load_explicit(&path->begins[cycle % RECENT_CYCLES], memory_order_relaxed));
  last = cycle;
  return 0;
}

static const struct {
  const char *name;
  int (*process)(uint32_t frames, void *);
  unsigned long midi, audio;  // The direction of the ports; 0: no ports.
} roles[ROLES] = {
    [SOURCE] = {"source", run_source, JACK_PORT_IS_OUTPUT, 0},
    [NODE] = {"node", run_node, JACK_PORT_IS_INPUT, JACK_PORT_IS_OUTPUT},
    [SINK] = {"sink", run_sink, 0, JACK_PORT_IS_INPUT},
};

static void ignore_message(const char *text) { (void)text; }

/// Waits up to 5 s for the server and opens a client.
static JackClient *open_client(const char *name) {
  enum { OPTIONS = JACK_NO_START_SERVER | JACK_USE_EXACT_NAME | JACK_SERVER_NAME };
  for (int attempt = 0; attempt < 500; ++attempt) {
    JackClient *client = jack.client_open(name, OPTIONS, NULL, path->server);
    if (client) return client;
    usleep(10000);
  }
  fail("'%s' found no JACK server '%s' within 5 s", name, path->server);
}

static JackPort *open_port(JackClient *client, const char *name, const char *type,
                           unsigned long direction) {
  if (direction == 0) return NULL;
  JackPort *port = jack.port_register(client, name, type, direction, 0);
  if (!port) fail("cannot register the JACK port '%s'", name);
  return port;
}

static void connect_ports(JackClient *client) {
  static const char *const ends[][2] = {
      {"source:midi", "node:midi"}, {"node:left", "sink:left"}, {"node:right", "sink:right"}};
  for (int index = 0; index < 3; ++index)
    if (jack.connect(client, ends[index][0], ends[index][1]) != 0)
      fail("cannot connect the JACK port %s to %s", ends[index][0], ends[index][1]);
}

void run_client(Role role, Path *shared) {
  path = shared;
  set_affinity(role == NODE ? NODE_SIDE : HOST_SIDE, &path->options);
  load_jack();
  jack.set_error_function(ignore_message);
  jack.set_info_function(ignore_message);
  JackClient *client = open_client(roles[role].name);
  midi = open_port(client, "midi", JACK_MIDI_TYPE, roles[role].midi);
  left = open_port(client, "left", JACK_AUDIO_TYPE, roles[role].audio);
  right = open_port(client, "right", JACK_AUDIO_TYPE, roles[role].audio);
  jack.set_process_callback(client, roles[role].process, NULL);
  if (jack.activate(client) != 0) fail("cannot activate the JACK client '%s'", roles[role].name);

  atomic_fetch_add(&path->active, 1);
  if (role == SINK) {
    while (atomic_load(&path->active) < ROLES) usleep(1000);
    connect_ports(client);
    if (wait_while_equal(&result, 0) == WRONG_POLICY)
      fail("JACK does not run its clients under SCHED_%s",
           path->options.is_fifo ? "FIFO" : "OTHER");
  } else {
    wait_while_equal(&path->end, 0);
  }
  jack.client_close(client);
}
