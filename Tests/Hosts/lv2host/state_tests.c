// Tests of saved states.
#include "lv2host.h"
#include <lv2/state/state.h>

static LV2_State_Status store(LV2_State_Handle handle, uint32_t key, const void *value, size_t size, uint32_t type,
                              uint32_t flags) {
  State *state = handle;
  *state = (State){memcpy(malloc(size), value, size), size, type};
  expect(flags & LV2_STATE_IS_PORTABLE, "the state is not portable");
  return LV2_STATE_SUCCESS;
}

static const void *retrieve(LV2_State_Handle handle, uint32_t key, size_t *size, uint32_t *type, uint32_t *flags) {
  const State *state = handle;
  *size = state->size;
  *type = state->type;
  *flags = LV2_STATE_IS_POD | LV2_STATE_IS_PORTABLE;
  return state->text;
}

State save(Plugin *plugin) {
  const LV2_State_Interface *interface = descriptor->extension_data(LV2_STATE__interface);
  State state = {0};
  expect(interface->save(plugin->handle, store, &state, LV2_STATE_IS_POD, no_features) == LV2_STATE_SUCCESS, "no save");
  return state;
}

void restore(Plugin *plugin, State state) {
  const LV2_State_Interface *interface = descriptor->extension_data(LV2_STATE__interface);
  // Its end, too, lies before an inaccessible page.
  char *copy = guarded(state.size);
  if (state.text) memcpy(copy, state.text, state.size);
  state.text = state.text ? copy : NULL;
  interface->restore(plugin->handle, retrieve, &state, 0, no_features);
}

static State string(const char *text) {
  return (State){(char *)text, strlen(text) + 1, map_uri(NULL, LV2_ATOM__String)};
}

// The plugin keeps a string that it cannot read: the host saves the same one again. It plays nevertheless.
static void states_that_cannot_be_read(void) {
  static const char *const texts[] = {
      "", "{", "null", "[]", "0", "\"\"", "{}", "{\"version\":1}", "{\"version\":\"1\"}",
      "{\"version\":999,\"future\":true}", "{\"version\":1e99}", "{\"version\":-1}",
      "{\"controls\":{},\"port\":\"x\",\"unit\":{},\"version\":1}", "<?xml version=\"1.0\"?><state/>"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    Plugin *plugin = make_plugin();
    restore(plugin, string(texts[i]));
    State state = save(plugin);
    expect(state.text && !strcmp(state.text, texts[i]), "'%s' is saved as '%s'", texts[i], state.text);
    close_plugin(plugin);
  }
  Plugin *plugin = make_plugin();
  // Nothing, another type, invalid UTF-8, no terminating zero, and a megabyte.
  restore(plugin, (State){NULL, 0, 0});
  restore(plugin, string("\xff\xfe"));
  restore(plugin, (State){(char *)(int32_t[]){1}, 4, map_uri(NULL, LV2_ATOM__Int)});
  restore(plugin, (State){"{\"version\":1", 12, map_uri(NULL, LV2_ATOM__String)});
  char *long_text = malloc(1 << 20);
  memset(long_text, '[', 1 << 20);
  restore(plugin, (State){long_text, 1 << 20, map_uri(NULL, LV2_ATOM__String)});
  activate(plugin);
  expect_note(plugin, "with a state that cannot be read");
  close_plugin(plugin);
}

// Each beginning of a saved state, and a state with another byte, is read or kept, but does no harm.
static void truncated_states(void) {
  Plugin *plugin = open_plugin();
  expect_note(plugin, "at first");
  State state = save(plugin);
  expect(state.text && state.size > 20, "no state is saved");
  size_t step = state.size / 100 + 1;
  for (size_t size = 0; size < state.size; size += step) {
    restore(plugin, (State){state.text, size, state.type});
    run(plugin, PROMISED);
    char *damaged = memcpy(malloc(state.size), state.text, state.size);
    damaged[size] ^= (char)(1 + chance(127));
    restore(plugin, (State){damaged, state.size, state.type});
    free(damaged);
    run(plugin, PROMISED);
  }
  restore(plugin, state);
  expect_note(plugin, "after a whole state");
  State again = save(plugin);
  expect(again.size == state.size && !memcmp(again.text, state.text, state.size), "the state changes from\n%s to\n%s",
         state.text, again.text);
  close_plugin(plugin);
  printf("%zu bytes\n", state.size);
}

// Without a cycle, the plugin saves what was restored, or nothing, and does not wait for a node.
static void save_before_run(void) {
  double begin = now();
  Plugin *plugin = make_plugin();
  save(plugin);
  activate(plugin);
  save(plugin);
  printf("%.1f ms\n", 1000 * (now() - begin));
  expect_note(plugin, "after an early save");
  expect(save(plugin).text, "no state is saved");
  close_plugin(plugin);
}

const Test state_tests[] = {
    TEST(states_that_cannot_be_read), TEST(truncated_states), TEST(save_before_run), {0},
};
