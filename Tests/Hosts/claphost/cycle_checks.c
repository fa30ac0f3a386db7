// Checks of cycles: their lengths, memory, rates and what surrounds them.
#include "claphost.h"

static void sound_comes_within_30_s_in_real_time(void) {
  Instance *instance = make_instance();
  initialize(instance);
  activate(instance, RATE, 256);
  start(instance);
  if (!instance->channel_count[OUTPUT]) absent("no audio output");
  double seconds = wait_for_sound(instance);
  expect(seconds < INFINITY, "there is no sound within %g s", longest_wait);
  remark("after %.3f s", seconds);
  close_instance(instance);
}

static void sound_comes_without_a_deadline(void) {
  Instance *instance = open_instance();
  if (!instance->offline) absent("no offline rendering");
  if (instance->note_input_count) note_on(instance, 0, 60);
  expect(run_for(instance, RATE, 512) > AUDIBLE, "the first second of an offline rendering is silent");
  close_instance(instance);
}

static void play(Instance *instance, uint32_t frames) {
  add_random_events(instance, frames, 4, false, false);
  run(instance, frames);
}

static void cycles_may_have_any_length(void) {
  Instance *instance = open_instance();
  expect_sound(instance, "at first");
  for (uint32_t frames = 1; frames <= LONGEST; frames += 1 + frames / 7) play(instance, frames);
  for (int i = 0; i < 300; i++) play(instance, 1 + chance(2048));
  for (int i = 0; i < 100; i++) play(instance, chance(2) ? 1 : LONGEST);
  close_instance(instance);
}

static void the_longest_cycle_may_have_any_length(void) {
  static const uint32_t lengths[] = {1,   2,   7,    32,   63,   64,   65,    127,
                                     480, 511, 1000, 1024, 4096, 4097, 10000, 2 * LONGEST};
  Instance *instance = inactive_instance();
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    activate(instance, RATE, lengths[i]);
    start(instance);
    for (int k = 0; k < 10; k++) play(instance, lengths[i]);
    deactivate(instance);
  }
  close_instance(instance);
}

// CLAP has no such cycles, but hosts have.
static void cycles_of_no_frames_do_no_harm(void) {
  Instance *instance = open_instance();
  for (int i = 0; i < 100; i++) run(instance, 0);
  expect_sound(instance, "after cycles of no frames");
  close_instance(instance);
}

static void input_and_output_may_share_memory(void) {
  Instance *instance = open_instance();
  bool pairs = false;
  for (int i = 0; i < instance->port_count[INPUT]; i++)
    pairs |= instance->ports[INPUT][i].info.in_place_pair != CLAP_INVALID_ID;
  if (!pairs) absent("no ports for processing in place");
  instance->in_place = true;
  for (int i = 0; i < 100; i++) play(instance, 1 + chance(2048));
  close_instance(instance);
}

static void samples_may_have_64_bits(void) {
  Instance *instance = open_instance();
  bool wide = false;
  for (int input = 0; input < 2; input++)
    for (int i = 0; i < instance->port_count[input]; i++)
      wide |= !!(instance->ports[input][i].info.flags & CLAP_AUDIO_PORT_SUPPORTS_64BITS);
  if (!wide) absent("no ports for 64 bits");
  instance->doubles = true;
  for (int i = 0; i < 100; i++) {
    instance->in_place = i % 2;
    play(instance, 1 + chance(2048));
  }
  close_instance(instance);
}

static float denormal(int channel, int64_t frame) { return (float)((frame + channel) % 7 - 3) * 1e-41f; }
static float impulse(int channel, int64_t frame) { return (void)channel, frame == 0 ? 1 : 0; }

static void no_output_is_denormal(void) {
  static float (*const inputs[])(int, int64_t) = {noise, denormal, impulse};
  for (int i = 0; i < 3; i++) {
    Instance *instance = open_instance();
    instance->input = inputs[i];
    if (instance->note_input_count) note_on(instance, 0, 60), note_off(instance, 5000, 60);
    run_for(instance, RATE, 512);
    all_notes_off(instance, 0);
    instance->silent_input = true;
    run_for(instance, 10 * RATE, 512);
    // An effect may pass denormal inputs on.
    if (i == 1) remark("%llu samples are denormal after denormal inputs", (unsigned long long)instance->subnormals);
    else
      expect(!instance->subnormals, "%llu samples of the output are denormal",
             (unsigned long long)instance->subnormals);
    close_instance(instance);
  }
}

// What says that it sleeps is silent without events and inputs; what is marked as constant is.
static void a_plugin_that_sleeps_is_silent(void) {
  Instance *instance = open_instance();
  bool slept = false;
  for (int phase = 0; phase < 6; phase++) {
    bool sleeps = false;
    instance->silent_input = phase % 2 == 0 || phase == 5;
    // In phase 2, notes are still held.
    if (instance->silent_input && phase != 2) all_notes_off(instance, 0);
    for (int i = 0; i < 100; i++) {
      if (!instance->silent_input) add_random_events(instance, 512, 4, false, false);
      if (atomic_exchange(&instance->wants_process, false)) sleeps = false;
      float peak = run(instance, 512);
      expect(!sleeps || !instance->silent_input || peak < AUDIBLE, "a plugin that sleeps sounds: a peak of %g",
             (double)peak);
      slept |= sleeps;
      expect(instance->status != CLAP_PROCESS_TAIL || instance->extensions.tail,
             "process returns a tail, and the plugin has none");
      sleeps = instance->status == CLAP_PROCESS_SLEEP;
    }
  }
  remark(slept ? "it sleeps" : "it never sleeps");
  close_instance(instance);
}

static void rates_may_be_any(void) {
  static const double rates[] = {8000,  11025, 12345.678, 22050,  32000,  44100, 48000,
                                 64000, 88200, 96000,     176400, 192000};
  Instance *instance = inactive_instance();
  for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
    activate(instance, rates[i], 512);
    start(instance);
    for (int k = 0; k < 10; k++) play(instance, 512);
    if (rates[i] >= 44100 && rates[i] <= 96000) expect_sound(instance, "at another rate");
    deactivate(instance);
  }
  close_instance(instance);
}

static void a_plugin_is_activated_many_times(void) {
  Instance *instance = inactive_instance();
  for (int i = 0; i < 30; i++) {
    activate(instance, i % 2 ? 44100 : 48000, 64 << i % 6);
    if (i % 3) {
      start(instance);
      run(instance, 64);
      stop(instance);
      start(instance);
      run(instance, 64);
    }
    deactivate(instance);
  }
  activate(instance, RATE, LONGEST);
  start(instance);
  expect_sound(instance, "after 30 activations");
  close_instance(instance);
}

static void start_and_stop_lose_nothing(void) {
  Instance *instance = open_instance();
  for (int i = 0; i < 20; i++) {
    run(instance, 300);
    stop(instance);
    pump(instance);
    start(instance);
  }
  expect_sound(instance, "after 20 stops");
  close_instance(instance);
}

static void reset_ends_sound_and_keeps_values(void) {
  Instance *instance = open_instance();
  double *values = NULL;
  Parameters all = {0};
  if (instance->extensions.params && instance->extensions.params->count(instance->plugin)) {
    all = parameters(instance);
    values = values_of(instance, all);
  }
  if (!instance->channel_count[OUTPUT]) absent("no audio output");
  expect(wait_for_sound(instance) < INFINITY, "there is no sound");
  for (int i = 0; i < 40; i++) {
    if (instance->note_input_count && i % 8 == 0) note_on(instance, 0, 50 + i / 8);
    run(instance, 512);
  }
  reset(instance);
  instance->frame = 0;
  instance->silent_input = true;
  float peak = run_for(instance, RATE / 2, 512);
  expect(peak < AUDIBLE, "after reset, a peak of %g sounds", (double)peak);
  if (values) expect_values(instance, all, values, "after reset");
  instance->silent_input = false;
  expect_sound(instance, "after reset");
  for (int i = 0; i < 20; i++) {
    play(instance, 1 + chance(512));
    reset(instance);
  }
  close_instance(instance);
}

static void hosts_may_have_no_transport_and_no_time(void) {
  Instance *instance = open_instance();
  instance->no_steady_time = true;
  for (int i = 0; i < 100; i++) play(instance, 512);
  expect_sound(instance, "without a transport");
  close_instance(instance);
}

static void transports_may_change_at_any_frame(void) {
  Instance *instance = open_instance();
  for (int i = 0; i < 100; i++) {
    clap_event_transport_t transport = random_transport();
    instance->transport = &transport;
    static const uint32_t intervals[] = {0, 1, 100, 1000};
    uint32_t interval = intervals[i % 4];
    for (uint32_t frame = interval; interval && frame < 1024; frame += interval)
      add_transport(&instance->events, frame);
    play(instance, 1024);
  }
  instance->transport = NULL;
  close_instance(instance);
}

static void sixty_four_instances_sound(void) {
  Instance *instances[64];
  for (int i = 0; i < 64; i++) instances[i] = open_instance();
  for (int round = 0; round < 4; round++)
    for (int i = 0; i < 64; i++) play(instances[i], 256);
  for (int i = 0; i < 64; i++) expect_sound(instances[i], "among 64 instances");
  for (int i = 0; i < 64; i++) close_instance(instances[i * 37 % 64]);
}

const Check cycle_checks[] = {
    CHECK(sound_comes_within_30_s_in_real_time),
    CHECK(sound_comes_without_a_deadline),
    CHECK(cycles_may_have_any_length),
    CHECK(the_longest_cycle_may_have_any_length),
    CHECK(cycles_of_no_frames_do_no_harm),
    CHECK(input_and_output_may_share_memory),
    CHECK(samples_may_have_64_bits),
    CHECK(no_output_is_denormal),
    CHECK(a_plugin_that_sleeps_is_silent),
    CHECK(rates_may_be_any),
    CHECK(a_plugin_is_activated_many_times),
    CHECK(start_and_stop_lose_nothing),
    CHECK(reset_ends_sound_and_keeps_values),
    CHECK(hosts_may_have_no_transport_and_no_time),
    CHECK(transports_may_change_at_any_frame),
    CHECK(sixty_four_instances_sound),
    {0},
};
