// A node whose instrument has one parameter, the level, and whose output is the level of each frame.
//
//   level-node --install     # writes the manifest, with which hosts start the node
#define _DEFAULT_SOURCE
#include <portative/node.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char node_name[] = "level-node";

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

static int fail(const portative_error *error) {
  fprintf(stderr, "level-node: %s\n", portative_error_message(error));
  return 1;
}

int main(int count, char **arguments) {
  portative_error *error = portative_error_create();
  if (count > 1 && !strcmp(arguments[1], "--install")) {
    char *program = realpath("/proc/self/exe", NULL);
    const char *command[] = {program};
    const portative_port *ports[] = {&port};
    return portative_manifest_write(node_name, command, 1, ports, 1, NULL, error) ? fail(error) : 0;
  }
  // Blocked before the node starts its threads, so that only `sigwait` receives it.
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigprocmask(SIG_BLOCK, &signals, NULL);
  portative_node_options options = {.size = sizeof options, .name = node_name};
  portative_node *node = portative_node_create(&options, error);
  portative_unit_functions functions = {
      .size = sizeof functions, .make = make, .free = free, .render = render, .parameter = describe};
  if (!node || !portative_node_publish(node, &port, &functions, NULL, error)) return fail(error);
  int signal;
  sigwait(&signals, &signal);
  portative_node_free(node);
  return 0;
}
