// Tests of what ports contain.
#include "lv2host.h"
#include <lv2/patch/patch.h>
#include <lv2/time/time.h>

static void add_random_event(Plugin *plugin) {
  static const char *const types[] = {
      LV2_MIDI__MidiEvent, LV2_ATOM__Object, LV2_ATOM__Blank, LV2_ATOM__Float, LV2_ATOM__Sequence, LV2_ATOM__Tuple};
  static const char *const keys[] = {
      LV2_TIME__frame, LV2_TIME__speed, LV2_TIME__bar, LV2_TIME__barBeat, LV2_TIME__beatUnit, LV2_TIME__beatsPerBar,
      LV2_TIME__beatsPerMinute, LV2_PATCH__property, LV2_PATCH__value, LV2_PATCH__subject};
  static const char *const values[] = {
      LV2_ATOM__Int, LV2_ATOM__Long, LV2_ATOM__Float, LV2_ATOM__Double, LV2_ATOM__URID, LV2_ATOM__String};
  uint32_t body[32], size = chance(sizeof body + 1);
  for (int i = 0; i < 32; i++) body[i] = chance(4) ? chance(256) : chance(UINT32_MAX);
  const char *type = types[chance(6)];
  if (chance(4) && type != types[0]) {
    // An object with properties whose sizes may be wrong.
    body[0] = 0;
    body[1] = map_uri(NULL, chance(2) ? LV2_TIME__Position : LV2_PATCH__Set);
    for (int i = 2; i + 6 <= 32; i += 6) {
      body[i] = map_uri(NULL, keys[chance(10)]);
      body[i + 1] = 0;
      body[i + 2] = chance(3) ? 8 : chance(40);
      body[i + 3] = map_uri(NULL, values[chance(6)]);
      if (chance(3) == 0) body[i + 4] = map_uri(NULL, "urn:portative:port");
    }
  } else if (type == types[0] && chance(4)) {
    ((uint8_t *)body)[0] = (uint8_t)(0x80 + chance(128));
    ((uint8_t *)body)[1] = (uint8_t)chance(256);
  }
  add_event(plugin, (int64_t)chance(PROMISED), type, body, size);
}

// Events whose sizes, types or contents are wrong are ignored. The plugin reads nothing beyond the sequence, and plays
// the next valid note.
static void garbage_atoms(void) {
  Plugin *plugin = open_plugin();
  expect_note(plugin, "at first");
  uint8_t *end = plugin->events + plugin->events_capacity;
  for (int round = 0; round < 5000; round++) {
    for (uint32_t i = chance(8); i > 0; i--) add_random_event(plugin);
    // Moves the sequence to the end of the memory.
    uint32_t size = 8 + sequence(plugin)->atom.size;
    uint8_t *events = plugin->events, *moved = end - size;
    memmove(moved, events, size);
    plugin->events = moved;
    LV2_Atom_Sequence *atom = sequence(plugin);
    uint32_t *words = (uint32_t *)moved;
    switch (chance(8)) {
    case 0:
      // Damages headers and contents, but not the sequence's own size.
      for (int i = 0; i < 4 && size > 16; i++) words[4 + chance(size / 4 - 4)] = chance(UINT32_MAX);
      break;
    case 1: atom->atom.size -= chance(atom->atom.size + 1); break;
    case 2: atom->atom.type = chance(64); break;
    case 3: atom->body.unit = chance(UINT32_MAX); break;
    case 4:
      if (size > 16)
        ((LV2_Atom_Event *)(atom + 1))->body.size = chance(2) ? UINT32_MAX - chance(32) : size + chance(64);
      break;
    }
    poison_outputs(plugin);
    prepare_notifications(plugin);
    connect_ports(plugin, PROMISED);
    descriptor->run(plugin->handle, PROMISED);
    check_outputs(plugin, PROMISED);
    plugin->events = events;
    clear_events(plugin);
  }
  for (uint8_t channel = 0; channel < 16; channel++) {
    add_midi(plugin, 0, 0xB0 | channel, 120, 0);
    add_midi(plugin, 0, 0xB0 | channel, 121, 0);
  }
  // A controller reset keeps the volume, the pan and the preset.
  add_midi(plugin, 0, 0xB0, 7, 100);
  add_midi(plugin, 0, 0xB0, 0, 0);
  add_midi(plugin, 0, 0xC0, 0, 0);
  expect_note(plugin, "after garbage");
  close_plugin(plugin);
}

// The plugin writes no more than fits, and a whole sequence or none.
static void a_full_output_buffer(void) {
  Plugin *plugin = open_plugin();
  expect_note(plugin, "at first");
  uint8_t *end = plugin->notifications + plugin->notifications_capacity;
  for (uint32_t capacity = 8; capacity <= 128; capacity += 8)
    for (int cycle = 0; cycle < 20; cycle++) {
      plugin->notifications = end - capacity;
      plugin->notifications_capacity = capacity;
      add_midi(plugin, 0, 0x90, (uint8_t)(40 + cycle), 100);
      run(plugin, PROMISED);
      const LV2_Atom *atom = (const LV2_Atom *)plugin->notifications;
      expect(8 + atom->size <= capacity, "%u bytes in an output of %u", 8 + atom->size, capacity);
      expect(capacity < 16 || atom->type == map_uri(NULL, LV2_ATOM__Sequence), "no sequence in %u bytes", capacity);
    }
  close_plugin(plugin);
}

// Values out of range are clamped, and NaN and infinity leave the parameter as it is.
static void parameters_out_of_range(void) {
  Plugin *plugin = open_plugin();
  expect_note(plugin, "at first");
  static const float values[] = {NAN, INFINITY, -INFINITY, 1e30f, -1e30f, 1e-45f, -0.0f, 0x1p31f, 0x1p63f, 0x1p64f};
  float controls[CONTROLS];
  memcpy(controls, plugin->controls, sizeof controls);
  for (int i = 0; i < parameter_count; i++)
    for (int value = 0; value < 10; value++) {
      plugin->controls[FIRST_AUDIO + i] = values[value];
      add_midi(plugin, 0, 0x90, 60, 100);
      for (int cycle = 0; cycle < 4; cycle++) run(plugin, PROMISED);
    }
  for (int round = 0; round < 200; round++) {
    for (int port = FREEWHEEL; port < FIRST_AUDIO + parameter_count; port++)
      plugin->controls[port] = values[chance(10)];
    add_midi(plugin, 0, 0x90, 60, 100);
    run(plugin, PROMISED);
  }
  close_plugin(plugin);
  // A node that such values have damaged would be silent.
  plugin = open_plugin();
  expect_note(plugin, "after values out of range");
  close_plugin(plugin);
}

// A port that is not connected is left out.
static void unconnected_ports(void) {
  Plugin *plugin = open_plugin();
  expect_note(plugin, "at first");
  for (int missing = 0; missing < port_count(); missing++) {
    for (int cycle = 0; cycle < 3; cycle++) {
      add_midi(plugin, 0, 0x90, 60, 100);
      prepare_notifications(plugin);
      connect_ports(plugin, PROMISED);
      descriptor->connect_port(plugin->handle, (uint32_t)missing, NULL);
      descriptor->run(plugin->handle, PROMISED);
      clear_events(plugin);
    }
  }
  for (int port = 0; port < port_count(); port++) descriptor->connect_port(plugin->handle, (uint32_t)port, NULL);
  for (int cycle = 0; cycle < 10; cycle++) descriptor->run(plugin->handle, PROMISED);
  // Ports that do not exist.
  float unused[LONGEST];
  descriptor->connect_port(plugin->handle, (uint32_t)port_count(), unused);
  descriptor->connect_port(plugin->handle, UINT32_MAX, unused);
  expect_note(plugin, "after the ports are connected again");
  close_plugin(plugin);
  plugin = open_plugin();
  for (int cycle = 0; cycle < 10; cycle++) descriptor->run(plugin->handle, PROMISED);
  close_plugin(plugin);
}

const Test value_tests[] = {
    TEST(garbage_atoms), TEST(a_full_output_buffer), TEST(parameters_out_of_range), TEST(unconnected_ports), {0},
};
