// A host that loads a plugin without lilv and breaks LV2's rules.
#pragma once
#include <lv2/atom/atom.h>
#include <lv2/core/lv2.h>
#include <lv2/midi/midi.h>
#include <lv2/urid/urid.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define expect(condition, ...)                                  \
  do {                                                          \
    if (!(condition)) fail(#condition, __VA_ARGS__);            \
  } while (0)

__attribute__((noreturn, format(printf, 2, 3))) void fail(const char *condition, const char *format, ...);

// The monotonic time in seconds.
double now(void);

// Returns a number below the limit, the same ones in each run.
uint32_t chance(uint32_t limit);

// MARK: What the host offers

// The longest cycle that the host promises, and the longest that a test renders.
enum { PROMISED = 256, LONGEST = 4096 };

LV2_URID map_uri(LV2_URID_Map_Handle handle, const char *uri);

extern const LV2_Feature *const features[];
extern const LV2_Feature *const no_features[];

// Sets the promised length of the cycles, which must remain valid while there are instances.
void promise(const int32_t *length);

// Allocates memory that ends where an inaccessible page begins.
void *guarded(size_t size);

// MARK: The plugin

// The order of PluginPorts.swift.
enum { EVENTS, NOTIFICATIONS, FREEWHEEL, ENABLED, LATENCY, FIRST_AUDIO };
enum { CHANNELS = 32, CONTROLS = 256, ATOM_CAPACITY = 4096, RATE = 48000 };

extern const LV2_Descriptor *descriptor;
extern int input_count, output_count, parameter_count;

typedef struct {
  LV2_Handle handle;
  // These end where an inaccessible page begins.
  uint8_t *events, *notifications;
  float *inputs[CHANNELS], *outputs[CHANNELS];
  uint32_t events_capacity, notifications_capacity;
  float controls[CONTROLS];
} Plugin;

// Makes an instance that is not active, with ports for cycles without a deadline.
Plugin *make_plugin(void);
void activate(Plugin *plugin);
// Makes an active instance.
Plugin *open_plugin(void);
void close_plugin(Plugin *plugin);

int port_count(void);
void connect_ports(Plugin *plugin, uint32_t frames);

LV2_Atom_Sequence *sequence(Plugin *plugin);
void clear_events(Plugin *plugin);
LV2_Atom_Event *add_event(Plugin *plugin, int64_t frame, const char *type, const void *body, uint32_t size);
void add_midi(Plugin *plugin, int64_t frame, uint8_t status, uint8_t data1, uint8_t data2);

// MARK: Cycles

// A note is louder than this, and a reverb is softer after some seconds. FluidSynth's never becomes silent.
static const float AUDIBLE = 1e-3f;

// What a cycle begins with: outputs that are not written, and room for notifications.
void poison_outputs(Plugin *plugin);
void prepare_notifications(Plugin *plugin);

// Checks the outputs of a cycle: every sample is written and finite, and none before. Returns the peak.
float check_outputs(Plugin *plugin, uint32_t frames);

// Renders a cycle with the events added since the one before. Returns the peak.
float run(Plugin *plugin, uint32_t frames);

// Renders up to a second until there is sound.
bool sounds_within_a_second(Plugin *plugin);

// Ends all sound and renders up to 30 s until there is silence. Returns the peak.
float end_sound(Plugin *plugin, int64_t frame);

// Fails if a note is silent.
void expect_note(Plugin *plugin, const char *when);

// MARK: State

typedef struct {
  char *text;
  size_t size;
  LV2_URID type;
} State;

State save(Plugin *plugin);
void restore(Plugin *plugin, State state);

// MARK: Tests

typedef struct {
  const char *name;
  void (*run)(void);
} Test;

#define TEST(name) {#name, name}

// Each ends with a test without a name.
extern const Test cycle_tests[], value_tests[], state_tests[], instance_tests[], unit_tests[], automation_tests[],
    play_tests[];
