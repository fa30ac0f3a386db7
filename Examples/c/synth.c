// A node in C: an instrument with sawtooth waves and two parameters.
//
//   cc -o synth synth.c $(pkg-config --cflags --libs portative) -lm
//   ./synth                # publishes 'Example: Saw' until SIGINT or SIGTERM
//   ./synth --install      # hosts then start the node when they need it
#define _DEFAULT_SOURCE
#include <math.h>
#include <portative/node.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VOICES = 16, LEVEL = 0, RELEASE = 1 };

static const char node_name[] = "c-synth";

static const portative_port port = {
    .size = sizeof port,
    .type = PORTATIVE_INSTRUMENT,
    .subtype = "csaw",
    .manufacturer = "Exmp",
    .name = "Example: Saw",
    .version = "1.0.0",
    .tags = (const char *const[]){"synth"},
    .tag_count = 1,
    .minimum_outputs = 1,
    .maximum_outputs = 64,
};

// ---- The unit: one for each host that plays the port

struct voice {
  double phase, step;
  float level;
  bool is_held;
  uint8_t channel, key;
};

struct synth {
  double sample_rate;
  uint32_t channels;
  uint32_t next_voice;
  struct voice voices[VOICES];
};

static void *make(void *source, const portative_format *format, const portative_render_context *context,
                  portative_error *error) {
  (void)source, (void)context;
  struct synth *synth = calloc(1, sizeof *synth);
  if (!synth) {
    portative_error_set(error, "unitFailed", "there is no memory for the synthesizer");
    return NULL;
  }
  synth->sample_rate = format->sample_rate;
  synth->channels = format->output_channels;
  return synth;
}

static bool describe(void *unit, uint32_t index, portative_parameter *parameter) {
  (void)unit;
  switch (index) {
  case LEVEL:
    parameter->identifier = "level";
    parameter->name = "Level";
    parameter->unit = PORTATIVE_UNIT_PERCENT;
    parameter->maximum = 100;
    parameter->default_value = 25;
    return true;
  case RELEASE:
    parameter->identifier = "release";
    parameter->name = "Release";
    parameter->unit = PORTATIVE_UNIT_MILLISECONDS;
    parameter->scale = PORTATIVE_LOGARITHMIC;
    parameter->minimum = 1;
    parameter->maximum = 5000;
    parameter->default_value = 50;
    return true;
  default: return false;
  }
}

static bool describe_preset(void *unit, uint32_t index, portative_preset *preset) {
  static const portative_value values[][2] = {
      {{.identifier = "level", .value = 25}, {.identifier = "release", .value = 50}},
      {{.identifier = "level", .value = 15}, {.identifier = "release", .value = 2000}},
  };
  static const char *const names[] = {"Short", "Long"};
  (void)unit;
  if (index >= 2) return false;
  preset->name = names[index];
  preset->values = values[index];
  preset->value_count = 2;
  return true;
}

static void handle(struct synth *synth, const uint8_t message[3]) {
  uint8_t kind = message[0] & 0xF0, channel = message[0] & 0x0F, key = message[1], value = message[2];
  if (kind == 0x90 && value > 0) {
    struct voice *voice = &synth->voices[synth->next_voice++ % VOICES];
    *voice = (struct voice){.step = 440 * exp2((key - 69) / 12.0) / synth->sample_rate,
                            .level = (float)value / 127,
                            .is_held = true,
                            .channel = channel,
                            .key = key};
    return;
  }
  bool ends_note = kind == 0x80 || kind == 0x90;
  bool ends_all = kind == 0xB0 && (key == 120 || key == 123);
  if (!ends_note && !ends_all) return;
  for (int i = 0; i < VOICES; i++) {
    struct voice *voice = &synth->voices[i];
    if (voice->channel == channel && (ends_all || voice->key == key)) voice->is_held = false;
  }
}

static void synthesize(struct synth *synth, const portative_cycle *cycle, uint32_t begin, uint32_t end) {
  double release = portative_cycle_value(cycle, RELEASE) / 1000;
  float fade = (float)exp(-1 / (release * synth->sample_rate));
  for (int i = 0; i < VOICES; i++) {
    struct voice *voice = &synth->voices[i];
    if (voice->level == 0) continue;
    for (uint32_t frame = begin; frame < end; frame++) {
      float sample = voice->level * (float)(2 * voice->phase - 1);
      voice->phase += voice->step;
      voice->phase -= floor(voice->phase);
      if (!voice->is_held) voice->level = voice->level < 1e-5f ? 0 : voice->level * fade;
      for (uint32_t channel = 0; channel < synth->channels; channel++) cycle->output[channel][frame] += sample;
    }
  }
  // A ramp of the parameter is exact at each frame.
  for (uint32_t frame = begin; frame < end; frame++) {
    float gain = portative_cycle_value_after(cycle, LEVEL, frame - begin) / 100;
    for (uint32_t channel = 0; channel < synth->channels; channel++) cycle->output[channel][frame] *= gain;
  }
}

// Runs on the render thread: no memory allocation, no locks, no files.
static bool render(void *unit, const portative_cycle *cycle) {
  struct synth *synth = unit;
  for (uint32_t channel = 0; channel < cycle->output_channels; channel++)
    memset(cycle->output[channel], 0, cycle->frames * sizeof(float));
  const portative_step *step;
  while ((step = portative_cycle_next(cycle))) {
    if (step->kind == PORTATIVE_STEP_EVENT) handle(synth, step->event->message);
    if (step->kind == PORTATIVE_STEP_FRAMES) synthesize(synth, cycle, step->begin, step->end);
  }
  return false;
}

// ---- The node

static void print_event(void *context, const portative_node_event *event) {
  (void)context;
  printf("%s\n", event->text);
  fflush(stdout);
}

static int fail(const portative_error *error) {
  fprintf(stderr, "synth: %s\n", portative_error_message(error));
  return 1;
}

int main(int count, char **arguments) {
  portative_error *error = portative_error_create();
  if (count > 1 && strcmp(arguments[1], "--install") == 0) {
    char *program = realpath("/proc/self/exe", NULL);
    const char *command[] = {program};
    const portative_port *ports[] = {&port};
    int result = portative_manifest_write(node_name, command, 1, ports, 1, NULL, error);
    if (result) fail(error);
    free(program);
    portative_error_free(error);
    return result ? 1 : 0;
  }

  // Blocked before the node starts its threads, so that only `sigwait` receives the signals.
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  sigprocmask(SIG_BLOCK, &signals, NULL);

  portative_node_options options = {.size = sizeof options, .name = node_name, .on_event = print_event};
  portative_node *node = portative_node_create(&options, error);
  if (!node) return fail(error);
  portative_unit_functions functions = {.size = sizeof functions,
                                        .make = make,
                                        .free = free,
                                        .render = render,
                                        .parameter = describe,
                                        .preset = describe_preset};
  if (!portative_node_publish(node, &port, &functions, NULL, error)) return fail(error);
  printf("publishing %s; press Control-C to stop\n", port.name);
  fflush(stdout);
  int signal;
  sigwait(&signals, &signal);
  portative_node_free(node);
  portative_error_free(error);
  return 0;
}
