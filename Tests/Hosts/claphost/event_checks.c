// Checks of notes and other messages.
#include "claphost.h"

// Instruments get no signal at their inputs, because some pass it on.
static Instance *with_notes(void) {
  Instance *instance = open_instance();
  instance->silent_input = is_instrument();
  if (!instance->note_input_count) absent("no note input");
  return instance;
}

static void play(bool wildcards, bool inconsistent) {
  Instance *instance = with_notes();
  for (int i = 0; i < 300; i++) {
    uint32_t frames = 1 + chance(1024);
    add_random_events(instance, frames, 16, wildcards, inconsistent);
    run(instance, frames);
  }
  reset(instance);
  if (!inconsistent && !wildcards) expect_sound(instance, "after random events");
  close_instance(instance);
}

static void random_notes_and_messages_do_no_harm(void) { play(false, false); }
static void wildcards_in_notes_do_no_harm(void) { play(true, false); }
static void wrong_notes_and_messages_do_no_harm(void) { play(true, true); }

static void thousands_of_events_fit_into_a_cycle(void) {
  Instance *instance = with_notes();
  for (int i = 0; i < 3; i++) {
    for (uint32_t frame = 0; frame < 2048; frame++)
      for (int k = 0; k < 4; k++) {
        int key = (int)chance(128);
        if (k % 2) note_on(instance, frame, key);
        else note_off(instance, frame, key);
      }
    run(instance, 2048);
  }
  all_notes_off(instance, 0);
  run(instance, 2048);
  close_instance(instance);
}

// The instrument is silent before a note in the middle of a cycle, and sounds in the same cycle. Instruments with a
// slow attack are louder later.
static void a_note_begins_on_its_frame(void) {
  enum { FRAMES = 8192 };
  static const uint32_t frames[] = {0, 1, 63, 64, 1000, 3001};
  Instance *instance = with_notes();
  if (!is_instrument()) absent("no instrument");
  expect_sound(instance, "at first");
  for (int i = 0; i < 6; i++) {
    reset(instance);
    run_for(instance, RATE, 512);
    note_on(instance, frames[i], 60);
    float peak = run(instance, FRAMES), before = 0;
    for (uint32_t frame = 0; frame < frames[i]; frame++)
      for (int channel = 0; channel < instance->channel_count[OUTPUT]; channel++)
        before = fmaxf(before, fabsf(sample(instance, channel, frame, FRAMES)));
    expect(before < AUDIBLE, "a peak of %g sounds before the note at frame %u", (double)before, frames[i]);
    note_off(instance, 0, 60);
    run_for(instance, RATE, 512);
    expect(peak > AUDIBLE, "the note at frame %u does not sound within %d frames: a peak of %g", frames[i], FRAMES,
           (double)peak);
  }
  close_instance(instance);
}

// Plays a chord and ends it; returns the peak after its release.
static float peak_after_chord(Instance *instance, void (*end)(Instance *)) {
  reset(instance);
  run_for(instance, RATE / 2, 512);
  for (int key = 60; key < 72; key += 4) add_note(&instance->events, 0, CLAP_EVENT_NOTE_ON, key, 2, key, 0.8);
  expect(run_for(instance, RATE / 4, 512) > AUDIBLE, "a chord of CLAP's notes is silent");
  end(instance);
  run_for(instance, 3 * RATE, 512);
  return run_for(instance, RATE, 512);
}

static void end_nothing(Instance *instance) { (void)instance; }
static void end_each(Instance *instance) {
  for (int key = 60; key < 72; key += 4) add_note(&instance->events, 0, CLAP_EVENT_NOTE_OFF, key, 2, -1, 0);
}
static void end_by_id(Instance *instance) {
  for (int key = 60; key < 72; key += 4) add_note(&instance->events, 0, CLAP_EVENT_NOTE_OFF, -1, -1, key, 0);
}
static void end_channel(Instance *instance) { add_note(&instance->events, 0, CLAP_EVENT_NOTE_OFF, -1, 2, -1, 0); }
static void end_all(Instance *instance) { add_note(&instance->events, 0, CLAP_EVENT_NOTE_OFF, -1, -1, -1, 0); }
static void choke_all(Instance *instance) { add_note(&instance->events, 0, CLAP_EVENT_NOTE_CHOKE, -1, -1, -1, 0); }

// A note-off with -1 for key, channel or number ends the notes that match. The check needs notes that sound on while
// they are held.
static void wildcards_end_notes(void) {
  Instance *instance = with_notes();
  if (!(instance->dialects & CLAP_NOTE_DIALECT_CLAP) || !is_instrument()) absent("no CLAP notes");
  expect_sound(instance, "at first");
  float held = peak_after_chord(instance, end_nothing), ended = peak_after_chord(instance, end_each);
  if (held < 2 * ended || held < AUDIBLE)
    absent("held notes do not sound on: %g, and %g after their end", (double)held, (double)ended);
  float threshold = sqrtf(fmaxf(ended, 1e-7f) * held);
  static void (*const ends[])(Instance *) = {end_by_id, end_channel, end_all, choke_all};
  static const char *const names[] = {"numbers of notes", "a channel", "all notes", "a choke of all notes"};
  for (int i = 0; i < 4; i++) {
    float peak = peak_after_chord(instance, ends[i]);
    expect(peak < threshold, "%s: a peak of %g sounds 3 s after the release; %g of held ones, %g of released ones",
           names[i], (double)peak, (double)held, (double)ended);
  }
  close_instance(instance);
}

// A note-on with velocity 0 is one in CLAP, and a note-off in MIDI.
static void a_note_off_of_midi_may_be_a_note_on(void) {
  Instance *instance = with_notes();
  if (!(instance->dialects & CLAP_NOTE_DIALECT_MIDI) || !is_instrument()) absent("no MIDI notes");
  expect_sound(instance, "at first");
  float peaks[3];
  for (int i = 0; i < 3; i++) {
    reset(instance);
    run_for(instance, RATE / 2, 512);
    add_midi(&instance->events, 0, 0x90, 60, 100);
    run_for(instance, RATE / 4, 512);
    if (i == 1) add_midi(&instance->events, 0, 0x80, 60, 64);
    if (i == 2) add_midi(&instance->events, 0, 0x90, 60, 0);
    run_for(instance, 3 * RATE, 512);
    peaks[i] = run_for(instance, RATE, 512);
  }
  if (peaks[0] < 2 * peaks[1] || peaks[0] < AUDIBLE) absent("held notes do not sound on");
  expect(peaks[2] < sqrtf(fmaxf(peaks[1], 1e-7f) * peaks[0]), "velocity 0 does not end a note: %g", (double)peaks[2]);
  close_instance(instance);
}

static void each_dialect_sounds(void) {
  Instance *instance = with_notes();
  if (!is_instrument()) absent("no instrument");
  expect_sound(instance, "at first");
  uint32_t preferred = instance->preferred_dialect;
  for (uint32_t dialect = CLAP_NOTE_DIALECT_CLAP; dialect <= CLAP_NOTE_DIALECT_MIDI; dialect <<= 1) {
    if (!(instance->dialects & dialect)) continue;
    instance->preferred_dialect = dialect;
    reset(instance);
    run_for(instance, RATE / 2, 512);
    note_on(instance, 0, 64);
    expect(run_for(instance, RATE, 512) > AUDIBLE, "a note of dialect %u is silent", dialect);
  }
  instance->preferred_dialect = preferred;
  close_instance(instance);
}

const Check event_checks[] = {
    CHECK(random_notes_and_messages_do_no_harm),
    CHECK(wildcards_in_notes_do_no_harm),
    CHECK(wrong_notes_and_messages_do_no_harm),
    CHECK(thousands_of_events_fit_into_a_cycle),
    CHECK(a_note_begins_on_its_frame),
    CHECK(wildcards_end_notes),
    CHECK(a_note_off_of_midi_may_be_a_note_on),
    CHECK(each_dialect_sounds),
    {0},
};
