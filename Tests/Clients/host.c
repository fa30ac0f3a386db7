// Plays the ports of node.c, and checks every sample, event and error.
#define _DEFAULT_SOURCE
#include <math.h>
#include <poll.h>
#include <portative/host.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>

#define CHECK(condition)                                                                                  \
  do {                                                                                                    \
    if (!(condition)) {                                                                                   \
      fprintf(stderr, "%s:%d: %s is false; error: %s %s\n", __FILE__, __LINE__, #condition,               \
              portative_error_code(error), portative_error_message(error));                               \
      exit(1);                                                                                            \
    }                                                                                                     \
  } while (0)

#define CODE_IS(expected) (strcmp(portative_error_code(error), expected) == 0)

enum { FRAMES = 64 };

static portative_error *error;
static atomic_int changes, commands, shows, latency = -1;
static portative_connection *to_free;

static void changed(void *context, const portative_connection_status *status) {
  atomic_store((atomic_int *)context, (int)status->state);
}

static void noticed(void *context, const portative_notice *notice) {
  (void)context;
  if (notice->kind == PORTATIVE_NOTICE_LATENCY) latency = (int)notice->frames;
  if (notice->kind == PORTATIVE_NOTICE_SHOW) shows++;
}

static bool execute(void *context, const portative_command *command) {
  (void)context;
  if (command->kind != PORTATIVE_JUMP || command->beat != 16) return false;
  commands++;
  return true;
}

// A callback may free its own connection.
static void free_it(void *context, const portative_connection_status *status) {
  (void)status;
  portative_connection_free(to_free);
  atomic_store((atomic_int *)context, 1);
}

static void pause_briefly(void) { nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL); }

// Waits for up to 5 s until a value has changed.
static bool becomes(atomic_int *value, int expected) {
  for (int i = 0; i < 500 && atomic_load(value) != expected; i++) pause_briefly();
  return atomic_load(value) == expected;
}

static portative_connection *connect_to(portative_host *host, const char *name) {
  portative_query query = {.size = sizeof query, .name = name};
  portative_components *list = portative_components_create(&query, PORTATIVE_BY_MAKER_AND_NAME);
  CHECK(portative_components_count(list) == 1);
  portative_connection *connection = portative_host_connect(host, portative_components_get(list, 0), 5, error);
  portative_components_free(list);
  return connection;
}

static portative_initialization initialization(uint32_t inputs, bool is_offline) {
  return (portative_initialization){.size = sizeof(portative_initialization), .sample_rate = 48000,
                                    .input_channels = inputs, .output_channels = 2,
                                    .maximum_frames = FRAMES, .is_offline = is_offline, .late_limit = 1000,
                                    .deadline_fraction = 1000};
}

static void check_directory(portative_host *host) {
  portative_components *all = portative_components_create(NULL, PORTATIVE_BY_LAST_USE);
  CHECK(portative_components_count(all) == 2);
  CHECK(portative_components_problem_count(all) == 0);
  CHECK(!portative_components_get(all, 2));
  portative_components_free(all);

  portative_query query = {.size = sizeof query, .type = PORTATIVE_INSTRUMENT, .manufacturer = "Test"};
  portative_components *list = portative_components_create(&query, PORTATIVE_BY_MAKER_AND_NAME);
  CHECK(portative_components_count(list) == 1);
  const portative_component *component = portative_components_get(list, 0);
  CHECK(component->process_id > 0);
  CHECK(!component->manifest);
  CHECK(strcmp(component->node, "test-node") == 0);
  const portative_port *port = component->port;
  CHECK(port->type == PORTATIVE_INSTRUMENT && strcmp(port->subtype, "impl") == 0);
  CHECK(strcmp(port->name, "Test: Impulse") == 0 && strcmp(port->version, "1.2.3") == 0);
  CHECK(strcmp(port->icon, "/usr/share/icons/x.png") == 0 && port->tag_count == 2);
  CHECK(strcmp(port->tags[0], "one") == 0);
  CHECK(port->minimum_inputs == 0 && port->maximum_inputs == 0);
  CHECK(port->minimum_outputs == 1 && port->maximum_outputs == 2);

  portative_details *details = portative_host_describe(host, component, 5, error);
  CHECK(details);
  CHECK(portative_details_latency(details) == 0 && portative_details_tail(details) == 480);
  const portative_parameters *parameters = portative_details_parameters(details);
  CHECK(portative_parameters_count(parameters) == 1 && portative_parameters_group_count(parameters) == 1);
  CHECK(strcmp(portative_parameters_get_group(parameters, 0)->name, "Main") == 0);
  CHECK(portative_parameters_get(parameters, 0)->maximum == 2);
  CHECK(portative_parameters_index(parameters, "main.gain") == 0);
  CHECK(portative_parameters_index(parameters, "gain") == -1);
  CHECK(portative_details_value(details, 0) == 1 && portative_details_value(details, 1) == 0);
  CHECK(portative_presets_count(portative_details_presets(details)) == 1);
  portative_details_free(details);

  // What a host's document has is sufficient.
  portative_port stored = {.size = sizeof stored, .type = PORTATIVE_INSTRUMENT, .subtype = "impl",
                           .manufacturer = "Test"};
  portative_component document = {.size = sizeof document, .port = &stored, .node = "test-node"};
  portative_connection *connection = portative_host_connect(host, &document, 5, error);
  CHECK(connection);
  portative_connection_free(connection);
  stored.subtype = "none";
  CHECK(!portative_host_connect(host, &document, 0, error));
  CHECK(CODE_IS("launchFailed"));
  stored.subtype = "too long";
  CHECK(!portative_host_connect(host, &document, 0, error));
  CHECK(CODE_IS("badArgument"));
  portative_components_free(list);
}

static void check_several_hosts(portative_host *host) {
  portative_connection *first = connect_to(host, "Test: Half"), *second = connect_to(host, "Test: Half");
  CHECK(first && second);
  CHECK(!connect_to(host, "Test: Half") && CODE_IS("portInUse"));
  portative_connection_free(first);
  portative_connection *third = connect_to(host, "Test: Half");
  CHECK(third);
  portative_connection_free(second);
  portative_connection_free(third);
}

static void check_states(portative_host *host) {
  portative_connection *connection = connect_to(host, "Test: Impulse");
  CHECK(connection);
  portative_value early = {.identifier = "main.gain", .value = 1};
  CHECK(portative_connection_set_parameters(connection, &early, 1, error) == -1 && CODE_IS("badSequence"));
  CHECK(portative_connection_use_preset(connection, 0, error) == -1 && CODE_IS("badSequence"));
  CHECK(!connect_to(host, "Test: Impulse") && CODE_IS("portInUse"));
  int32_t process_id = 0;
  CHECK(strcmp(portative_error_holder(error, &process_id), "Test host") == 0 && process_id > 0);
  float left[FRAMES], right[FRAMES], *output[] = {left, right};
  CHECK(portative_connection_render(connection, FRAMES, 0, NULL, 0, output) == PORTATIVE_NOT_INITIALIZED);
  CHECK(!portative_connection_audio(connection, NULL));
  CHECK(portative_connection_schedule(connection, 0, (const uint8_t[]){0xF8}, 1) == PORTATIVE_NOT_RUNNING);
  CHECK(!portative_connection_presets(connection, error) && CODE_IS("badSequence"));
  portative_initialization bad = initialization(0, false);
  bad.sample_rate = 7;
  CHECK(portative_connection_initialize(connection, &bad, error) == -1 && CODE_IS("unsupportedFormat"));
  bad = initialization(0, false);
  bad.maximum_frames = 7777;
  CHECK(portative_connection_initialize(connection, &bad, error) == -1 && CODE_IS("unsupportedFormat"));
  CHECK(strstr(portative_error_message(error), "7777 is not a good number of frames"));
  bad = initialization(0, false);
  bad.output_channels = 1;
  CHECK(portative_connection_initialize(connection, &bad, error) == -1 && CODE_IS("unsupportedFormat"));
  bad = initialization(0, false);
  bad.maximum_frames = 8888;
  CHECK(portative_connection_initialize(connection, &bad, error) == -1 && CODE_IS("unitFailed"));
  // What a node writes cannot control the terminal of a program that shows it.
  CHECK(strstr(portative_error_message(error), "8888 \\u{1B}[31mfails"));
  portative_initialization good = initialization(0, true);
  CHECK(portative_connection_initialize(connection, &good, error) == 0);
  CHECK(portative_connection_initialize(connection, &good, error) == -1 && CODE_IS("badSequence"));
  CHECK(portative_connection_render(connection, FRAMES + 1, 0, NULL, 0, NULL) == PORTATIVE_BAD_FRAME_COUNT);
  portative_connection_status status = {.size = sizeof status};
  portative_connection_get_status(connection, &status);
  CHECK(status.state == PORTATIVE_INITIALIZED);
  portative_connection_uninitialize(connection);
  portative_connection_get_status(connection, &status);
  CHECK(status.state == PORTATIVE_OPEN && status.size == sizeof status);
  portative_connection_close(connection);
  CHECK(portative_connection_initialize(connection, &good, error) == -1 && CODE_IS("connectionLost"));
  char *text = portative_connection_status_text(connection);
  CHECK(strcmp(text, "lost: the host closed it") == 0);
  portative_free_string(text);
  portative_connection_free(connection);
}

// The samples of the impulse port, and the events that it sends back.
static void check_audio(portative_connection *connection) {
  float left[FRAMES], right[FRAMES], *output[] = {left, right};
  static uint8_t long_message[1000];
  memset(long_message, 5, sizeof long_message);
  long_message[0] = 0xF0;
  long_message[999] = 0xF7;
  // One note in each of many cycles of different lengths, at every offset, scheduled in another cycle.
  for (uint32_t round = 0; round < 200; round++) {
    uint32_t frames = 1 + round * 7 % FRAMES, offset = round * 5 % frames;
    uint8_t velocity = (uint8_t)(1 + round % 127);
    CHECK(portative_connection_schedule(connection, offset, (const uint8_t[]){0x90, 60, velocity}, 3) ==
          PORTATIVE_ACCEPTED);
    if (round == 9) CHECK(portative_connection_schedule(connection, offset, long_message, 1000) == PORTATIVE_ACCEPTED);
    portative_transport transport = {.provides = PORTATIVE_PROVIDES_BEAT, .beat = round, .tempo = 120};
    CHECK(portative_connection_set_transport(connection, 0, &transport) == PORTATIVE_ACCEPTED);
    CHECK(portative_connection_render(connection, frames, 0, NULL, 0, output) == PORTATIVE_RENDERED);
    for (uint32_t i = 0; i < frames; i++) {
      CHECK(left[i] == (i == offset ? (float)velocity / 128 : 0));
      CHECK(right[i] == 1);
    }
    uint32_t count = portative_connection_received_count(connection);
    CHECK(count == (round == 9 || round == 32 ? 2 : 1));
    portative_event event;
    CHECK(!portative_connection_get_received(connection, count, &event));
    CHECK(portative_connection_get_received(connection, round == 32 ? 1 : 0, &event));
    CHECK(event.offset == offset && event.message[0] == 0x90 && event.message[2] == velocity);
    if (round == 9) {
      CHECK(portative_connection_get_received(connection, 1, &event));
      CHECK(event.message[0] == 0xF0 && event.system_exclusive_count == 998);
      CHECK(memcmp(event.system_exclusive, long_message + 1, 998) == 0);
    }
    if (round == 32) {
      CHECK(portative_connection_get_received(connection, 0, &event));
      CHECK(event.message[0] == 0xF2 && event.message[1] == 1 && event.message[2] == 2);
    }
  }
  CHECK(portative_connection_schedule(connection, 0, (const uint8_t[]){0x90, 60}, 2) == PORTATIVE_MALFORMED);
  CHECK(portative_connection_schedule(connection, 0, NULL, 0) == PORTATIVE_MALFORMED);

  // A ramp from 1 to 0 over 128 frames, from frame 10 on; the value on frame 10 + i is 1 - i / 128.
  CHECK(portative_connection_schedule_parameter(connection, 10, 0, 0, 128) == PORTATIVE_ACCEPTED);
  CHECK(portative_connection_schedule_parameter(connection, 0, 0, 3, 0) == PORTATIVE_OUT_OF_RANGE);
  CHECK(portative_connection_schedule_parameter(connection, 0, 1, 0, 0) == PORTATIVE_UNKNOWN_PARAMETER);
  for (int cycle = 0; cycle < 3; cycle++) {
    // Without copying: the pointers lead into the shared memory.
    CHECK(portative_connection_begin(connection, FRAMES, 0, NULL, 0) == PORTATIVE_RENDERED);
    CHECK(portative_connection_finish(connection, -1) == PORTATIVE_RENDERED);
    uint32_t channels;
    const float *const *audio = portative_connection_audio(connection, &channels);
    CHECK(channels == 2);
    for (int i = 0; i < FRAMES; i++) {
      int done = cycle * FRAMES + i - 10;
      float expected = done <= 0 ? 1 : done >= 128 ? 0 : (float)(1 - done / 128.0);
      CHECK(audio[1][i] == expected);
    }
  }
}

static void check_unit(portative_connection *connection) {
  float value = -1;
  CHECK(portative_connection_get_values(connection, &value, 1, error) == 1 && value == 0);
  portative_value values[] = {{.identifier = "main.gain", .value = 1.25f}};
  CHECK(portative_connection_set_parameters(connection, values, 1, error) == 0);
  CHECK(portative_connection_get_values(connection, &value, 1, error) == 1 && value == 1.25f);
  values[0].value = 5;
  CHECK(portative_connection_set_parameters(connection, values, 1, error) == -1 && CODE_IS("badParameter"));
  char *state = portative_connection_save_state(connection, error);
  CHECK(state);
  portative_presets *presets = portative_connection_presets(connection, error);
  CHECK(portative_presets_count(presets) == 1);
  CHECK(strcmp(portative_presets_get(presets, 0)->name, "Quiet") == 0);
  CHECK(portative_presets_get(presets, 0)->values[0].value == 0.25f);
  portative_presets_free(presets);
  // A unit in C has no files.
  portative_files *files = portative_connection_files(connection, error);
  CHECK(files && portative_files_count(files) == 0 && !portative_files_get(files, 0));
  portative_files_free(files);
  CHECK(portative_connection_set_file(connection, "soundfont", "/a.sf2", NULL, error) == -1 && CODE_IS("unusableFile"));
  CHECK(portative_connection_use_preset(connection, 0, error) == 0);
  CHECK(portative_connection_get_values(connection, &value, 1, error) == 1 && value == 0.25f);
  CHECK(portative_connection_use_preset(connection, 1, error) == -1 && CODE_IS("noSuchPreset"));
  CHECK(portative_connection_restore_state(connection, state, error) == 0);
  CHECK(portative_connection_get_values(connection, &value, 1, error) == 1 && value == 1.25f);
  CHECK(portative_connection_restore_state(connection, "{}", error) == -1 && CODE_IS("badState"));
  portative_free_string(state);
  CHECK(portative_parameters_count(portative_connection_parameters(connection)) == 1);
}

static void check_live(portative_host *host, portative_connection *connection, int32_t node) {
  // Latency and deferred work, which only a realtime node does.
  portative_connection_on_notice(connection, noticed, NULL);
  portative_connection_accept_commands(connection, 1u << PORTATIVE_JUMP, execute, NULL);
  CHECK(portative_connection_schedule(connection, 0, (const uint8_t[]){0xB0, 1, 99}, 3) == PORTATIVE_ACCEPTED);
  CHECK(portative_connection_schedule(connection, 0, (const uint8_t[]){0xC0, 1}, 2) == PORTATIVE_ACCEPTED);
  CHECK(portative_connection_render(connection, FRAMES, 0, NULL, 0, NULL) == PORTATIVE_RENDERED);
  CHECK(becomes(&latency, 99) && portative_connection_latency(connection) == 99);
  CHECK(portative_connection_tail(connection) == 480);
  float value = 0;
  for (int i = 0; i < 500 && value != 1.5f; i++) {
    pause_briefly();
    CHECK(portative_connection_get_values(connection, &value, 1, error) == 1);
  }
  CHECK(value == 1.5f);

  // The node's keyboard, its command and its request to show the window.
  kill(node, SIGUSR1);
  CHECK(becomes(&commands, 1) && becomes(&shows, 1));
  int keys = 0;
  for (int i = 0; i < 500 && keys < 2; i++) {
    CHECK(portative_connection_render(connection, FRAMES, 0, NULL, 0, NULL) == PORTATIVE_RENDERED);
    portative_event event;
    for (uint32_t j = 0; portative_connection_get_received(connection, j, &event); j++)
      keys += (event.message[0] == 0x91 || event.message[0] == 0x81) && event.message[1] == 10;
    pause_briefly();
  }
  CHECK(keys >= 2);
  // Another program controls this host by way of the node.
  portative_query query = {.size = sizeof query, .name = "Test: Impulse"};
  portative_components *list = portative_components_create(&query, PORTATIVE_BY_MAKER_AND_NAME);
  const portative_component *component = portative_components_get(list, 0);
  CHECK(component->last_use > 0);
  portative_command command = {.size = sizeof command, .kind = PORTATIVE_JUMP, .beat = 16};
  CHECK(portative_host_command(host, component, &command, error) == 0 && commands == 2);
  command.kind = PORTATIVE_REWIND;
  CHECK(portative_host_command(host, component, &command, error) == -1 && CODE_IS("commandFailed"));
  command.kind = 99;
  CHECK(portative_host_command(host, component, &command, error) == -1 && CODE_IS("badArgument"));
  portative_components_free(list);
  char *report = portative_host_report(host, "test-node", error);
  CHECK(report && strstr(report, "\"name\":\"works\",\"value\":1"));
  // The unit was asked whether it is ready for both messages of the host and for both of the keyboard.
  CHECK(strstr(report, "\"name\":\"events\",\"value\":4"));
  portative_free_string(report);
  CHECK(!portative_host_report(host, "nothing", error) && CODE_IS("notRunning"));
}

// The impulse through the effect, in the same cycle.
static void check_chain(portative_host *host, portative_connection *connection) {
  portative_connection *half = connect_to(host, "Test: Half");
  CHECK(half);
  portative_initialization options = initialization(2, true);
  CHECK(portative_connection_initialize(half, &options, error) == 0);
  float left[FRAMES], right[FRAMES], *output[] = {left, right};
  CHECK(portative_connection_schedule(connection, 20, (const uint8_t[]){0x90, 60, 100}, 3) == PORTATIVE_ACCEPTED);
  CHECK(portative_connection_render(connection, FRAMES, 0, NULL, 0, NULL) == PORTATIVE_RENDERED);
  uint32_t channels;
  const float *const *audio = portative_connection_audio(connection, &channels);
  CHECK(portative_connection_render(half, FRAMES, 0, audio, channels, output) == PORTATIVE_RENDERED);
  for (int i = 0; i < FRAMES; i++) CHECK(left[i] == (i == 20 ? 100.0f / 256 : 0) && right[i] == audio[1][i] / 2);
  // Infinite samples do not reach the unit.
  left[3] = INFINITY;
  const float *const broken[] = {left};
  CHECK(portative_connection_render(half, FRAMES, 0, broken, 1, output) == PORTATIVE_RENDERED);
  CHECK(output[0][3] == 0 && output[1][3] == 0);
  portative_defects defects = {.size = sizeof defects};
  portative_connection_get_defects(half, &defects);
  CHECK(defects.invalid_input_samples == 1 && defects.invalid_samples == 0);
  // A program with an older header gets no more than it has space for.
  portative_statistics statistics = {.size = offsetof(portative_statistics, late_cycles), .late_cycles = 77};
  portative_connection_get_statistics(half, &statistics);
  CHECK(statistics.cycles == 2 && statistics.late_cycles == 77);
  CHECK(portative_connection_round_trip(half, 0.5) > 0);
  portative_connection_free(half);
}

static void check_loss(portative_host *host, portative_connection *connection, int32_t node) {
  portative_watch *watch = portative_watch_create(error);
  CHECK(watch);
  portative_connection_on_change(connection, changed, &changes);
  atomic_int is_freed = 0;
  to_free = connect_to(host, "Test: Half");
  portative_connection_on_change(to_free, free_it, &is_freed);
  kill(node, SIGTERM);
  CHECK(becomes(&changes, PORTATIVE_LOST) && becomes(&is_freed, 1));
  portative_connection_status status = {.size = sizeof status};
  portative_connection_get_status(connection, &status);
  CHECK(status.state == PORTATIVE_LOST &&
        (status.loss_reason == PORTATIVE_LOST_PORT_REMOVED || status.loss_reason == PORTATIVE_LOST_NODE_ENDED));
  float left[FRAMES] = {1}, right[FRAMES] = {1}, *output[] = {left, right};
  CHECK(portative_connection_render(connection, FRAMES, 0, NULL, 0, output) == PORTATIVE_CONNECTION_LOST);
  CHECK(left[0] == 0 && right[0] == 0);
  struct pollfd source = {.fd = portative_watch_descriptor(watch), .events = POLLIN};
  CHECK(poll(&source, 1, 5000) == 1);
  portative_components *list = NULL;
  uint32_t count = 2;
  for (int i = 0; i < 10 && count > 0; i++) {
    list = portative_watch_wait(watch, 1);
    if (list) count = portative_components_count(list);
    portative_components_free(list);
  }
  CHECK(count == 0);
  portative_watch_free(watch);
}

int main(void) {
  error = portative_error_create();
  char version[64];
  snprintf(version, sizeof version, "%d.%d.%d", PORTATIVE_VERSION_MAJOR, PORTATIVE_VERSION_MINOR,
           PORTATIVE_VERSION_PATCH);
  CHECK(strcmp(portative_version(), version) == 0 && CODE_IS(""));
  portative_host *host = portative_host_create("Test host", NULL, NULL);
  check_directory(host);
  check_several_hosts(host);
  check_states(host);
  portative_connection *connection = connect_to(host, "Test: Impulse");
  CHECK(connection);
  int32_t node = 0;
  CHECK(strcmp(portative_connection_node(connection, &node), "test-node") == 0 && node > 0);
  portative_initialization options = initialization(0, true);
  CHECK(portative_connection_initialize(connection, &options, error) == 0);
  check_audio(connection);
  check_unit(connection);
  check_chain(host, connection);
  portative_connection_uninitialize(connection);
  options = initialization(0, false);
  CHECK(portative_connection_initialize(connection, &options, error) == 0);
  check_live(host, connection, node);
  check_loss(host, connection, node);
  portative_connection_free(connection);
  portative_host_free(host);
  portative_error_free(error);
  printf("the C host and the C node agree\n");
  return 0;
}
