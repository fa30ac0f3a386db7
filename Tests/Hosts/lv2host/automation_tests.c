// Tests of the values of control ports: the node is level-node.c, whose output is the level of each frame.
#include "lv2host.h"
#include <lv2/patch/patch.h>

// Renders a cycle in which the control port has another value, and expects a straight line to it.
static void expect_line(Plugin *plugin, uint32_t frames, float from, float to, uint32_t length) {
  plugin->controls[FIRST_AUDIO] = to;
  run(plugin, frames);
  const float *output = plugin->outputs[0] + LONGEST - frames;
  for (uint32_t i = 0; i < frames; i++) {
    float expected = i < length ? (float)(from + ((double)to - from) * i / length) : to;
    expect(output[i] == expected, "frame %u of %u is %.9g instead of %.9g, on the way from %g to %g in %u frames", i,
           frames, (double)output[i], (double)expected, (double)from, (double)to, length);
  }
}

// A unit begins with the values. A single change takes 10 ms, or the cycle if that is shorter. A control that changes
// in each cycle moves evenly through it, unless it jumps.
static void controls_that_change(void) {
  enum { JUMP = RATE / 100 };
  Plugin *plugin = open_plugin();
  expect_line(plugin, 1024, 0.75f, 0.75f, 0);
  expect_line(plugin, 1024, 0.75f, 0.25f, JUMP);
  expect_line(plugin, 256, 0.25f, 0.25f, 0);
  expect_line(plugin, 256, 0.25f, 0.5f, 256);
  // A ramp in cycles of any length, also longer than the host has promised. A value is that of the cycle's beginning.
  expect_line(plugin, 256, 0.5f, 0, 256);
  expect_line(plugin, 256, 0, 0, 0);
  const float slope = 1e-6f;
  uint32_t frames = 256;
  float from = 0;
  for (int round = 0; round < 200; round++) {
    float to = from + slope * (float)frames * (float)(1 + chance(3));
    frames = 1 + chance(round % 4 ? PROMISED : LONGEST);
    expect_line(plugin, frames, from, to, round == 0 && frames > JUMP ? JUMP : frames);
    from = to;
  }
  expect(from < 1, "the ramp has left the range at %g", (double)from);
  // A jump on the way, and one after a rest.
  expect_line(plugin, 4096, from, 1, JUMP);
  expect_line(plugin, 64, 1, 1, 0);
  expect_line(plugin, 4096, 1, 0.5f, JUMP);
  close_plugin(plugin);
}

// Adds a message that sets the parameter of a control port.
static void add_level(Plugin *plugin, int64_t frame, float value) {
  struct {
    LV2_Atom_Object_Body object;
    struct {
      uint32_t key, context, size, type, value, padding;
    } properties[2];
  } set = {
      {0, map_uri(NULL, LV2_PATCH__Set)},
      {{map_uri(NULL, LV2_PATCH__property), 0, 4, map_uri(NULL, LV2_ATOM__URID),
        map_uri(NULL, "urn:portative:instrument:levl:Test#level"), 0},
       {map_uri(NULL, LV2_PATCH__value), 0, 4, map_uri(NULL, LV2_ATOM__Float), 0, 0}}};
  memcpy(&set.properties[1].value, &value, sizeof value);
  add_event(plugin, frame, LV2_ATOM__Object, &set, sizeof set);
}

// A message that sets a parameter acts on its frame. The control port, which has its old value, does not undo it.
static void parameters_that_messages_set(void) {
  Plugin *plugin = open_plugin();
  expect_line(plugin, 256, 0.75f, 0.75f, 0);
  for (int round = 0; round < 200; round++) {
    uint32_t frames = 2 + chance(round % 4 ? PROMISED - 2 : LONGEST - 2), first = chance(frames),
             second = first + chance(frames - first);
    float from = plugin->outputs[0][LONGEST - 1], values[] = {(float)chance(100) / 100, (float)chance(100) / 100};
    add_level(plugin, first, values[0]);
    add_level(plugin, second, values[1]);
    run(plugin, frames);
    const float *output = plugin->outputs[0] + LONGEST - frames;
    for (uint32_t i = 0; i < frames; i++) {
      float expected = i < first ? from : i < second ? values[0] : values[1];
      expect(output[i] == expected, "frame %u of %u is %.9g instead of %.9g", i, frames, (double)output[i],
             (double)expected);
    }
  }
  // The port has the last word when it changes.
  expect_line(plugin, 1024, plugin->outputs[0][LONGEST - 1], 0.125f, RATE / 100);
  close_plugin(plugin);
}

const Test automation_tests[] = {TEST(controls_that_change), TEST(parameters_that_messages_set), {0}};
