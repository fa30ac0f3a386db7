// A host that checks CLAP plugins, and renders with them.
#pragma once
#include <cclap.h>
#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define expect(condition, ...)                       \
  do {                                               \
    if (!(condition)) fail(#condition, __VA_ARGS__); \
  } while (0)

// Ends the check, from any thread: it has failed.
__attribute__((noreturn, format(printf, 2, 3))) void fail(const char *condition, const char *format, ...);
// Ends the check: the plugin lacks what it is about.
__attribute__((noreturn, format(printf, 1, 2))) void absent(const char *format, ...);
// Adds words to the check's line.
__attribute__((format(printf, 1, 2))) void remark(const char *format, ...);

// The monotonic time in seconds.
double now(void);
void sleep_for(double seconds);

// Returns a number below the limit, the same ones in each run and thread.
uint32_t chance(uint32_t limit);
// Returns a number of this range.
double chance_between(double low, double high);

// Allocates memory that ends where an inaccessible page begins, and returns that end.
uint8_t *guarded_end(size_t size);

// MARK: Threads

// What a thread is for the plugin.
typedef enum { OTHER_THREAD, MAIN_THREAD, AUDIO_THREAD } Role;
extern _Thread_local Role role;

// Calls a function in the audio thread, and waits for its end.
void on_audio_thread(void (*function)(void *), void *context);
// Calls a function in a thread that is neither main nor audio, and waits for its end.
void on_other_thread(void (*function)(void *), void *context);

// MARK: The shared object

typedef struct {
  void *handle;
  const clap_plugin_entry_t *entry;
  const clap_plugin_factory_t *factory;
} Library;

extern const char *path;
// The plugin that is checked.
extern const char *plugin_id;
extern Library library;

// Opens the file and calls its `init`; fails if that is not possible.
void open_library(void);
const clap_plugin_descriptor_t *find_descriptor(const char *id);
bool has_feature(const clap_plugin_descriptor_t *descriptor, const char *feature);
// A plugin that plays notes.
bool is_instrument(void);

// MARK: Events

enum { EVENTS = 16384 };

typedef struct {
  clap_event_header_t *list[EVENTS];
  uint32_t count;
} Events;

// Adds a copy, behind the events of the same frame and before those of later ones. The header's size counts.
void add_event(Events *events, const void *event);
void clear_events(Events *events);
clap_event_header_t header(uint16_t type, uint32_t size, uint32_t frame);
clap_input_events_t input_list(const Events *events);

void add_note(Events *events, uint32_t frame, uint16_t type, int key, int channel, int32_t note_id, double velocity);
void add_midi(Events *events, uint32_t frame, uint8_t status, uint8_t data1, uint8_t data2);
void add_value(Events *events, uint32_t frame, clap_id parameter, void *cookie, double value);
void add_transport(Events *events, uint32_t frame);
clap_event_transport_t random_transport(void);

// MARK: Instances

enum { PORTS = 64, CHANNELS = 128, LONGEST = 8192, RATE = 48000 };

typedef struct {
  const clap_plugin_audio_ports_t *audio_ports;
  const clap_plugin_note_ports_t *note_ports;
  const clap_plugin_params_t *params;
  const clap_plugin_state_t *state;
  const clap_plugin_state_context_t *state_context;
  const clap_plugin_latency_t *latency;
  const clap_plugin_tail_t *tail;
  const clap_plugin_render_t *render;
  const clap_plugin_preset_load_t *preset_load;
  const clap_plugin_note_name_t *note_name;
  const clap_plugin_remote_controls_t *remote_controls;
  const clap_plugin_param_indication_t *param_indication;
  const clap_plugin_voice_info_t *voice_info;
  const clap_plugin_gui_t *gui;
} Extensions;

typedef struct {
  clap_audio_port_info_t info;
  int first_channel;
} Port;

typedef struct {
  clap_host_t host;
  const clap_plugin_t *plugin;
  Extensions extensions;

  // What the plugin may do.
  atomic_bool initializing, initialized, activating, active, processing;
  // A thread of a check's own renders the cycles.
  atomic_bool plays_elsewhere;
  // What it has asked for.
  atomic_bool wants_callback, wants_restart, wants_process, wants_flush;
  atomic_uint callbacks, rescans, dirty, presets_loaded, preset_errors, pushed, last_pushed_frame;
  // The last error of a preset, and the last key.
  char preset_error[512], preset_key[256];

  double rate;
  uint32_t longest;
  bool offline;

  Port ports[2][PORTS];  // Outputs, inputs
  int port_count[2], channel_count[2], note_input_count;
  uint32_t dialects, preferred_dialect;
  uint8_t *ends[2][CHANNELS];

  // What the next cycles get.
  Events events;
  const clap_event_transport_t *transport;
  bool in_place, doubles, silent_input, no_steady_time;
  float (*input)(int channel, int64_t frame);

  int64_t frame;
  clap_process_status status;
  uint64_t subnormals;
} Instance;

// The index of `ports` and others.
enum { OUTPUT, INPUT };

// Makes an instance that is not initialized.
Instance *make_instance(void);
void initialize(Instance *instance);
void activate(Instance *instance, double rate, uint32_t longest);
void start(Instance *instance);
void stop(Instance *instance);
void deactivate(Instance *instance);
void reset(Instance *instance);
void destroy(Instance *instance);

// Makes an inactive instance that is initialized, for rendering without a deadline if it can.
Instance *inactive_instance(void);
// Makes one that is ready for cycles.
Instance *open_instance(void);
// Ends whatever it does, and destroys it.
void close_instance(Instance *instance);

// Does what the plugin has asked for.
void pump(Instance *instance);

// MARK: Cycles

// A note is louder than this.
static const float AUDIBLE = 1e-3f;

// Renders a cycle with the events added since the one before, in the audio thread, and checks its outputs: every sample
// is written and finite, and none before. Returns the peak.
float run(Instance *instance, uint32_t frames);
// Renders many cycles of at most `block` frames. Returns the peak.
float run_for(Instance *instance, uint32_t frames, uint32_t block);
// Returns the sample of the last cycle, which had this many frames.
float sample(const Instance *instance, int channel, uint32_t frame, uint32_t frames);

// Adds a note-on or note-off in the dialect that the plugin prefers.
void note_on(Instance *instance, uint32_t frame, int key);
void note_off(Instance *instance, uint32_t frame, int key);
void all_notes_off(Instance *instance, uint32_t frame);

// How long a check waits for sound, in seconds: 30, or the option --wait.
extern double longest_wait;

// Renders in real time, or without a deadline, until a note or a signal sounds. Returns the seconds, or infinity.
double wait_for_sound(Instance *instance);
// The same, and fails if there is no sound; then ends the notes.
void expect_sound(Instance *instance, const char *when);

// Renders a phrase from the start of an instance that can, and returns the channels one after another.
float *render_phrase(Instance *instance, uint32_t block, uint32_t length);
void expect_same(const float *a, const float *b, size_t count, const char *what);

// Noise for the inputs.
float noise(int channel, int64_t frame);
// Adds random events of all types that the plugin has ports for, with the given spread of mistakes.
void add_random_events(Instance *instance, uint32_t frames, uint32_t count, bool wildcards, bool inconsistent);

// MARK: Parameters

typedef struct {
  uint32_t count;
  clap_param_info_t *infos;
} Parameters;

// Reads the parameters; ends the check if there are none.
Parameters parameters(const Instance *instance);
double value_of(const Instance *instance, clap_id id);
double *values_of(const Instance *instance, Parameters parameters);
bool can_set(const clap_param_info_t *info);
double random_value(const clap_param_info_t *info);
// Whether two values of a parameter are equal, apart from a rounding to 32 bits.
bool same_value(const clap_param_info_t *info, double a, double b);
void flush(Instance *instance);
// Sets all parameters to random values by `flush`.
void randomize(Instance *instance, Parameters parameters);
void expect_values(const Instance *instance, Parameters parameters, const double *expected, const char *when);

// MARK: State

typedef struct {
  uint8_t *bytes;
  size_t size;
} State;

// Saves, at most `limit` bytes in each call of the stream. Fails if the plugin does.
State save(Instance *instance, uint64_t limit);
bool load(Instance *instance, State state, uint64_t limit);

// MARK: Presets

typedef struct {
  uint32_t kind;
  char location[1024], name[256], key[256];
  bool for_plugin;
} Preset;

// Finds the presets of the plugin in what the file declares. Returns their number; the list is the caller's.
uint32_t find_presets(Preset *list, uint32_t capacity);

// MARK: Checks

typedef struct {
  const char *name;
  void (*run)(void);
} Check;

#define CHECK(name) {#name, name}

// Each list ends with a check without a name. Those of files are run once, the others for each plugin, and the strict
// ones only on demand, because CLAP does not ask for what they state.
extern const Check file_checks[], provider_checks[];
extern const Check instance_checks[], port_checks[], parameter_checks[], value_checks[], state_checks[],
    damage_checks[], cycle_checks[], event_checks[], thread_checks[], extension_checks[], preset_checks[];
extern const Check strict_checks[];

// The modes `list` and `render`.
int list(void);
int render(int count, char **arguments);
