// Cycles of an instance.
#include "lv2host.h"

static const uint32_t POISON = 0x7fc0dead;

void poison_outputs(Plugin *plugin) {
  for (int channel = 0; channel < output_count; channel++)
    for (int i = 0; i < LONGEST; i++) memcpy(&plugin->outputs[channel][i], &POISON, sizeof POISON);
}

void prepare_notifications(Plugin *plugin) {
  // At the beginning of a cycle, the host writes the capacity behind the header.
  *(LV2_Atom *)plugin->notifications = (LV2_Atom){plugin->notifications_capacity - (uint32_t)sizeof(LV2_Atom), 0};
}

float check_outputs(Plugin *plugin, uint32_t frames) {
  float peak = 0;
  for (int channel = 0; channel < output_count; channel++)
    for (uint32_t i = 0; i < LONGEST; i++) {
      uint32_t bits;
      memcpy(&bits, &plugin->outputs[channel][i], sizeof bits);
      if (i < LONGEST - frames) {
        expect(bits == POISON, "a sample before the output is written");
        continue;
      }
      expect(bits != POISON, "frame %u of %u of channel %d is not written", i - (LONGEST - frames), frames, channel);
      expect(isfinite(plugin->outputs[channel][i]), "a sample is not finite");
      peak = fmaxf(peak, fabsf(plugin->outputs[channel][i]));
    }
  return peak;
}

float run(Plugin *plugin, uint32_t frames) {
  poison_outputs(plugin);
  prepare_notifications(plugin);
  connect_ports(plugin, frames);
  descriptor->run(plugin->handle, frames);
  clear_events(plugin);
  return check_outputs(plugin, frames);
}

bool sounds_within_a_second(Plugin *plugin) {
  for (int frames = 0; frames < RATE; frames += PROMISED)
    if (run(plugin, PROMISED) > AUDIBLE) return true;
  return false;
}

float end_sound(Plugin *plugin, int64_t frame) {
  add_midi(plugin, frame, 0xB0, 120, 0);
  float peak = 1;
  for (int cycle = 0; peak > AUDIBLE / 10 && cycle < 30 * RATE / PROMISED; cycle++) peak = run(plugin, PROMISED);
  return peak;
}

void expect_note(Plugin *plugin, const char *when) {
  add_midi(plugin, 0, 0x90, 60, 100);
  expect(sounds_within_a_second(plugin), "a note is silent %s", when);
  end_sound(plugin, 0);
}
