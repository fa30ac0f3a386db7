// A small instrument and a small effect that judge the host: correct, unless the environment variable CLAPHOST_FAULT
// names a fault. Each fault makes a check fail: clap_tests.py lists them.
#pragma once
#include <cclap.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Whether the plugin has this fault.
bool fault(const char *name);

enum { LEVEL = 0x10, SHAPE = 0x20, RELEASE = 0x30, PARAMETERS = 3, VOICES = 32 };

typedef struct {
  clap_id id;
  const char *name, *module;
  clap_param_info_flags flags;
  double min, max, initial;
} Parameter;

extern const Parameter parameters[PARAMETERS];

typedef struct {
  bool sounds, held;
  int port, channel, key, id;
  double phase, gain;
} Voice;

typedef struct {
  clap_plugin_t plugin;
  const clap_host_t *host;
  bool is_effect;
  double rate;
  _Atomic double values[PARAMETERS];
  atomic_bool in_process;
  Voice voices[VOICES];
  uint32_t latency, activations, stops;
  uint64_t frames;
} Plugin;

static inline Plugin *self(const clap_plugin_t *plugin) { return plugin->plugin_data; }

// Ends the process if the plugin has this fault and the condition is true.
void abort_if(bool condition, const char *name);

// The index of a parameter, or -1.
int parameter_index(clap_id id);
void set_value(Plugin *plugin, int index, double value);
// Tells the host that all values have changed. Main thread.
void values_changed(Plugin *plugin);

extern atomic_int instances_in_process;

void take_event(Plugin *plugin, const clap_event_header_t *event);
void end_voices(Plugin *plugin);
clap_process_status process(const clap_plugin_t *plugin, const clap_process_t *cycle);
const void *get_extension(const clap_plugin_t *plugin, const char *id);

extern const clap_plugin_descriptor_t descriptors[2];
extern const clap_preset_discovery_factory_t presets;
// Sets the values of a preset; returns false if there is none of this key.
bool apply_preset(Plugin *plugin, const char *key);
