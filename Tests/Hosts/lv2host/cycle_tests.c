// Tests of lengths and memory of cycles.
#include "lv2host.h"

// A cycle of no frames takes its events.
static void zero_frames(void) {
  Plugin *plugin = open_plugin();
  for (int i = 0; i < 100; i++) run(plugin, 0);
  expect_note(plugin, "after cycles of no frames");
  add_midi(plugin, 0, 0x90, 60, 100);
  run(plugin, 0);
  expect(sounds_within_a_second(plugin), "a note of a cycle of no frames is lost");
  close_plugin(plugin);
}

// A cycle that is longer than promised sounds to its end.
static void more_frames_than_promised(void) {
  Plugin *plugin = open_plugin();
  expect_note(plugin, "at first");
  for (uint32_t frames = PROMISED; frames <= LONGEST; frames += 379) run(plugin, frames);
  add_midi(plugin, LONGEST - 1000, 0x90, 60, 100);
  expect(run(plugin, LONGEST) > AUDIBLE, "a note at the end of a long cycle is silent");
  close_plugin(plugin);
}

// Events before the cycle act on its first frame, and those after it on its last one. A note-off is not lost.
static void events_beyond_the_cycle(void) {
  Plugin *plugin = open_plugin();
  expect_note(plugin, "at first");
  static const int64_t frames[] = {-1, INT64_MIN, PROMISED, PROMISED + 1, INT32_MAX, INT64_MAX};
  for (int i = 0; i < 6; i++) {
    add_midi(plugin, 0, 0xB0, 121, 0);
    add_midi(plugin, frames[i], 0x90, 60, 100);
    expect(sounds_within_a_second(plugin), "the note at frame %lld is silent", (long long)frames[i]);
    float peak = end_sound(plugin, frames[i]);
    expect(peak < AUDIBLE, "the end of sound at frame %lld is lost: a peak of %g", (long long)frames[i], (double)peak);
  }
  close_plugin(plugin);
}

// Plays a phrase, or a signal into an effect, from an instance's first cycle on, and returns the channels one after
// another.
static float *play_phrase(uint32_t cycle, bool in_place, uint32_t length) {
  Plugin *plugin = open_plugin();
  float *result = calloc((size_t)length * (size_t)output_count, sizeof(float));
  if (in_place)
    for (int channel = 0; channel < input_count; channel++) plugin->inputs[channel] = plugin->outputs[channel];
  bool sounds = false;
  for (uint32_t first = 0; first < length; first += cycle) {
    uint32_t frames = cycle < length - first ? cycle : length - first;
    for (uint32_t i = 0; i < frames; i++)
      if ((first + i) % 1499 == 0) add_midi(plugin, i, 0x90, (uint8_t)(40 + (first + i) / 1499), 100);
    poison_outputs(plugin);
    for (int channel = 0; channel < input_count; channel++)
      for (uint32_t i = 0; i < frames; i++)
        plugin->inputs[channel][LONGEST - frames + i] = sinf((float)((first + i) * (uint32_t)(channel + 1)) * 0.01f);
    prepare_notifications(plugin);
    connect_ports(plugin, frames);
    descriptor->run(plugin->handle, frames);
    clear_events(plugin);
    if (check_outputs(plugin, frames) > 0) sounds = true;
    for (int channel = 0; channel < output_count; channel++)
      memcpy(result + (size_t)channel * length + first, plugin->outputs[channel] + LONGEST - frames,
             frames * sizeof(float));
  }
  expect(sounds, "the phrase is silent");
  close_plugin(plugin);
  return result;
}

static void expect_same(const float *a, const float *b, uint32_t length, const char *what) {
  for (size_t i = 0; i < (size_t)length * (size_t)output_count; i++)
    expect(!memcmp(&a[i], &b[i], sizeof(float)), "%s: frame %zu of channel %zu is %a instead of %a", what, i % length,
           i / length, (double)b[i], (double)a[i]);
}

// Input and output may be the same memory: the bits are those of separate memory.
static void one_memory_for_input_and_output(void) {
  expect(input_count > 0 && input_count <= output_count, "the plugin is no effect");
  float *separate = play_phrase(PROMISED, false, RATE);
  expect_same(separate, play_phrase(PROMISED, true, RATE), RATE, "one memory");
}

// The length of the cycles changes no bit.
static void cycles_of_one_frame(void) {
  enum { LENGTH = 12000 };
  float *expected = play_phrase(PROMISED, false, LENGTH);
  expect_same(expected, play_phrase(100, false, LENGTH), LENGTH, "cycles of 100 frames");
  expect_same(expected, play_phrase(LONGEST, false, LENGTH), LENGTH, "cycles of 4096 frames");
  expect_same(expected, play_phrase(1, false, LENGTH), LENGTH, "cycles of one frame");
}

const Test cycle_tests[] = {
    TEST(zero_frames), TEST(more_frames_than_promised), TEST(events_beyond_the_cycle),
    TEST(one_memory_for_input_and_output), TEST(cycles_of_one_frame), {0},
};
