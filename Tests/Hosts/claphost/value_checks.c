// Checks of events that set parameters.
#include "claphost.h"

// Adds a random value for each parameter that can be set, and returns what all values must be afterwards.
static double *add_random_values(Instance *instance, Parameters all, bool cookies, uint32_t frames) {
  double *expected = values_of(instance, all);
  for (uint32_t i = 0; i < all.count; i++) {
    const clap_param_info_t *info = &all.infos[i];
    if (!can_set(info)) continue;
    expected[i] = random_value(info);
    add_value(&instance->events, frames ? i % frames : 0, info->id, cookies ? info->cookie : NULL, expected[i]);
  }
  return expected;
}

static void flushed_values_are_those_of_an_inactive_plugin(void) {
  Instance *instance = inactive_instance();
  Parameters all = parameters(instance);
  for (int round = 0; round < 5; round++) {
    double *expected = add_random_values(instance, all, true, 0);
    flush(instance);
    expect_values(instance, all, expected, "after flush");
  }
  activate(instance, RATE, 256);
  double *values = values_of(instance, all);
  start(instance);
  run(instance, 256);
  expect_values(instance, all, values, "after activation");
  close_instance(instance);
}

static void flushed_values_are_those_of_an_active_plugin(void) {
  Instance *instance = open_instance();
  Parameters all = parameters(instance);
  for (int round = 0; round < 5; round++) {
    double *expected = add_random_values(instance, all, true, 0);
    flush(instance);
    run(instance, 64);
    expect_values(instance, all, expected, "after flush");
  }
  stop(instance);
  double *expected = add_random_values(instance, all, true, 0);
  flush(instance);
  expect_values(instance, all, expected, "after flush without cycles");
  close_instance(instance);
}

static void values_of_a_cycle_are_those_of_the_plugin(void) {
  Instance *instance = open_instance();
  Parameters all = parameters(instance);
  for (int round = 0; round < 5; round++) {
    double *expected = add_random_values(instance, all, true, round ? 500 : 1);
    run(instance, 512);
    pump(instance);
    expect_values(instance, all, expected, "after a cycle");
  }
  close_instance(instance);
}

static void values_need_no_cookie(void) {
  Instance *instance = open_instance();
  Parameters all = parameters(instance);
  for (int round = 0; round < 3; round++) {
    double *expected = add_random_values(instance, all, false, 500);
    run(instance, 512);
    pump(instance);
    expect_values(instance, all, expected, "after a cycle without cookies");
    expected = add_random_values(instance, all, false, 0);
    flush(instance);
    run(instance, 16);
    expect_values(instance, all, expected, "after flush without cookies");
  }
  close_instance(instance);
}

static void the_last_of_several_values_counts(void) {
  Instance *instance = open_instance();
  Parameters all = parameters(instance);
  add_random_values(instance, all, true, 100);
  double *expected = values_of(instance, all);
  for (uint32_t i = 0; i < all.count; i++)
    if (can_set(&all.infos[i])) {
      expected[i] = random_value(&all.infos[i]);
      add_value(&instance->events, 100 + i % 100, all.infos[i].id, all.infos[i].cookie, expected[i]);
    }
  run(instance, 512);
  pump(instance);
  expect_values(instance, all, expected, "after two values in a cycle");
  close_instance(instance);
}

static void events_of_other_spaces_set_nothing(void) {
  Instance *instance = open_instance();
  Parameters all = parameters(instance);
  run(instance, 64);
  double *expected = values_of(instance, all);
  for (int round = 0; round < 2; round++) {
    for (uint32_t i = 0; i < all.count; i++)
      add_value(&instance->events, 0, all.infos[i].id, all.infos[i].cookie, random_value(&all.infos[i]));
    for (uint32_t i = 0; i < instance->events.count; i++) instance->events.list[i]->space_id = 0xB33F;
    if (round) flush(instance);
    else run(instance, 64);
    expect_values(instance, all, expected, "after events of another space");
  }
  close_instance(instance);
}

// Modulation is no value. Parameters that cannot be modulated survive it.
static void modulation_changes_no_value(void) {
  Instance *instance = open_instance();
  Parameters all = parameters(instance);
  run(instance, 64);
  double *expected = values_of(instance, all);
  for (int round = 0; round < 20; round++) {
    for (uint32_t i = 0; i < all.count && i < 500; i++) {
      const clap_param_info_t *info = &all.infos[i];
      clap_event_param_mod_t event = {.header = header(CLAP_EVENT_PARAM_MOD, sizeof event, chance(64)),
                                      .param_id = info->id,
                                      .cookie = info->cookie,
                                      .note_id = -1,
                                      .port_index = -1,
                                      .channel = -1,
                                      .key = -1,
                                      .amount = chance_between(-1, 1) * (info->max_value - info->min_value)};
      if (!(info->flags & CLAP_PARAM_IS_MODULATABLE) && round % 4) continue;
      if (round % 2) event.channel = (int16_t)chance(16), event.key = (int16_t)chance(128);
      add_event(&instance->events, &event);
    }
    run(instance, 64);
  }
  for (uint32_t i = 0; i < all.count; i++)
    if (!(all.infos[i].flags & CLAP_PARAM_IS_MODULATABLE)) expected[i] = value_of(instance, all.infos[i].id);
  expect_values(instance, all, expected, "after modulation");
  close_instance(instance);
}

// Values outside the range become values within it, or are ignored; so are those of parameters that do not exist.
static void values_stay_within_their_ranges(void) {
  Instance *instance = open_instance();
  Parameters all = parameters(instance);
  static const double wrong[] = {-1e300, 1e300, -INFINITY, INFINITY, NAN, -0.0, 5e-324};
  for (int round = 0; round < 14; round++) {
    for (uint32_t i = 0; i < all.count && i < 500; i++)
      add_value(&instance->events, chance(64), all.infos[i].id, NULL, wrong[round % 7]);
    add_value(&instance->events, chance(64), 0xDEADBEEF, NULL, 1);
    add_value(&instance->events, chance(64), CLAP_INVALID_ID, NULL, 1);
    for (int kind = CLAP_EVENT_PARAM_GESTURE_BEGIN; kind <= CLAP_EVENT_PARAM_GESTURE_END; kind++) {
      clap_event_param_gesture_t gesture = {header((uint16_t)kind, sizeof gesture, chance(64)),
                                            all.infos[chance(all.count)].id};
      add_event(&instance->events, &gesture);
    }
    if (round < 7) run(instance, 64);
    else flush(instance);
    for (uint32_t i = 0; i < all.count; i++) {
      double value = value_of(instance, all.infos[i].id);
      expect(value >= all.infos[i].min_value - 1e-6 && value <= all.infos[i].max_value + 1e-6,
             "%s is %g after %g, outside %g to %g", all.infos[i].name, value, wrong[round % 7], all.infos[i].min_value,
             all.infos[i].max_value);
    }
  }
  close_instance(instance);
}

// Values for one note, key, channel or port are taken or ignored.
static void values_of_single_notes_do_no_harm(void) {
  Instance *instance = open_instance();
  Parameters all = parameters(instance);
  for (int round = 0; round < 50; round++) {
    if (instance->note_input_count) note_on(instance, 0, 40 + round % 40);
    for (int k = 0; k < 20; k++) {
      const clap_param_info_t *info = &all.infos[chance(all.count)];
      clap_event_param_value_t event = {.header = header(CLAP_EVENT_PARAM_VALUE, sizeof event, chance(128)),
                                        .param_id = info->id,
                                        .cookie = chance(2) ? info->cookie : NULL,
                                        .note_id = (int32_t)chance(4) - 1,
                                        .port_index = (int16_t)(chance(3) - 1),
                                        .channel = (int16_t)(chance(18) - 1),
                                        .key = (int16_t)(chance(130) - 1),
                                        .value = random_value(info)};
      if (can_set(info)) add_event(&instance->events, &event);
    }
    run(instance, 128);
  }
  close_instance(instance);
}

// Random values of all parameters, or their limits, at random frames, with random notes and signals.
static void any_values_sound(void) {
  Instance *instance = open_instance();
  Parameters all = parameters(instance);
  expect_sound(instance, "with the defaults");
  for (int round = 0; round < 60; round++) {
    for (uint32_t i = 0; i < all.count && i < 1000; i++) {
      const clap_param_info_t *info = &all.infos[i];
      if (can_set(info) && chance(3))
        add_value(&instance->events, chance(512), info->id, info->cookie,
                  round % 3   ? random_value(info)
                  : chance(2) ? info->min_value
                              : info->max_value);
    }
    run(instance, 512);
    for (int k = 0; k < 4; k++) {
      add_random_events(instance, 512, 8, false, false);
      run(instance, 512);
    }
  }
  close_instance(instance);
}

const Check value_checks[] = {
    CHECK(flushed_values_are_those_of_an_inactive_plugin),
    CHECK(flushed_values_are_those_of_an_active_plugin),
    CHECK(values_of_a_cycle_are_those_of_the_plugin),
    CHECK(values_need_no_cookie),
    CHECK(the_last_of_several_values_counts),
    CHECK(events_of_other_spaces_set_nothing),
    CHECK(modulation_changes_no_value),
    CHECK(values_stay_within_their_ranges),
    CHECK(values_of_single_notes_do_no_harm),
    CHECK(any_values_sound),
    {0},
};
