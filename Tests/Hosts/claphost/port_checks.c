// Checks of the audio and note ports.
#include "claphost.h"

static bool ends(const char *text, size_t size) { return memchr(text, 0, size); }

static void check_audio_port(const Instance *instance, int input, int index) {
  const clap_audio_port_info_t *info = &instance->ports[input][index].info;
  const char *which = input ? "input" : "output";
  expect(ends(info->name, sizeof info->name) && *info->name, "audio %s %d has no name", which, index);
  expect(info->id != CLAP_INVALID_ID, "audio %s %d has the invalid ID", which, index);
  expect(info->channel_count > 0, "audio %s %d has no channels", which, index);
  expect(index == 0 || !(info->flags & CLAP_AUDIO_PORT_IS_MAIN), "audio %s %d is a main port", which, index);
  expect(!(info->flags & CLAP_AUDIO_PORT_PREFERS_64BITS) || info->flags & CLAP_AUDIO_PORT_SUPPORTS_64BITS,
         "audio %s %d prefers 64 bits, but does not support them", which, index);
  if (info->port_type && !strcmp(info->port_type, CLAP_PORT_MONO))
    expect(info->channel_count == 1, "audio %s %d is mono with %u channels", which, index, info->channel_count);
  if (info->port_type && !strcmp(info->port_type, CLAP_PORT_STEREO))
    expect(info->channel_count == 2, "audio %s %d is stereo with %u channels", which, index, info->channel_count);
  for (int other = 0; other < index; other++)
    expect(instance->ports[input][other].info.id != info->id, "two audio %ss have the ID %u", which, info->id);
  if (info->in_place_pair == CLAP_INVALID_ID) return;
  for (int other = 0; other < instance->port_count[!input]; other++) {
    const clap_audio_port_info_t *pair = &instance->ports[!input][other].info;
    if (pair->id != info->in_place_pair) continue;
    expect(pair->in_place_pair == info->id, "the pair of audio %s %d has another pair", which, index);
    expect(pair->channel_count == info->channel_count, "the pair of audio %s %d has other channels", which, index);
    return;
  }
  fail("false", "the pair of audio %s %d does not exist", which, index);
}

static void audio_ports_are_consistent(void) {
  Instance *instance = inactive_instance();
  const clap_plugin_audio_ports_t *ports = instance->extensions.audio_ports;
  if (!ports) absent("no audio ports");
  clap_audio_port_info_t info;
  for (int input = 0; input < 2; input++) {
    for (int i = 0; i < instance->port_count[input]; i++) check_audio_port(instance, input, i);
    uint32_t count = (uint32_t)instance->port_count[input];
    expect(!ports->get(instance->plugin, count, input, &info), "there is an audio port behind the last one");
    expect(!ports->get(instance->plugin, UINT32_MAX, input, &info), "there is an audio port at -1");
  }
  remark("%d inputs with %d channels, %d outputs with %d channels", instance->port_count[INPUT],
         instance->channel_count[INPUT], instance->port_count[OUTPUT], instance->channel_count[OUTPUT]);
  close_instance(instance);
}

static void note_ports_are_consistent(void) {
  Instance *instance = inactive_instance();
  const clap_plugin_note_ports_t *ports = instance->extensions.note_ports;
  if (!ports) absent("no note ports");
  for (int input = 0; input < 2; input++) {
    uint32_t count = ports->count(instance->plugin, input);
    clap_note_port_info_t infos[PORTS];
    expect(count <= PORTS, "there are %u note ports", count);
    for (uint32_t i = 0; i < count; i++) {
      clap_note_port_info_t *info = &infos[i];
      expect(ports->get(instance->plugin, i, input, info), "note port %u is not described", i);
      expect(ends(info->name, sizeof info->name) && *info->name, "note port %u has no name", i);
      expect(info->id != CLAP_INVALID_ID, "note port %u has the invalid ID", i);
      expect(info->supported_dialects && info->supported_dialects < 16, "note port %u has dialects %#x", i,
             info->supported_dialects);
      uint32_t preferred = info->preferred_dialect;
      expect(preferred && !(preferred & (preferred - 1)), "note port %u prefers the dialects %#x", i, preferred);
      expect(preferred & info->supported_dialects, "note port %u prefers a dialect that it does not support", i);
      for (uint32_t other = 0; other < i; other++)
        expect(infos[other].id != info->id, "two note ports have the ID %u", info->id);
      remark("%s \"%s\": dialects %u, preferred %u", input ? "input" : "output", info->name, info->supported_dialects,
             preferred);
    }
    clap_note_port_info_t info;
    expect(!ports->get(instance->plugin, count, input, &info), "there is a note port behind the last one");
    expect(!ports->get(instance->plugin, UINT32_MAX, input, &info), "there is a note port at -1");
  }
  close_instance(instance);
}

static void ports_fit_the_category(void) {
  Instance *instance = inactive_instance();
  const clap_plugin_descriptor_t *descriptor = find_descriptor(plugin_id);
  if (has_feature(descriptor, CLAP_PLUGIN_FEATURE_INSTRUMENT)) {
    expect(instance->port_count[OUTPUT] > 0, "an instrument has no audio output");
    expect(instance->note_input_count > 0, "an instrument has no note input");
  }
  // A generator, such as a metronome, has no category of its own: it is an effect without an input.
  if (has_feature(descriptor, CLAP_PLUGIN_FEATURE_AUDIO_EFFECT))
    expect(instance->port_count[OUTPUT] > 0, "an effect has no audio output");
  close_instance(instance);
}

// Another scan finds the same, also while the plugin is active, and after it was.
static void ports_remain_the_same(void) {
  Instance *instance = inactive_instance();
  static Port before[2][PORTS];
  memcpy(before, instance->ports, sizeof before);
  int counts[2] = {instance->port_count[0], instance->port_count[1]};
  for (int round = 0; round < 3; round++) {
    if (round == 1) activate(instance, RATE, 512), start(instance), run(instance, 512);
    if (round == 2) deactivate(instance);
    for (int input = 0; input < 2; input++) {
      const clap_plugin_audio_ports_t *ports = instance->extensions.audio_ports;
      if (!ports) continue;
      expect((int)ports->count(instance->plugin, input) == counts[input], "the number of audio ports changes");
      for (int i = 0; i < counts[input]; i++) {
        clap_audio_port_info_t info;
        expect(ports->get(instance->plugin, (uint32_t)i, input, &info), "audio port %d is not described", i);
        const clap_audio_port_info_t *old = &before[input][i].info;
        expect(info.id == old->id && info.channel_count == old->channel_count && info.flags == old->flags &&
                   info.in_place_pair == old->in_place_pair && !strcmp(info.name, old->name),
               "audio port %d changes", i);
      }
    }
  }
  close_instance(instance);
}

const Check port_checks[] = {
    CHECK(audio_ports_are_consistent),
    CHECK(note_ports_are_consistent),
    CHECK(ports_fit_the_category),
    CHECK(ports_remain_the_same),
    {0},
};
