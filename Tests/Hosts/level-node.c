// A node whose instrument has one parameter, the level, and whose output is the level of each frame.
//
//   level-node --install     # writes the manifest, with which hosts start the node
#include "test-node.h"

static const portative_port port = {
    .size = sizeof port,
    .type = PORTATIVE_INSTRUMENT,
    .subtype = "levl",
    .manufacturer = "Test",
    .name = "Test: Level",
    .version = "1.0.0",
};

static void *make(void *source, const portative_format *format, const portative_render_context *context,
                  portative_error *error) {
  (void)source, (void)format, (void)context;
  void *unit = malloc(1);
  if (!unit) portative_error_set(error, "outOfMemory", "no memory for a unit");
  return unit;
}

static bool describe(void *unit, uint32_t index, portative_parameter *parameter) {
  (void)unit;
  if (index > 0) return false;
  parameter->identifier = "level";
  parameter->name = "Level";
  parameter->maximum = 1;
  return true;
}

static bool render(void *unit, const portative_cycle *cycle) {
  (void)unit;
  const portative_step *step;
  while ((step = portative_cycle_next(cycle))) {
    if (step->kind != PORTATIVE_STEP_FRAMES) continue;
    for (uint32_t frame = step->begin; frame < step->end; frame++) {
      float level = portative_cycle_value_after(cycle, 0, frame - step->begin);
      for (uint32_t channel = 0; channel < cycle->output_channels; channel++) cycle->output[channel][frame] = level;
    }
  }
  return false;
}

int main(int count, char **arguments) {
  portative_unit_functions functions = {
      .size = sizeof functions, .make = make, .free = free, .render = render, .parameter = describe};
  return run_node("level-node", &port, &functions, count, arguments);
}
