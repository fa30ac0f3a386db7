// Tests of what a unit reports and sends: the node is latent-node.c.
#include "lv2host.h"
#include <lv2/atom/util.h>
#include <unistd.h>

// Renders cycles until the latency port has a value, for up to 2 s. The node notices a change within 0.25 s.
static void expect_latency(Plugin *plugin, float frames) {
  for (double end = now() + 2; now() < end && plugin->controls[LATENCY] != frames; usleep(5000)) run(plugin, PROMISED);
  expect(plugin->controls[LATENCY] == frames, "the latency is %g instead of %g", (double)plugin->controls[LATENCY],
         (double)frames);
}

// Sends an impulse on a frame after silence, and returns after how many frames it comes out; -1: not within a second.
static int delay_of_impulse(Plugin *plugin, uint32_t frame) {
  float *input = plugin->inputs[0] + LONGEST - PROMISED;
  const float *output = plugin->outputs[0] + LONGEST - PROMISED;
  memset(input, 0, PROMISED * sizeof *input);
  for (int frames = 0; frames < LONGEST; frames += PROMISED) run(plugin, PROMISED);
  for (int first = 0; first < RATE; first += PROMISED) {
    input[frame] = first == 0;
    run(plugin, PROMISED);
    for (int i = 0; i < PROMISED; i++)
      if (output[i] != 0) return first + i - (int)frame;
  }
  return -1;
}

// The latency port has the unit's latency in frames, also after it has changed, and the audio has that delay.
static void latency_of_the_unit(void) {
  Plugin *plugin = open_plugin();
  expect_latency(plugin, 480);
  expect(delay_of_impulse(plugin, 5) == 480, "the delay is not the latency");
  static const float latencies[] = {100, 0, 999};
  for (int i = 0; i < 3; i++) {
    plugin->controls[FIRST_AUDIO] = latencies[i];
    expect_latency(plugin, latencies[i]);
    int delay = delay_of_impulse(plugin, 250);
    expect(delay == (int)latencies[i], "a delay of %d frames with a latency of %g", delay, (double)latencies[i]);
  }
  close_plugin(plugin);
}

// What the unit sends is written on its frame of the same cycle, in cycles of any length. The unit answers each message
// on its frame with one an octave higher.
static void midi_output_of_the_unit(void) {
  Plugin *plugin = open_plugin();
  for (int round = 0; round < 500; round++) {
    uint32_t frames = 1 + chance(round % 4 ? PROMISED : LONGEST), count = chance(8);
    uint32_t offsets[8];
    // In order of frame.
    for (uint32_t i = 0, from = 0; i < count; i++) {
      offsets[i] = from + chance(frames - from);
      from = offsets[i];
      add_midi(plugin, offsets[i], (uint8_t)(0x90 | i), (uint8_t)(round % 100), (uint8_t)(1 + i));
    }
    run(plugin, frames);
    const LV2_Atom_Sequence *output = (const LV2_Atom_Sequence *)plugin->notifications;
    expect(output->atom.type == map_uri(NULL, LV2_ATOM__Sequence), "the output has no sequence");
    uint32_t found = 0;
    LV2_ATOM_SEQUENCE_FOREACH (output, event) {
      expect(event->body.type == map_uri(NULL, LV2_MIDI__MidiEvent) && event->body.size == 3, "no message of 3 bytes");
      const uint8_t *bytes = (const uint8_t *)(event + 1);
      expect(found < count, "more than %u messages", count);
      expect(event->time.frames == offsets[found], "message %u of round %d is on frame %lld of %u instead of %u", found,
             round, (long long)event->time.frames, frames, offsets[found]);
      expect(bytes[0] == (0x90 | found) && bytes[1] == round % 100 + 12 && bytes[2] == 1 + found,
             "message %u of round %d is %02x %02x %02x", found, round, bytes[0], bytes[1], bytes[2]);
      found++;
    }
    expect(found == count, "%u of %u messages in round %d", found, count, round);
  }
  close_plugin(plugin);
}

const Test unit_tests[] = {
    TEST(latency_of_the_unit), TEST(midi_output_of_the_unit), {0},
};
