// A node whose output its host can predict: see host.c.
//
// Test: Impulse (instrument): each note-on is an impulse of velocity / 128 on its frame in channel 0; channel 1 has the
// value of the parameter at each frame. It sends all events back, and asks its host to rewind on program 1.
// Test: Half (effect): the input at half the level.
#define _DEFAULT_SOURCE
#include <math.h>
#include <portative/node.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static portative_node_port *impulse_port;
static atomic_int units, rewinds;

struct unit {
  portative_unit *library;
  atomic_int latency;
  atomic_bool is_prepared, has_worked;
  atomic_int events_seen;
  uint8_t data[4];
  bool is_effect;
};

static void *make(void *source, const portative_format *format, const portative_render_context *context,
                  portative_error *error) {
  if (format->maximum_frames == 7777) {
    portative_error_set(error, "unsupportedFormat", "7777 is not a good number of frames");
    return NULL;
  }
  if (format->maximum_frames == 8888) {
    portative_error_set(error, "unitFailed", "8888 \x1b[31mfails");
    return NULL;
  }
  if (format->output_channels != 2 || format->input_channels != (source ? 2 : 0)) {
    portative_error_set(error, "unsupportedFormat", "this unit is stereo");
    return NULL;
  }
  struct unit *unit = calloc(1, sizeof *unit);
  unit->library = context->unit;
  unit->is_effect = source != NULL;
  units++;
  return unit;
}

static void destroy(void *unit) {
  units--;
  free(unit);
}

static void render_half(const portative_cycle *cycle) {
  for (uint32_t channel = 0; channel < cycle->output_channels; channel++)
    for (uint32_t i = 0; i < cycle->frames; i++) cycle->output[channel][i] = cycle->input[channel][i] / 2;
}

static bool render(void *pointer, const portative_cycle *cycle) {
  struct unit *unit = pointer;
  if (unit->is_effect) {
    render_half(cycle);
    return false;
  }
  bool wants_work = false;
  memset(cycle->output[0], 0, cycle->frames * sizeof(float));
  const portative_step *step;
  while ((step = portative_cycle_next(cycle))) {
    if (step->kind == PORTATIVE_STEP_EVENT) {
      const uint8_t *message = step->event->message;
      if (message[0] == 0x90 && step->begin < cycle->frames)
        cycle->output[0][step->begin] += (float)message[2] / 128;
      if (message[0] == 0xB0 && message[1] == 1) unit->latency = message[2];
      if (message[0] == 0xC0) wants_work = true;
      portative_cycle_send_event(cycle, step->event);
    }
    if (step->kind == PORTATIVE_STEP_FRAMES)
      for (uint32_t i = step->begin; i < step->end; i++)
        cycle->output[1][i] = portative_cycle_value_after(cycle, 0, i - step->begin);
    if (step->kind == PORTATIVE_STEP_TRANSPORT && step->transport->beat == 32)
      portative_cycle_send(cycle, step->begin, (const uint8_t[]){0xF2, 1, 2}, 3);
  }
  return wants_work;
}

static bool is_ready(void *pointer, const portative_cycle *cycle) {
  struct unit *unit = pointer;
  const portative_step *step;
  while ((step = portative_cycle_next(cycle)))
    if (step->kind == PORTATIVE_STEP_EVENT) unit->events_seen++;
  // Only `render` may send.
  return !portative_cycle_send(cycle, 0, (const uint8_t[]){0xFE}, 1);
}

static void prepare(void *pointer, const portative_cycle *cycle) {
  struct unit *unit = pointer;
  const portative_step *step;
  while ((step = portative_cycle_next(cycle)))
    if (step->kind == PORTATIVE_STEP_EVENT) unit->is_prepared = true;
}

static void work(void *pointer) {
  struct unit *unit = pointer;
  portative_value value = {.identifier = "main.gain", .value = 1.5f};
  if (portative_unit_set_values(unit->library, &value, 1, NULL) == 0)
    unit->has_worked = portative_unit_value(unit->library, 0) == 1.5f;
}

static int64_t latency(void *unit) { return ((struct unit *)unit)->latency; }
static int64_t tail(void *unit) { return (void)unit, 480; }

static bool describe(void *unit, uint32_t index, portative_parameter *parameter) {
  (void)unit;
  if (index > 0) return false;
  parameter->identifier = "main.gain";
  parameter->name = "Gain";
  parameter->maximum = 2;
  parameter->default_value = 1;
  return true;
}

static bool describe_group(void *unit, uint32_t index, portative_parameter_group *group) {
  (void)unit;
  group->identifier = "main";
  group->name = "Main";
  return index == 0;
}

static bool describe_preset(void *unit, uint32_t index, portative_preset *preset) {
  static const portative_value value = {.identifier = "main.gain", .value = 0.25f};
  (void)unit;
  preset->name = "Quiet";
  preset->values = &value;
  preset->value_count = 1;
  return index == 0;
}

static void save(void *unit, portative_data *data) { portative_data_append(data, "abc", 4), (void)unit; }

static int restore(void *pointer, const uint8_t *data, size_t count, portative_error *error) {
  struct unit *unit = pointer;
  if (count != 4 || memcmp(data, "abc", 4) != 0) {
    portative_error_set(error, "badState", "the data is not 'abc'");
    return -1;
  }
  memcpy(unit->data, data, 4);
  return 0;
}

static bool status(void *pointer, uint32_t index, portative_unit_status *status) {
  struct unit *unit = pointer;
  static const char *const names[] = {"preparations", "works", "units", "events"};
  if (index >= 4) return false;
  status->name = names[index];
  status->value = (int64_t[]){unit->is_prepared, unit->has_worked, units, unit->events_seen}[index];
  return true;
}

static void print_event(void *context, const portative_node_event *event) {
  (void)context;
  printf("%d %s\n", (int)event->kind, event->text);
  fflush(stdout);
}

static void changed(void *context, portative_node_port *port) {
  char *host = portative_node_port_host(port, NULL);
  atomic_fetch_add((atomic_int *)context, host != NULL);
  portative_free_string(host);
}

int main(void) {
  portative_error *error = portative_error_create();
  portative_port ports[] = {
      {.size = sizeof *ports, .type = PORTATIVE_INSTRUMENT, .subtype = "impl", .manufacturer = "Test",
       .name = "Test: Impulse", .version = "1.2.3", .icon = "/usr/share/icons/x.png",
       .tags = (const char *const[]){"one", "two"}, .tag_count = 2, .minimum_outputs = 1, .maximum_outputs = 2},
      {.size = sizeof *ports, .type = PORTATIVE_EFFECT, .subtype = "half", .manufacturer = "Test",
       .name = "Test: Half", .version = "1.0.0"},
  };
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGUSR1);
  sigprocmask(SIG_BLOCK, &signals, NULL);

  portative_node_options options = {.size = sizeof options, .name = "test-node", .on_event = print_event};
  portative_node *node = portative_node_create(&options, error);
  if (!node) {
    fprintf(stderr, "node: %s: %s\n", portative_error_code(error), portative_error_message(error));
    return 1;
  }
  portative_unit_functions functions = {
      .size = sizeof functions, .make = make, .free = destroy, .render = render, .is_ready = is_ready,
      .prepare = prepare, .perform_deferred_work = work, .latency = latency, .tail = tail, .parameter = describe,
      .parameter_group = describe_group, .preset = describe_preset, .save = save, .restore = restore,
      .status = status};
  // A program that was compiled with an older header, whose structure ended here.
  portative_unit_functions older = functions;
  older.size = offsetof(portative_unit_functions, is_ready);
  older.maximum_hosts = 2;
  impulse_port = portative_node_publish(node, &ports[0], &functions, NULL, error);
  portative_node_port *half = portative_node_publish(node, &ports[1], &older, &units, error);
  if (!impulse_port || !half) {
    fprintf(stderr, "node: %s\n", portative_error_message(error));
    return 1;
  }
  if (portative_node_publish(node, &ports[1], &older, NULL, error) ||
      strcmp(portative_error_code(error), "publishedTwice") != 0) {
    fprintf(stderr, "node: published twice: %s\n", portative_error_code(error));
    return 1;
  }
  atomic_int changes = 0;
  portative_node_port_on_change(impulse_port, changed, &changes);
  printf("ready\n");
  fflush(stdout);
  int signal;
  // SIGUSR1: play a key of the node's own keyboard, and ask the host to jump.
  while (sigwait(&signals, &signal) == 0 && signal == SIGUSR1) {
    portative_node_port_play(impulse_port, 1, 0, (const uint8_t[]){0x91, 10, 64}, 3);
    portative_node_port_release(impulse_port, 1, 0);
    portative_command command = {.size = sizeof command, .kind = PORTATIVE_JUMP, .beat = 16};
    rewinds += portative_node_port_command(impulse_port, &command) == PORTATIVE_DONE;
    portative_node_port_show_host(impulse_port);
  }
  char *report = portative_node_report(node);
  printf("%d changes, %d commands, %s\n", changes, rewinds, report);
  portative_free_string(report);
  portative_node_stop(node);
  portative_node_free(node);
  portative_error_free(error);
  printf("%d units are left\n", units);
  return units == 0 && changes > 0 && rewinds > 0 ? 0 : 1;
}
