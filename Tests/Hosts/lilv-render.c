// Renders an LV2 instrument in a loop around lilv, which does nothing else: lilv-render URI FRAMES CYCLE EVENTS OUTPUT
//
// EVENTS has lines "FRAME HEX". OUTPUT gets interleaved stereo floats. Prints the seconds from the creation of the plugin to its
// activation, and those of all cycles.
#include <lilv/lilv.h>
#include <lv2/atom/atom.h>
#include <lv2/atom/util.h>
#include <lv2/buf-size/buf-size.h>
#include <lv2/midi/midi.h>
#include <lv2/options/options.h>
#include <lv2/parameters/parameters.h>
#include <lv2/urid/urid.h>
#include <lv2/worker/worker.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <xmmintrin.h>

enum { RATE = 48000, SEQUENCE = 1 << 17, URIDS = 4096, OUTPUTS = 64 };

static const char *uris[URIDS];
static uint32_t uri_count;

static LV2_URID map_uri(LV2_URID_Map_Handle handle, const char *uri) {
  for (uint32_t index = 0; index < uri_count; index++)
    if (!strcmp(uris[index], uri)) return index + 1;
  uris[uri_count] = strdup(uri);
  return ++uri_count;
}

static const char *unmap_uri(LV2_URID_Unmap_Handle handle, LV2_URID number) {
  return number && number <= uri_count ? uris[number - 1] : NULL;
}

static LilvInstance *instance;
static const LV2_Worker_Interface *worker;

static LV2_Worker_Status respond(LV2_Worker_Respond_Handle handle, uint32_t size, const void *data) {
  return worker->work_response(lilv_instance_get_handle(instance), size, data);
}

static LV2_Worker_Status schedule(LV2_Worker_Schedule_Handle handle, uint32_t size, const void *data) {
  return worker->work(lilv_instance_get_handle(instance), respond, NULL, size, data);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

// The next event of the file.
struct event {
  LV2_Atom_Event event;
  uint8_t bytes[8];
};

static bool read_event(FILE *file, struct event *event) {
  long long frame;
  char hex[17];
  if (fscanf(file, "%lld %16s", &frame, hex) != 2) return false;
  event->event.time.frames = frame;
  event->event.body = (LV2_Atom){(uint32_t)strlen(hex) / 2, map_uri(NULL, LV2_MIDI__MidiEvent)};
  for (uint32_t index = 0; index < event->event.body.size; index++) {
    unsigned byte;
    sscanf(hex + 2 * index, "%2x", &byte);
    event->bytes[index] = (uint8_t)byte;
  }
  return true;
}

int main(int count, char **words) {
  if (count != 6) return 2;
  const long long frames = atoll(words[2]);
  const int32_t cycle = atoi(words[3]), least = 1, sequence_size = SEQUENCE;
  const float rate = RATE;
  LilvWorld *world = lilv_world_new();
  lilv_world_load_all(world);
  LilvNode *uri = lilv_new_uri(world, words[1]);
  const LilvPlugin *plugin = lilv_plugins_get_by_uri(lilv_world_get_all_plugins(world), uri);
  if (!plugin) return 1;

  LV2_URID_Map map = {NULL, map_uri};
  LV2_URID_Unmap unmap = {NULL, unmap_uri};
  LV2_Worker_Schedule work = {NULL, schedule};
#define OPTION(key, type, value) {LV2_OPTIONS_INSTANCE, 0, map_uri(NULL, key), 4, map_uri(NULL, type), &value}
  LV2_Options_Option options[] = {
      OPTION(LV2_BUF_SIZE__minBlockLength, LV2_ATOM__Int, least), OPTION(LV2_BUF_SIZE__maxBlockLength, LV2_ATOM__Int, cycle),
      OPTION(LV2_BUF_SIZE__sequenceSize, LV2_ATOM__Int, sequence_size), OPTION(LV2_PARAMETERS__sampleRate, LV2_ATOM__Float, rate),
      {0}};
  const LV2_Feature features[] = {{LV2_URID__map, &map}, {LV2_URID__unmap, &unmap}, {LV2_OPTIONS__options, options},
                                  {LV2_BUF_SIZE__boundedBlockLength, NULL}, {LV2_WORKER__schedule, &work}};
  const LV2_Feature *list[] = {&features[0], &features[1], &features[2], &features[3], &features[4], NULL};
  const double start = now();
  instance = lilv_plugin_instantiate(plugin, RATE, list);
  if (!instance) return 1;
  worker = lilv_instance_get_extension_data(instance, LV2_WORKER__interface);

  const uint32_t ports = lilv_plugin_get_num_ports(plugin);
  float *values = calloc(ports, sizeof *values), *defaults = calloc(ports, sizeof *defaults), *outputs[OUTPUTS];
  lilv_plugin_get_port_ranges_float(plugin, NULL, NULL, defaults);
  void **sequences = calloc(ports, sizeof *sequences);
  LV2_Atom_Sequence *input = NULL;
  int output_count = 0;
  LilvNode *is_audio = lilv_new_uri(world, LV2_CORE__AudioPort), *is_input = lilv_new_uri(world, LV2_CORE__InputPort),
           *is_control = lilv_new_uri(world, LV2_CORE__ControlPort), *enabled = lilv_new_uri(world, LV2_CORE__enabled),
           *freewheeling = lilv_new_uri(world, LV2_CORE__freeWheeling), *designation = lilv_new_uri(world, LV2_CORE__designation);
  for (uint32_t index = 0; index < ports; index++) {
    const LilvPort *port = lilv_plugin_get_port_by_index(plugin, index);
    const bool receives = lilv_port_is_a(plugin, port, is_input);
    void *memory;
    if (lilv_port_is_a(plugin, port, is_control)) {
      const LilvNode *purpose = lilv_port_get(plugin, port, designation);
      values[index] = defaults[index] == defaults[index] ? defaults[index] : 0;
      if (purpose && (lilv_node_equals(purpose, enabled) || lilv_node_equals(purpose, freewheeling))) values[index] = 1;
      memory = &values[index];
    } else if (lilv_port_is_a(plugin, port, is_audio)) {
      memory = calloc((size_t)cycle, sizeof(float));
      if (!receives && output_count < OUTPUTS) outputs[output_count++] = memory;
    } else {
      memory = calloc(1, SEQUENCE);
      if (receives && !input) input = memory;
      if (!receives) sequences[index] = memory;
    }
    lilv_instance_connect_port(instance, index, memory);
  }
  lilv_instance_activate(instance);
  const double activated = now();

  // Denormal numbers are flushed to zero.
  _mm_setcsr(_mm_getcsr() | 0x8040);
  FILE *events = fopen(words[4], "r"), *output = fopen(words[5], "w");
  if (!events || !output || !output_count) return 1;
  float *stereo = calloc(2 * (size_t)cycle, sizeof *stereo);
  struct event next;
  bool is_left = read_event(events, &next);
  const double begin = now();
  for (long long frame = 0; frame < frames; frame += cycle) {
    const uint32_t length = (uint32_t)(frames - frame < cycle ? frames - frame : cycle);
    if (input) {
      *input = (LV2_Atom_Sequence){{sizeof input->body, map_uri(NULL, LV2_ATOM__Sequence)}, {0, 0}};
      for (; is_left && next.event.time.frames < frame + length; is_left = read_event(events, &next)) {
        next.event.time.frames -= frame;
        lv2_atom_sequence_append_event(input, SEQUENCE, &next.event);
      }
    }
    for (uint32_t index = 0; index < ports; index++)
      if (sequences[index]) *(LV2_Atom *)sequences[index] = (LV2_Atom){SEQUENCE - sizeof(LV2_Atom), 0};
    lilv_instance_run(instance, length);
    if (worker && worker->end_run) worker->end_run(lilv_instance_get_handle(instance));
    for (uint32_t index = 0; index < length; index++) {
      stereo[2 * index] = outputs[0][index];
      stereo[2 * index + 1] = outputs[output_count > 1][index];
    }
    fwrite(stereo, 2 * sizeof *stereo, length, output);
  }
  printf("%.6f %.6f\n", activated - start, now() - begin);
  return fclose(output) == 0 ? 0 : 1;
}
