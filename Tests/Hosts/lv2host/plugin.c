// Instances of the plugin, with memory for their ports.
#include "lv2host.h"

const LV2_Descriptor *descriptor;
int input_count, output_count, parameter_count;

LV2_Atom_Sequence *sequence(Plugin *plugin) { return (LV2_Atom_Sequence *)plugin->events; }

void clear_events(Plugin *plugin) {
  *sequence(plugin) = (LV2_Atom_Sequence){{sizeof(LV2_Atom_Sequence_Body), map_uri(NULL, LV2_ATOM__Sequence)}, {0, 0}};
}

LV2_Atom_Event *add_event(Plugin *plugin, int64_t frame, const char *type, const void *body, uint32_t size) {
  uint32_t length = sizeof(LV2_Atom_Event) + (size + 7) / 8 * 8;
  expect(8 + sequence(plugin)->atom.size + length <= plugin->events_capacity, "a test has too many events");
  LV2_Atom_Event *event = (LV2_Atom_Event *)(plugin->events + 8 + sequence(plugin)->atom.size);
  memset(event, 0, length);
  event->time.frames = frame;
  event->body = (LV2_Atom){size, map_uri(NULL, type)};
  memcpy(event + 1, body, size);
  sequence(plugin)->atom.size += length;
  return event;
}

void add_midi(Plugin *plugin, int64_t frame, uint8_t status, uint8_t data1, uint8_t data2) {
  add_event(plugin, frame, LV2_MIDI__MidiEvent, (uint8_t[]){status, data1, data2}, 3);
}

Plugin *make_plugin(void) {
  Plugin *plugin = calloc(1, sizeof *plugin);
  plugin->handle = descriptor->instantiate(descriptor, RATE, "", features);
  expect(plugin->handle, "the plugin is not instantiated");
  plugin->events = guarded(plugin->events_capacity = ATOM_CAPACITY);
  plugin->notifications = guarded(plugin->notifications_capacity = ATOM_CAPACITY);
  for (int i = 0; i < input_count; i++) plugin->inputs[i] = guarded(LONGEST * sizeof(float));
  for (int i = 0; i < output_count; i++) plugin->outputs[i] = guarded(LONGEST * sizeof(float));
  // A NaN leaves a parameter as it is. Without a deadline, the first cycle waits for the node, and none is late.
  for (int i = 0; i < parameter_count; i++) plugin->controls[i + FIRST_AUDIO] = NAN;
  plugin->controls[FREEWHEEL] = plugin->controls[ENABLED] = 1;
  clear_events(plugin);
  return plugin;
}

static void *memory_of_port(Plugin *plugin, int port, uint32_t frames) {
  if (port == EVENTS) return plugin->events;
  if (port == NOTIFICATIONS) return plugin->notifications;
  if (port < FIRST_AUDIO) return &plugin->controls[port];
  port -= FIRST_AUDIO;
  // The frames of the cycle end where the memory ends.
  if (port < input_count) return plugin->inputs[port] + LONGEST - frames;
  port -= input_count;
  if (port < output_count) return plugin->outputs[port] + LONGEST - frames;
  port -= output_count;
  return &plugin->controls[FIRST_AUDIO + port];
}

int port_count(void) { return FIRST_AUDIO + input_count + output_count + parameter_count; }

void connect_ports(Plugin *plugin, uint32_t frames) {
  for (int port = 0; port < port_count(); port++)
    descriptor->connect_port(plugin->handle, (uint32_t)port, memory_of_port(plugin, port, frames));
}

void activate(Plugin *plugin) {
  if (descriptor->activate) descriptor->activate(plugin->handle);
}

Plugin *open_plugin(void) {
  Plugin *plugin = make_plugin();
  activate(plugin);
  return plugin;
}

void close_plugin(Plugin *plugin) {
  if (descriptor->deactivate) descriptor->deactivate(plugin->handle);
  descriptor->cleanup(plugin->handle);
  plugin->handle = NULL;
}
