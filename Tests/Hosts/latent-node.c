// A node whose music effect delays its input, reports that as its latency, and answers each channel message on its
// frame with one that is an octave higher.
//
//   latent-node --install     # writes the manifest, with which hosts start the node
#include "test-node.h"
#include <stdatomic.h>

static const portative_port port = {
    .size = sizeof port,
    .type = PORTATIVE_MUSIC_EFFECT,
    .subtype = "ltnt",
    .manufacturer = "Test",
    .name = "Test: Latent",
    .version = "1.0.0",
};

enum { CHANNELS = 2, LONGEST_DELAY = 1024 };

typedef struct {
  // The last frames of the input, of which `written` is the next.
  float input[CHANNELS][LONGEST_DELAY];
  uint32_t written;
  _Atomic uint32_t latency;
} Unit;

static void *make(void *source, const portative_format *format, const portative_render_context *context,
                  portative_error *error) {
  (void)source, (void)context;
  Unit *unit = format->input_channels <= CHANNELS && format->output_channels == format->input_channels
                   ? calloc(1, sizeof *unit)
                   : NULL;
  if (!unit) portative_error_set(error, "unsupportedFormat", "as many outputs as inputs, at most 2, are supported");
  return unit;
}

static bool describe(void *unit, uint32_t index, portative_parameter *parameter) {
  (void)unit;
  if (index > 0) return false;
  parameter->identifier = "latency";
  parameter->name = "Latency";
  parameter->maximum = LONGEST_DELAY - 1;
  parameter->default_value = 480;
  return true;
}

static int64_t latency(void *unit) { return ((Unit *)unit)->latency; }

static bool render(void *argument, const portative_cycle *cycle) {
  Unit *unit = argument;
  uint32_t delay = (uint32_t)portative_cycle_value(cycle, 0);
  unit->latency = delay;
  for (uint32_t frame = 0; frame < cycle->frames; frame++, unit->written++)
    for (uint32_t channel = 0; channel < cycle->output_channels; channel++) {
      float *input = unit->input[channel];
      input[unit->written % LONGEST_DELAY] = cycle->input[channel][frame];
      cycle->output[channel][frame] = input[(unit->written - delay) % LONGEST_DELAY];
    }
  const portative_step *step;
  while ((step = portative_cycle_next(cycle))) {
    if (step->kind != PORTATIVE_STEP_EVENT || step->event->message[0] >= 0xF0) continue;
    portative_event answer = *step->event;
    answer.message[1] = (uint8_t)(answer.message[1] + 12) & 127;
    portative_cycle_send_event(cycle, &answer);
  }
  return false;
}

int main(int count, char **arguments) {
  portative_unit_functions functions = {
      .size = sizeof functions, .make = make, .free = free, .render = render, .latency = latency,
      .parameter = describe};
  return run_node("latent-node", &port, &functions, count, arguments);
}
