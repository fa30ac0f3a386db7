// Checks that state more than CLAP asks for: Portative's laws. Plugins with random or free-running parts fail some.
#include "claphost.h"

enum { LENGTH = 24000 };

// A new instance that sounds, with all sound ended.
static Instance *ready_instance(void) {
  Instance *instance = open_instance();
  if (!instance->channel_count[OUTPUT]) absent("no audio output");
  if (!instance->offline && instance->note_input_count) {
    expect_sound(instance, "at first");
    reset(instance);
  }
  instance->frame = 0;
  return instance;
}

static float *phrase(uint32_t block, bool in_place) {
  Instance *instance = ready_instance();
  instance->in_place = in_place;
  float *result = render_phrase(instance, block, LENGTH);
  close_instance(instance);
  return result;
}

static size_t sample_count(void) {
  Instance *instance = inactive_instance();
  size_t count = (size_t)instance->channel_count[OUTPUT] * LENGTH;
  close_instance(instance);
  return count;
}

static void another_instance_has_the_same_bits(void) {
  expect_same(phrase(512, false), phrase(512, false), sample_count(), "another instance");
}

static void the_length_of_cycles_changes_no_bit(void) {
  static const uint32_t blocks[] = {1, 17, 64, 100, 1024, 8192};
  float *expected = phrase(512, false);
  for (int i = 0; i < 6; i++) {
    char what[64];
    snprintf(what, sizeof what, "cycles of %u frames instead of 512", blocks[i]);
    expect_same(expected, phrase(blocks[i], false), sample_count(), what);
  }
}

static void shared_memory_changes_no_bit(void) {
  expect_same(phrase(512, false), phrase(512, true), sample_count(), "input and output in one memory");
}

static void a_loaded_state_has_the_same_bits(void) {
  Instance *instance = ready_instance();
  if (!instance->extensions.state) absent("no state");
  Parameters all = parameters(instance);
  randomize(instance, all);
  State state = save(instance, UINT64_MAX);
  close_instance(instance);
  float *phrases[2];
  for (int i = 0; i < 2; i++) {
    instance = inactive_instance();
    expect(load(instance, state, 100), "the state is refused");
    activate(instance, RATE, LONGEST);
    start(instance);
    if (!instance->offline && instance->note_input_count) expect_sound(instance, "at first"), reset(instance);
    instance->frame = 0;
    phrases[i] = render_phrase(instance, 512, LENGTH);
    close_instance(instance);
  }
  expect_same(phrases[0], phrases[1], sample_count(), "a loaded state");
}

// Hosts know that values change when they load a state, but some wait for this call.
static void a_loaded_state_rescans_the_values(void) {
  Instance *instance = inactive_instance();
  if (!instance->extensions.state) absent("no state");
  Parameters all = parameters(instance);
  randomize(instance, all);
  State state = save(instance, UINT64_MAX);
  randomize(instance, all);
  instance->rescans = 0;
  expect(load(instance, state, UINT64_MAX), "the state is refused");
  expect(instance->rescans & (CLAP_PARAM_RESCAN_VALUES | CLAP_PARAM_RESCAN_ALL),
         "the host is not told that values have changed");
  close_instance(instance);
}

// A value in the middle of a cycle acts as one at the start of a cycle that begins there.
static void values_act_on_their_frames(void) {
  enum { FIRST = 300, REST = 724 };
  Instance *probe = inactive_instance();
  Parameters all = parameters(probe);
  close_instance(probe);
  uint32_t tried = 0;
  for (uint32_t i = 0; i < all.count && tried < 16; i++) {
    const clap_param_info_t *info = &all.infos[i];
    if (!can_set(info) || !(info->flags & CLAP_PARAM_IS_AUTOMATABLE)) continue;
    tried++;
    double value = random_value(info);
    float *sounds[2];
    size_t count = 0;
    for (int divided = 0; divided < 2; divided++) {
      Instance *instance = ready_instance();
      int channels = instance->channel_count[OUTPUT];
      count = (size_t)channels * (FIRST + REST);
      float *sound = sounds[divided] = calloc(count, sizeof *sound);
      if (instance->note_input_count) note_on(instance, 0, 60);
      run_for(instance, 2048, 512);
      uint32_t frames = divided ? REST : FIRST + REST;
      if (divided) {
        run(instance, FIRST);
        for (int c = 0; c < channels; c++)
          for (uint32_t k = 0; k < FIRST; k++) sound[c * (FIRST + REST) + (int)k] = sample(instance, c, k, FIRST);
      }
      add_value(&instance->events, divided ? 0 : FIRST, info->id, info->cookie, value);
      run(instance, frames);
      for (int c = 0; c < channels; c++)
        for (uint32_t k = 0; k < frames; k++)
          sound[c * (FIRST + REST) + (int)(k + (divided ? FIRST : 0))] = sample(instance, c, k, frames);
      close_instance(instance);
    }
    char what[400];
    snprintf(what, sizeof what, "%s = %g in the middle of a cycle", info->name, value);
    expect_same(sounds[1], sounds[0], count, what);
  }
}

// A note of CLAP with velocity 100/127 is that of MIDI with velocity 100.
static void dialects_have_the_same_bits(void) {
  Instance *instance = ready_instance();
  uint32_t both = CLAP_NOTE_DIALECT_CLAP | CLAP_NOTE_DIALECT_MIDI;
  if ((instance->dialects & both) != both || !is_instrument()) absent("not both dialects");
  close_instance(instance);
  float *sounds[2];
  for (int i = 0; i < 2; i++) {
    instance = ready_instance();
    instance->preferred_dialect = i ? CLAP_NOTE_DIALECT_CLAP : CLAP_NOTE_DIALECT_MIDI;
    sounds[i] = render_phrase(instance, 512, LENGTH);
    close_instance(instance);
  }
  expect_same(sounds[0], sounds[1], sample_count(), "notes of CLAP");
}

static void reset_leaves_no_trace(void) {
  Instance *instance = ready_instance();
  float *first = render_phrase(instance, 512, LENGTH);
  reset(instance);
  instance->frame = 0;
  float *second = render_phrase(instance, 512, LENGTH);
  close_instance(instance);
  expect_same(first, second, sample_count(), "a phrase after reset");
}

const Check strict_checks[] = {
    CHECK(another_instance_has_the_same_bits),
    CHECK(the_length_of_cycles_changes_no_bit),
    CHECK(shared_memory_changes_no_bit),
    CHECK(a_loaded_state_has_the_same_bits),
    CHECK(a_loaded_state_rescans_the_values),
    CHECK(values_act_on_their_frames),
    CHECK(dialects_have_the_same_bits),
    CHECK(reset_leaves_no_trace),
    {0},
};
