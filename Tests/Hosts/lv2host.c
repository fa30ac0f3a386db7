// A host that loads a plugin without lilv and breaks LV2's rules.
//
//   lv2host SHARED-OBJECT BUNDLE URI AUDIO-INPUTS AUDIO-OUTPUTS PARAMETERS TEST
//
// In every test, the plugin must not crash, must write each sample of its outputs (a finite one), and must not touch
// memory beyond a buffer's end, where an inaccessible page lies. What else it must do stands above each test. Exit
// status 0 if it does; what was measured goes to standard output.
#include <dlfcn.h>
#include <lv2/atom/atom.h>
#include <lv2/buf-size/buf-size.h>
#include <lv2/core/lv2.h>
#include <lv2/log/log.h>
#include <lv2/midi/midi.h>
#include <lv2/options/options.h>
#include <lv2/patch/patch.h>
#include <lv2/state/state.h>
#include <lv2/time/time.h>
#include <lv2/urid/urid.h>
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define expect(condition, ...)                                  \
  do {                                                          \
    if (!(condition)) fail(#condition, __VA_ARGS__);            \
  } while (0)

__attribute__((noreturn, format(printf, 2, 3))) static void fail(const char *condition, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fprintf(stderr, " (not true: %s)\n", condition);
  _exit(1);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

// MARK: What the host offers

static const char *uris[256];
static LV2_URID uri_count;
static pthread_mutex_t uris_mutex = PTHREAD_MUTEX_INITIALIZER;

// The plugin's worker may call it, too.
static LV2_URID map_uri(LV2_URID_Map_Handle handle, const char *uri) {
  pthread_mutex_lock(&uris_mutex);
  LV2_URID id = 0;
  while (id < uri_count && strcmp(uris[id], uri)) id++;
  if (id == uri_count) {
    expect(uri_count < 256, "the plugin maps too many URIs");
    uris[uri_count++] = strdup(uri);
  }
  pthread_mutex_unlock(&uris_mutex);
  return id + 1;
}

static int log_valist(LV2_Log_Handle handle, LV2_URID type, const char *format, va_list arguments) {
  return vfprintf(stderr, format, arguments);
}

static int log_line(LV2_Log_Handle handle, LV2_URID type, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int count = log_valist(handle, type, format, arguments);
  va_end(arguments);
  return count;
}

// The longest cycle that the host promises, and the longest that a test renders.
enum { PROMISED = 256, LONGEST = 4096 };

static LV2_URID_Map map = {NULL, map_uri};
static LV2_Log_Log host_log = {NULL, log_line, log_valist};
static LV2_Options_Option options[2];
static const LV2_Feature map_feature = {LV2_URID__map, &map};
static const LV2_Feature log_feature = {LV2_LOG__log, &host_log};
static const LV2_Feature options_feature = {LV2_OPTIONS__options, options};
static const LV2_Feature *const features[] = {&map_feature, &log_feature, &options_feature, NULL};
static const LV2_Feature *const no_features[] = {NULL};

// MARK: The plugin

// The order of PluginPorts.swift.
enum { EVENTS, NOTIFICATIONS, FREEWHEEL, ENABLED, LATENCY, FIRST_AUDIO };
enum { CHANNELS = 32, CONTROLS = 256, ATOM_CAPACITY = 4096, RATE = 48000 };

static const LV2_Descriptor *descriptor;
static int input_count, output_count, parameter_count;

typedef struct {
  LV2_Handle handle;
  // These end where an inaccessible page begins.
  uint8_t *events, *notifications;
  float *inputs[CHANNELS], *outputs[CHANNELS];
  uint32_t events_capacity, notifications_capacity;
  float controls[CONTROLS];
} Plugin;

// Allocates memory that ends where an inaccessible page begins.
static void *guarded(size_t size) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE), length = (size + page - 1) / page * page;
  uint8_t *memory = mmap(NULL, length + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  expect(memory != MAP_FAILED, "no memory");
  mprotect(memory + length, page, PROT_NONE);
  return memory + length - size;
}

static LV2_Atom_Sequence *sequence(Plugin *plugin) { return (LV2_Atom_Sequence *)plugin->events; }

static void clear_events(Plugin *plugin) {
  *sequence(plugin) = (LV2_Atom_Sequence){{sizeof(LV2_Atom_Sequence_Body), map_uri(NULL, LV2_ATOM__Sequence)}, {0, 0}};
}

static LV2_Atom_Event *add_event(Plugin *plugin, int64_t frame, const char *type, const void *body, uint32_t size) {
  uint32_t length = sizeof(LV2_Atom_Event) + (size + 7) / 8 * 8;
  expect(8 + sequence(plugin)->atom.size + length <= plugin->events_capacity, "a test has too many events");
  LV2_Atom_Event *event = (LV2_Atom_Event *)(plugin->events + 8 + sequence(plugin)->atom.size);
  memset(event, 0, length);
  event->time.frames = frame;
  event->body = (LV2_Atom){size, map_uri(NULL, type)};
  memcpy(event + 1, body, size);
  sequence(plugin)->atom.size += length;
  return event;
}

static void add_midi(Plugin *plugin, int64_t frame, uint8_t status, uint8_t data1, uint8_t data2) {
  add_event(plugin, frame, LV2_MIDI__MidiEvent, (uint8_t[]){status, data1, data2}, 3);
}

static Plugin *make_plugin(void) {
  Plugin *plugin = calloc(1, sizeof *plugin);
  plugin->handle = descriptor->instantiate(descriptor, RATE, "", features);
  expect(plugin->handle, "the plugin is not instantiated");
  plugin->events = guarded(plugin->events_capacity = ATOM_CAPACITY);
  plugin->notifications = guarded(plugin->notifications_capacity = ATOM_CAPACITY);
  for (int i = 0; i < input_count; i++) plugin->inputs[i] = guarded(LONGEST * sizeof(float));
  for (int i = 0; i < output_count; i++) plugin->outputs[i] = guarded(LONGEST * sizeof(float));
  // A NaN leaves a parameter as it is. Without a deadline, the first cycle waits for the node, and none is late.
  for (int i = 0; i < parameter_count; i++) plugin->controls[i + FIRST_AUDIO] = NAN;
  plugin->controls[FREEWHEEL] = plugin->controls[ENABLED] = 1;
  clear_events(plugin);
  return plugin;
}

static void *memory_of_port(Plugin *plugin, int port, uint32_t frames) {
  if (port == EVENTS) return plugin->events;
  if (port == NOTIFICATIONS) return plugin->notifications;
  if (port < FIRST_AUDIO) return &plugin->controls[port];
  port -= FIRST_AUDIO;
  // The frames of the cycle end where the memory ends.
  if (port < input_count) return plugin->inputs[port] + LONGEST - frames;
  port -= input_count;
  if (port < output_count) return plugin->outputs[port] + LONGEST - frames;
  port -= output_count;
  return &plugin->controls[FIRST_AUDIO + port];
}

static int port_count(void) { return FIRST_AUDIO + input_count + output_count + parameter_count; }

static void connect(Plugin *plugin, uint32_t frames) {
  for (int port = 0; port < port_count(); port++)
    descriptor->connect_port(plugin->handle, (uint32_t)port, memory_of_port(plugin, port, frames));
}

static void activate(Plugin *plugin) {
  if (descriptor->activate) descriptor->activate(plugin->handle);
}

static Plugin *open_plugin(void) {
  Plugin *plugin = make_plugin();
  activate(plugin);
  return plugin;
}

static void close_plugin(Plugin *plugin) {
  if (descriptor->deactivate) descriptor->deactivate(plugin->handle);
  descriptor->cleanup(plugin->handle);
  plugin->handle = NULL;
}

static const uint32_t POISON = 0x7fc0dead;

static void poison_outputs(Plugin *plugin) {
  for (int channel = 0; channel < output_count; channel++)
    for (int i = 0; i < LONGEST; i++) memcpy(&plugin->outputs[channel][i], &POISON, sizeof POISON);
}

static void prepare_notifications(Plugin *plugin) {
  // At the beginning of a cycle, the host writes the capacity behind the header.
  *(LV2_Atom *)plugin->notifications = (LV2_Atom){plugin->notifications_capacity - (uint32_t)sizeof(LV2_Atom), 0};
}

// Checks the outputs of a cycle: every sample is written and finite, and none before. Returns the peak.
static float check_outputs(Plugin *plugin, uint32_t frames) {
  float peak = 0;
  for (int channel = 0; channel < output_count; channel++)
    for (uint32_t i = 0; i < LONGEST; i++) {
      uint32_t bits;
      memcpy(&bits, &plugin->outputs[channel][i], sizeof bits);
      if (i < LONGEST - frames) {
        expect(bits == POISON, "a sample before the output is written");
        continue;
      }
      expect(bits != POISON, "frame %u of %u of channel %d is not written", i - (LONGEST - frames), frames, channel);
      expect(isfinite(plugin->outputs[channel][i]), "a sample is not finite");
      peak = fmaxf(peak, fabsf(plugin->outputs[channel][i]));
    }
  return peak;
}

// Renders a cycle with the events added since the one before. Returns the peak.
static float run(Plugin *plugin, uint32_t frames) {
  poison_outputs(plugin);
  prepare_notifications(plugin);
  connect(plugin, frames);
  descriptor->run(plugin->handle, frames);
  clear_events(plugin);
  return check_outputs(plugin, frames);
}

// A note is louder than this, and a reverb is softer after some seconds. FluidSynth's never becomes silent.
static const float AUDIBLE = 1e-3f;

// Renders up to a second until there is sound.
static bool sounds_within_a_second(Plugin *plugin) {
  for (int frames = 0; frames < RATE; frames += PROMISED)
    if (run(plugin, PROMISED) > AUDIBLE) return true;
  return false;
}

// Ends all sound and renders up to 30 s until there is silence. Returns the peak.
static float end_sound(Plugin *plugin, int64_t frame) {
  add_midi(plugin, frame, 0xB0, 120, 0);
  float peak = 1;
  for (int cycle = 0; peak > AUDIBLE / 10 && cycle < 30 * RATE / PROMISED; cycle++) peak = run(plugin, PROMISED);
  return peak;
}

static void expect_note(Plugin *plugin, const char *when) {
  add_midi(plugin, 0, 0x90, 60, 100);
  expect(sounds_within_a_second(plugin), "a note is silent %s", when);
  end_sound(plugin, 0);
}

// MARK: State

typedef struct {
  char *text;
  size_t size;
  LV2_URID type;
} State;

static LV2_State_Status store(LV2_State_Handle handle, uint32_t key, const void *value, size_t size, uint32_t type,
                              uint32_t flags) {
  State *state = handle;
  *state = (State){memcpy(malloc(size), value, size), size, type};
  expect(flags & LV2_STATE_IS_PORTABLE, "the state is not portable");
  return LV2_STATE_SUCCESS;
}

static const void *retrieve(LV2_State_Handle handle, uint32_t key, size_t *size, uint32_t *type, uint32_t *flags) {
  const State *state = handle;
  *size = state->size;
  *type = state->type;
  *flags = LV2_STATE_IS_POD | LV2_STATE_IS_PORTABLE;
  return state->text;
}

static State save(Plugin *plugin) {
  const LV2_State_Interface *interface = descriptor->extension_data(LV2_STATE__interface);
  State state = {0};
  expect(interface->save(plugin->handle, store, &state, LV2_STATE_IS_POD, no_features) == LV2_STATE_SUCCESS, "no save");
  return state;
}

static void restore(Plugin *plugin, State state) {
  const LV2_State_Interface *interface = descriptor->extension_data(LV2_STATE__interface);
  // Its end, too, lies before an inaccessible page.
  char *copy = guarded(state.size);
  if (state.text) memcpy(copy, state.text, state.size);
  state.text = state.text ? copy : NULL;
  interface->restore(plugin->handle, retrieve, &state, 0, no_features);
}

static State string(const char *text) {
  return (State){(char *)text, strlen(text) + 1, map_uri(NULL, LV2_ATOM__String)};
}

// MARK: Tests

// A cycle of no frames takes its events.
static void zero_frames(void) {
  Plugin *plugin = open_plugin();
  for (int i = 0; i < 100; i++) run(plugin, 0);
  expect_note(plugin, "after cycles of no frames");
  add_midi(plugin, 0, 0x90, 60, 100);
  run(plugin, 0);
  expect(sounds_within_a_second(plugin), "a note of a cycle of no frames is lost");
  close_plugin(plugin);
}

// A cycle that is longer than promised sounds to its end.
static void more_frames_than_promised(void) {
  Plugin *plugin = open_plugin();
  expect_note(plugin, "at first");
  for (uint32_t frames = PROMISED; frames <= LONGEST; frames += 379) run(plugin, frames);
  add_midi(plugin, LONGEST - 1000, 0x90, 60, 100);
  expect(run(plugin, LONGEST) > AUDIBLE, "a note at the end of a long cycle is silent");
  close_plugin(plugin);
}

// Events before the cycle act on its first frame, and those after it on its last one. A note-off is not lost.
static void events_beyond_the_cycle(void) {
  Plugin *plugin = open_plugin();
  expect_note(plugin, "at first");
  static const int64_t frames[] = {-1, INT64_MIN, PROMISED, PROMISED + 1, INT32_MAX, INT64_MAX};
  for (int i = 0; i < 6; i++) {
    add_midi(plugin, 0, 0xB0, 121, 0);
    add_midi(plugin, frames[i], 0x90, 60, 100);
    expect(sounds_within_a_second(plugin), "the note at frame %lld is silent", (long long)frames[i]);
    float peak = end_sound(plugin, frames[i]);
    expect(peak < AUDIBLE, "the end of sound at frame %lld is lost: a peak of %g", (long long)frames[i], (double)peak);
  }
  close_plugin(plugin);
}

static uint32_t random_state = 1;

static uint32_t chance(uint32_t limit) {
  random_state = random_state * 1664525 + 1013904223;
  return (uint32_t)((uint64_t)random_state * limit >> 32);
}

static void add_random_event(Plugin *plugin) {
  static const char *const types[] = {
      LV2_MIDI__MidiEvent, LV2_ATOM__Object, LV2_ATOM__Blank, LV2_ATOM__Float, LV2_ATOM__Sequence, LV2_ATOM__Tuple};
  static const char *const keys[] = {
      LV2_TIME__frame, LV2_TIME__speed, LV2_TIME__bar, LV2_TIME__barBeat, LV2_TIME__beatUnit, LV2_TIME__beatsPerBar,
      LV2_TIME__beatsPerMinute, LV2_PATCH__property, LV2_PATCH__value, LV2_PATCH__subject};
  static const char *const values[] = {
      LV2_ATOM__Int, LV2_ATOM__Long, LV2_ATOM__Float, LV2_ATOM__Double, LV2_ATOM__URID, LV2_ATOM__String};
  uint32_t body[32], size = chance(sizeof body + 1);
  for (int i = 0; i < 32; i++) body[i] = chance(4) ? chance(256) : chance(UINT32_MAX);
  const char *type = types[chance(6)];
  if (chance(4) && type != types[0]) {
    // An object with properties whose sizes may be wrong.
    body[0] = 0;
    body[1] = map_uri(NULL, chance(2) ? LV2_TIME__Position : LV2_PATCH__Set);
    for (int i = 2; i + 6 <= 32; i += 6) {
      body[i] = map_uri(NULL, keys[chance(10)]);
      body[i + 1] = 0;
      body[i + 2] = chance(3) ? 8 : chance(40);
      body[i + 3] = map_uri(NULL, values[chance(6)]);
      if (chance(3) == 0) body[i + 4] = map_uri(NULL, "urn:portative:port");
    }
  } else if (type == types[0] && chance(4)) {
    ((uint8_t *)body)[0] = (uint8_t)(0x80 + chance(128));
    ((uint8_t *)body)[1] = (uint8_t)chance(256);
  }
  add_event(plugin, (int64_t)chance(PROMISED), type, body, size);
}

// Events whose sizes, types or contents are wrong are ignored. The plugin reads nothing beyond the sequence, and plays
// the next valid note.
static void garbage_atoms(void) {
  Plugin *plugin = open_plugin();
  expect_note(plugin, "at first");
  uint8_t *end = plugin->events + plugin->events_capacity;
  for (int round = 0; round < 5000; round++) {
    for (uint32_t i = chance(8); i > 0; i--) add_random_event(plugin);
    // Moves the sequence to the end of the memory.
    uint32_t size = 8 + sequence(plugin)->atom.size;
    uint8_t *events = plugin->events, *moved = end - size;
    memmove(moved, events, size);
    plugin->events = moved;
    LV2_Atom_Sequence *atom = sequence(plugin);
    uint32_t *words = (uint32_t *)moved;
    switch (chance(8)) {
    case 0:
      // Damages headers and contents, but not the sequence's own size.
      for (int i = 0; i < 4 && size > 16; i++) words[4 + chance(size / 4 - 4)] = chance(UINT32_MAX);
      break;
    case 1: atom->atom.size -= chance(atom->atom.size + 1); break;
    case 2: atom->atom.type = chance(64); break;
    case 3: atom->body.unit = chance(UINT32_MAX); break;
    case 4:
      if (size > 16)
        ((LV2_Atom_Event *)(atom + 1))->body.size = chance(2) ? UINT32_MAX - chance(32) : size + chance(64);
      break;
    }
    poison_outputs(plugin);
    prepare_notifications(plugin);
    connect(plugin, PROMISED);
    descriptor->run(plugin->handle, PROMISED);
    check_outputs(plugin, PROMISED);
    plugin->events = events;
    clear_events(plugin);
  }
  for (uint8_t channel = 0; channel < 16; channel++) {
    add_midi(plugin, 0, 0xB0 | channel, 120, 0);
    add_midi(plugin, 0, 0xB0 | channel, 121, 0);
  }
  // A controller reset keeps the volume, the pan and the preset.
  add_midi(plugin, 0, 0xB0, 7, 100);
  add_midi(plugin, 0, 0xB0, 0, 0);
  add_midi(plugin, 0, 0xC0, 0, 0);
  expect_note(plugin, "after garbage");
  close_plugin(plugin);
}

// The plugin writes no more than fits, and a whole sequence or none.
static void a_full_output_buffer(void) {
  Plugin *plugin = open_plugin();
  expect_note(plugin, "at first");
  uint8_t *end = plugin->notifications + plugin->notifications_capacity;
  for (uint32_t capacity = 8; capacity <= 128; capacity += 8)
    for (int cycle = 0; cycle < 20; cycle++) {
      plugin->notifications = end - capacity;
      plugin->notifications_capacity = capacity;
      add_midi(plugin, 0, 0x90, (uint8_t)(40 + cycle), 100);
      run(plugin, PROMISED);
      const LV2_Atom *atom = (const LV2_Atom *)plugin->notifications;
      expect(8 + atom->size <= capacity, "%u bytes in an output of %u", 8 + atom->size, capacity);
      expect(capacity < 16 || atom->type == map_uri(NULL, LV2_ATOM__Sequence), "no sequence in %u bytes", capacity);
    }
  close_plugin(plugin);
}

// Values out of range are clamped, and NaN and infinity leave the parameter as it is.
static void parameters_out_of_range(void) {
  Plugin *plugin = open_plugin();
  expect_note(plugin, "at first");
  static const float values[] = {NAN, INFINITY, -INFINITY, 1e30f, -1e30f, 1e-45f, -0.0f, 0x1p31f, 0x1p63f, 0x1p64f};
  float controls[CONTROLS];
  memcpy(controls, plugin->controls, sizeof controls);
  for (int i = 0; i < parameter_count; i++)
    for (int value = 0; value < 10; value++) {
      plugin->controls[FIRST_AUDIO + i] = values[value];
      add_midi(plugin, 0, 0x90, 60, 100);
      for (int cycle = 0; cycle < 4; cycle++) run(plugin, PROMISED);
    }
  for (int round = 0; round < 200; round++) {
    for (int port = FREEWHEEL; port < FIRST_AUDIO + parameter_count; port++)
      plugin->controls[port] = values[chance(10)];
    add_midi(plugin, 0, 0x90, 60, 100);
    run(plugin, PROMISED);
  }
  close_plugin(plugin);
  // A node that such values have damaged would be silent.
  plugin = open_plugin();
  expect_note(plugin, "after values out of range");
  close_plugin(plugin);
}

// A port that is not connected is left out.
static void unconnected_ports(void) {
  Plugin *plugin = open_plugin();
  expect_note(plugin, "at first");
  for (int missing = 0; missing < port_count(); missing++) {
    for (int cycle = 0; cycle < 3; cycle++) {
      add_midi(plugin, 0, 0x90, 60, 100);
      prepare_notifications(plugin);
      connect(plugin, PROMISED);
      descriptor->connect_port(plugin->handle, (uint32_t)missing, NULL);
      descriptor->run(plugin->handle, PROMISED);
      clear_events(plugin);
    }
  }
  for (int port = 0; port < port_count(); port++) descriptor->connect_port(plugin->handle, (uint32_t)port, NULL);
  for (int cycle = 0; cycle < 10; cycle++) descriptor->run(plugin->handle, PROMISED);
  // Ports that do not exist.
  float unused[LONGEST];
  descriptor->connect_port(plugin->handle, (uint32_t)port_count(), unused);
  descriptor->connect_port(plugin->handle, UINT32_MAX, unused);
  expect_note(plugin, "after the ports are connected again");
  close_plugin(plugin);
  plugin = open_plugin();
  for (int cycle = 0; cycle < 10; cycle++) descriptor->run(plugin->handle, PROMISED);
  close_plugin(plugin);
}

// The plugin keeps a string that it cannot read: the host saves the same one again. It plays nevertheless.
static void states_that_cannot_be_read(void) {
  static const char *const texts[] = {
      "", "{", "null", "[]", "0", "\"\"", "{}", "{\"version\":1}", "{\"version\":\"1\"}",
      "{\"version\":999,\"future\":true}", "{\"version\":1e99}", "{\"version\":-1}",
      "{\"controls\":{},\"port\":\"x\",\"unit\":{},\"version\":1}", "<?xml version=\"1.0\"?><state/>"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    Plugin *plugin = make_plugin();
    restore(plugin, string(texts[i]));
    State state = save(plugin);
    expect(state.text && !strcmp(state.text, texts[i]), "'%s' is saved as '%s'", texts[i], state.text);
    close_plugin(plugin);
  }
  Plugin *plugin = make_plugin();
  // Nothing, another type, invalid UTF-8, no terminating zero, and a megabyte.
  restore(plugin, (State){NULL, 0, 0});
  restore(plugin, string("\xff\xfe"));
  restore(plugin, (State){(char *)(int32_t[]){1}, 4, map_uri(NULL, LV2_ATOM__Int)});
  restore(plugin, (State){"{\"version\":1", 12, map_uri(NULL, LV2_ATOM__String)});
  char *long_text = malloc(1 << 20);
  memset(long_text, '[', 1 << 20);
  restore(plugin, (State){long_text, 1 << 20, map_uri(NULL, LV2_ATOM__String)});
  activate(plugin);
  expect_note(plugin, "with a state that cannot be read");
  close_plugin(plugin);
}

// Each beginning of a saved state, and a state with another byte, is read or kept, but does no harm.
static void truncated_states(void) {
  Plugin *plugin = open_plugin();
  expect_note(plugin, "at first");
  State state = save(plugin);
  expect(state.text && state.size > 20, "no state is saved");
  size_t step = state.size / 100 + 1;
  for (size_t size = 0; size < state.size; size += step) {
    restore(plugin, (State){state.text, size, state.type});
    run(plugin, PROMISED);
    char *damaged = memcpy(malloc(state.size), state.text, state.size);
    damaged[size] ^= (char)(1 + chance(127));
    restore(plugin, (State){damaged, state.size, state.type});
    free(damaged);
    run(plugin, PROMISED);
  }
  restore(plugin, state);
  expect_note(plugin, "after a whole state");
  State again = save(plugin);
  expect(again.size == state.size && !memcmp(again.text, state.text, state.size), "the state changes from\n%s to\n%s",
         state.text, again.text);
  close_plugin(plugin);
  printf("%zu bytes\n", state.size);
}

// Without a cycle, the plugin saves what was restored, or nothing, and does not wait for a node.
static void save_before_run(void) {
  double begin = now();
  Plugin *plugin = make_plugin();
  save(plugin);
  activate(plugin);
  save(plugin);
  printf("%.1f ms\n", 1000 * (now() - begin));
  expect_note(plugin, "after an early save");
  expect(save(plugin).text, "no state is saved");
  close_plugin(plugin);
}

// An instance can be freed in any situation.
static void cleanup_without_activate(void) {
  for (int round = 0; round < 20; round++) {
    Plugin *plugin = make_plugin();
    if (round % 4 > 0) connect(plugin, PROMISED);
    if (round % 4 > 1) activate(plugin);
    // The worker is at another point each time.
    if (round % 4 > 2) usleep(chance(20000));
    close_plugin(plugin);
  }
  Plugin *plugin = open_plugin();
  activate(plugin);
  expect_note(plugin, "after instances that were not used");
  close_plugin(plugin);
}

// The plugin is not instantiated at a rate that it does not support or without a map of URIs.
static void unusable_hosts(void) {
  static const double rates[] = {0, -1, 1e-300, 1, 1e30, NAN, INFINITY, -INFINITY};
  for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
    expect(!descriptor->instantiate(descriptor, rates[i], "", features), "instantiated at %g Hz", rates[i]);
  expect(!descriptor->instantiate(descriptor, RATE, "", no_features), "instantiated without a map");
  // Lengths of cycles that make no sense are ignored or clamped.
  static const int32_t lengths[] = {0, -1, INT32_MIN, INT32_MAX, 1};
  for (int i = 0; i < 5; i++) {
    options[0].value = &lengths[i];
    Plugin *plugin = open_plugin();
    expect_note(plugin, "with an odd promise");
    close_plugin(plugin);
  }
}

// Many instances can be open. Reports how long that takes, and how many of them play at a time.
static void twenty_instances(void) {
  enum { COUNT = 20 };
  Plugin *plugins[COUNT];
  double begin = now();
  for (int i = 0; i < COUNT; i++) plugins[i] = open_plugin();
  double opened = now();
  bool sounds[COUNT] = {false};
  int playing = 0;
  for (double end = opened + 10; now() < end && playing < COUNT; usleep(5000)) {
    for (int i = 0; i < COUNT; i++) {
      if (sounds[i]) continue;
      plugins[i]->controls[FREEWHEEL] = 0;
      add_midi(plugins[i], 0, 0x90, 60, 100);
      if (run(plugins[i], PROMISED) > AUDIBLE) {
        sounds[i] = true;
        playing++;
      }
    }
  }
  double sounded = now();
  for (int i = 0; i < COUNT; i++) close_plugin(plugins[i]);
  printf("%d instances: opened in %.0f ms, %d sound after %.0f ms, closed in %.0f ms\n", COUNT, 1000 * (opened - begin),
         playing, 1000 * (sounded - opened), 1000 * (now() - sounded));
  expect(playing == COUNT, "%d of %d instances play", playing, COUNT);
}

// Plays a phrase, or a signal into an effect, from an instance's first cycle on, and returns the channels one after
// another.
static float *play_phrase(uint32_t cycle, bool in_place, uint32_t length) {
  Plugin *plugin = open_plugin();
  float *result = calloc((size_t)length * (size_t)output_count, sizeof(float));
  if (in_place)
    for (int channel = 0; channel < input_count; channel++) plugin->inputs[channel] = plugin->outputs[channel];
  bool sounds = false;
  for (uint32_t first = 0; first < length; first += cycle) {
    uint32_t frames = cycle < length - first ? cycle : length - first;
    for (uint32_t i = 0; i < frames; i++)
      if ((first + i) % 1499 == 0) add_midi(plugin, i, 0x90, (uint8_t)(40 + (first + i) / 1499), 100);
    poison_outputs(plugin);
    for (int channel = 0; channel < input_count; channel++)
      for (uint32_t i = 0; i < frames; i++)
        plugin->inputs[channel][LONGEST - frames + i] = sinf((float)((first + i) * (uint32_t)(channel + 1)) * 0.01f);
    prepare_notifications(plugin);
    connect(plugin, frames);
    descriptor->run(plugin->handle, frames);
    clear_events(plugin);
    if (check_outputs(plugin, frames) > 0) sounds = true;
    for (int channel = 0; channel < output_count; channel++)
      memcpy(result + (size_t)channel * length + first, plugin->outputs[channel] + LONGEST - frames,
             frames * sizeof(float));
  }
  expect(sounds, "the phrase is silent");
  close_plugin(plugin);
  return result;
}

static void expect_same(const float *a, const float *b, uint32_t length, const char *what) {
  for (size_t i = 0; i < (size_t)length * (size_t)output_count; i++)
    expect(!memcmp(&a[i], &b[i], sizeof(float)), "%s: frame %zu of channel %zu is %a instead of %a", what, i % length,
           i / length, (double)b[i], (double)a[i]);
}

// Input and output may be the same memory: the bits are those of separate memory.
static void one_memory_for_input_and_output(void) {
  expect(input_count > 0 && input_count <= output_count, "the plugin is no effect");
  float *separate = play_phrase(PROMISED, false, RATE);
  expect_same(separate, play_phrase(PROMISED, true, RATE), RATE, "one memory");
}

// The length of the cycles changes no bit.
static void cycles_of_one_frame(void) {
  enum { LENGTH = 12000 };
  float *expected = play_phrase(PROMISED, false, LENGTH);
  expect_same(expected, play_phrase(100, false, LENGTH), LENGTH, "cycles of 100 frames");
  expect_same(expected, play_phrase(LONGEST, false, LENGTH), LENGTH, "cycles of 4096 frames");
  expect_same(expected, play_phrase(1, false, LENGTH), LENGTH, "cycles of one frame");
}

#define TEST(name) {#name, name}
static const struct {
  const char *name;
  void (*run)(void);
} tests[] = {
    TEST(zero_frames), TEST(more_frames_than_promised), TEST(events_beyond_the_cycle), TEST(garbage_atoms),
    TEST(a_full_output_buffer), TEST(parameters_out_of_range), TEST(unconnected_ports),
    TEST(states_that_cannot_be_read), TEST(truncated_states), TEST(save_before_run), TEST(cleanup_without_activate),
    TEST(unusable_hosts), TEST(twenty_instances), TEST(one_memory_for_input_and_output), TEST(cycles_of_one_frame),
};

int main(int count, char **arguments) {
  expect(count == 8, "usage: lv2host SHARED-OBJECT BUNDLE URI AUDIO-INPUTS AUDIO-OUTPUTS PARAMETERS TEST");
  static int32_t promised = PROMISED;
  options[0] = (LV2_Options_Option){LV2_OPTIONS_INSTANCE, 0, map_uri(NULL, LV2_BUF_SIZE__maxBlockLength),
                                    sizeof promised, map_uri(NULL, LV2_ATOM__Int), &promised};
  input_count = atoi(arguments[4]);
  output_count = atoi(arguments[5]);
  parameter_count = atoi(arguments[6]);
  expect(input_count <= CHANNELS && output_count <= CHANNELS, "too many channels");
  expect(FIRST_AUDIO + parameter_count <= CONTROLS, "too many parameters");

  void *library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
  expect(library, "%s", dlerror());
  LV2_Lib_Descriptor_Function entry;
  *(void **)&entry = dlsym(library, "lv2_lib_descriptor");
  expect(entry, "no lv2_lib_descriptor");
  expect(!entry("/nonexistent/", no_features), "a bundle that does not exist has plugins");
  const LV2_Lib_Descriptor *bundle = entry(arguments[2], features);
  expect(bundle, "the bundle has no plugins");
  for (uint32_t i = 0; (descriptor = bundle->get_plugin(bundle->handle, i)); i++)
    if (!strcmp(descriptor->URI, arguments[3])) break;
  expect(descriptor, "the bundle has no plugin %s", arguments[3]);

  for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
    if (strcmp(tests[i].name, arguments[7])) continue;
    tests[i].run();
    bundle->cleanup(bundle->handle);
    dlclose(library);
    return 0;
  }
  fail("test", "no test %s", arguments[7]);
}
