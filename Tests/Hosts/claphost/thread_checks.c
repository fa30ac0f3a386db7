// Checks of calls in several threads at the same time.
#include "claphost.h"
#include <pthread.h>

typedef struct {
  Instance *instance;
  atomic_bool ends;
  atomic_uint cycles;
  pthread_t thread;
} Player;

static void *play_on(void *context) {
  Player *player = context;
  role = AUDIO_THREAD;
  start(player->instance);
  while (!player->ends) {
    add_random_events(player->instance, 128, 4, false, false);
    run(player->instance, 128);
    player->cycles++;
    sleep_for(0.0005);
  }
  stop(player->instance);
  return NULL;
}

// Plays in an audio thread of the player's own.
static Player *begin(Instance *instance) {
  Player *player = calloc(1, sizeof *player);
  player->instance = instance;
  instance->plays_elsewhere = true;
  expect(!pthread_create(&player->thread, NULL, play_on, player), "no thread");
  return player;
}

static void join(Player *player) {
  player->ends = true;
  pthread_join(player->thread, NULL);
  player->instance->plays_elsewhere = false;
  pump(player->instance);
}

static void end(Player *player) {
  join(player);
  close_instance(player->instance);
}

static Instance *active_instance(void) {
  Instance *instance = inactive_instance();
  activate(instance, RATE, 512);
  return instance;
}

// Calls a function of the main thread again and again for a second, while the plugin plays.
static void repeat(Player *player, void (*function)(Instance *)) {
  double ends = now() + 1;
  uint32_t first = player->cycles;
  int count = 0;
  while (now() < ends || player->cycles < first + 20) {
    function(player->instance);
    pump(player->instance);
    count++;
    sleep_for(0.0002);
  }
  remark("%d calls during %u cycles", count, player->cycles - first);
}

static void save_once(Instance *instance) { free(save(instance, UINT64_MAX).bytes); }

static void states_are_saved_while_the_plugin_plays(void) {
  Player *player = begin(active_instance());
  if (!player->instance->extensions.state) absent("no state");
  repeat(player, save_once);
  end(player);
}

static State loaded;

static void load_once(Instance *instance) {
  expect(instance->extensions.state->load, "no load");
  expect(load(instance, loaded, UINT64_MAX), "a state is refused while the plugin plays");
}

static void states_are_loaded_while_the_plugin_plays(void) {
  Instance *instance = active_instance();
  if (!instance->extensions.state) absent("no state");
  loaded = save(instance, UINT64_MAX);
  Player *player = begin(instance);
  repeat(player, load_once);
  end(player);
}

static Parameters all;

static void read_once(Instance *instance) {
  const clap_param_info_t *info = &all.infos[chance(all.count)];
  char text[128];
  double value = value_of(instance, info->id);
  if (!(info->flags & CLAP_PARAM_IS_READONLY))
    expect(value >= info->min_value && value <= info->max_value, "%s is %g", info->name, value);
  instance->extensions.params->value_to_text(instance->plugin, info->id, value, text, sizeof text);
}

static void *set_on(void *context) {
  Player *player = context;
  role = AUDIO_THREAD;
  start(player->instance);
  while (!player->ends) {
    for (int i = 0; i < 10; i++) {
      const clap_param_info_t *info = &all.infos[chance(all.count)];
      if (can_set(info)) add_value(&player->instance->events, chance(128), info->id, info->cookie, random_value(info));
    }
    if (chance(3)) run(player->instance, 128);
    else flush(player->instance);
    player->cycles++;
    sleep_for(0.0005);
  }
  stop(player->instance);
  return NULL;
}

static void values_are_read_while_they_are_set(void) {
  Player *player = calloc(1, sizeof *player);
  player->instance = active_instance();
  player->instance->plays_elsewhere = true;
  all = parameters(player->instance);
  expect(!pthread_create(&player->thread, NULL, set_on, player), "no thread");
  repeat(player, read_once);
  end(player);
}

static void find_extension(void *context) {
  Instance *instance = context;
  expect(instance->plugin->get_extension(instance->plugin, CLAP_EXT_AUDIO_PORTS) == instance->extensions.audio_ports,
         "another extension");
}

static void find_once(Instance *instance) { on_other_thread(find_extension, instance); }

static void extensions_are_found_while_the_plugin_plays(void) {
  Player *player = begin(active_instance());
  repeat(player, find_once);
  end(player);
}

static void use_another(Instance *instance) {
  (void)instance;
  Instance *other = inactive_instance();
  activate(other, 44100, 64);
  deactivate(other);
  destroy(other);
}

static void instances_are_made_while_others_play(void) {
  Player *players[4];
  for (int i = 0; i < 4; i++) players[i] = begin(active_instance());
  repeat(players[0], use_another);
  for (int i = 0; i < 4; i++) end(players[i]);
}

static Preset presets[64];
static uint32_t preset_count;

static void load_preset_once(Instance *instance) {
  const Preset *preset = &presets[chance(preset_count)];
  if (!preset->for_plugin) return;
  expect(instance->extensions.preset_load->from_location(instance->plugin, preset->kind,
                                                         *preset->location ? preset->location : NULL,
                                                         *preset->key ? preset->key : NULL),
         "%s is not loaded: %s", preset->key, instance->preset_error);
}

static void presets_are_loaded_while_the_plugin_plays(void) {
  preset_count = find_presets(presets, 64);
  Instance *instance = active_instance();
  if (!instance->extensions.preset_load || !preset_count) absent("no presets");
  Player *player = begin(instance);
  repeat(player, load_preset_once);
  end(player);
}

// Successive calls may come from different audio threads.
static void the_audio_thread_may_change(void) {
  Instance *instance = active_instance();
  for (int i = 0; i < 10; i++) {
    Player *player = begin(instance);
    while (player->cycles < 10) sleep_for(0.001);
    join(player);
  }
  start(instance);
  expect_sound(instance, "in the last audio thread");
  close_instance(instance);
}

const Check thread_checks[] = {
    CHECK(states_are_saved_while_the_plugin_plays),
    CHECK(states_are_loaded_while_the_plugin_plays),
    CHECK(values_are_read_while_they_are_set),
    CHECK(presets_are_loaded_while_the_plugin_plays),
    CHECK(extensions_are_found_while_the_plugin_plays),
    CHECK(instances_are_made_while_others_play),
    CHECK(the_audio_thread_may_change),
    {0},
};
