// Checks of states that are saved and loaded, and of those that are damaged.
#include "claphost.h"

static Instance *with_state(void) {
  Instance *instance = inactive_instance();
  if (!instance->extensions.state) absent("no state");
  return instance;
}

// MARK: States that are whole

static void a_state_restores_the_values(void) {
  Instance *instance = with_state();
  Parameters all = parameters(instance);
  for (int round = 0; round < 3; round++) {
    randomize(instance, all);
    double *expected = values_of(instance, all);
    State state = save(instance, UINT64_MAX);
    expect(state.size > 0, "the state is empty");
    randomize(instance, all);
    expect(load(instance, state, UINT64_MAX), "the plugin's own state is refused");
    expect_values(instance, all, expected, "in the same instance");
    Instance *other = with_state();
    expect(load(other, state, UINT64_MAX), "the state of another instance is refused");
    expect_values(other, all, expected, "in another instance");
    activate(other, 44100, 1000);
    start(other);
    run(other, 1000);
    expect_values(other, all, expected, "after activation");
    close_instance(other);
  }
  close_instance(instance);
}

static void a_state_is_loaded_while_the_plugin_plays(void) {
  Instance *instance = open_instance();
  if (!instance->extensions.state) absent("no state");
  Parameters all = parameters(instance);
  randomize(instance, all);
  run(instance, 512);
  double *expected = values_of(instance, all);
  State state = save(instance, UINT64_MAX);
  randomize(instance, all);
  run(instance, 512);
  expect(load(instance, state, UINT64_MAX), "the state is refused");
  run(instance, 512);
  pump(instance);
  run(instance, 512);
  expect_values(instance, all, expected, "while it plays");
  close_instance(instance);
}

static void streams_may_take_and_give_few_bytes(void) {
  static const uint64_t limits[] = {1, 17, 23};
  Instance *instance = with_state();
  Parameters all = parameters(instance);
  randomize(instance, all);
  double *expected = values_of(instance, all);
  State whole = save(instance, UINT64_MAX);
  for (int i = 0; i < 3; i++) {
    State state = save(instance, limits[i]);
    expect(state.size == whole.size && !memcmp(state.bytes, whole.bytes, whole.size),
           "%llu bytes at a time save another state", (unsigned long long)limits[i]);
    Instance *other = with_state();
    expect(load(other, state, limits[i]), "a state of %zu bytes, %llu at a time, is refused", state.size,
           (unsigned long long)limits[i]);
    expect_values(other, all, expected, "read in few bytes");
    close_instance(other);
  }
  remark("%zu bytes", whole.size);
  close_instance(instance);
}

static void equal_values_have_equal_states(void) {
  Instance *instance = with_state();
  Parameters all = parameters(instance);
  randomize(instance, all);
  State first = save(instance, UINT64_MAX), second = save(instance, UINT64_MAX);
  expect(first.size == second.size && !memcmp(first.bytes, second.bytes, first.size), "another save has other bytes");
  Instance *other = with_state();
  expect(load(other, first, UINT64_MAX), "the state is refused");
  State third = save(other, UINT64_MAX);
  expect(first.size == third.size && !memcmp(first.bytes, third.bytes, first.size),
         "the state that was loaded is saved with other bytes");
  close_instance(other);
  close_instance(instance);
}

static int64_t refuse_write(const clap_ostream_t *stream, const void *buffer, uint64_t size) {
  return (void)stream, (void)buffer, (void)size, -1;
}
static int64_t refuse_read(const clap_istream_t *stream, void *buffer, uint64_t size) {
  return (void)stream, (void)buffer, (void)size, -1;
}

static void errors_of_streams_are_reported(void) {
  Instance *instance = with_state();
  const clap_plugin_state_t *state = instance->extensions.state;
  expect(!state->save(instance->plugin, &(clap_ostream_t){NULL, refuse_write}),
         "save returns true, although nothing can be written");
  expect(!state->load(instance->plugin, &(clap_istream_t){NULL, refuse_read}),
         "load returns true, although nothing can be read");
  close_instance(instance);
}

typedef struct {
  State state;
  size_t position;
} Memory;

static int64_t write_memory(const clap_ostream_t *stream, const void *buffer, uint64_t size) {
  Memory *memory = stream->ctx;
  memory->state.bytes = realloc(memory->state.bytes, memory->state.size + size + 1);
  memcpy(memory->state.bytes + memory->state.size, buffer, size);
  memory->state.size += size;
  return (int64_t)size;
}

static int64_t read_memory(const clap_istream_t *stream, void *buffer, uint64_t size) {
  Memory *memory = stream->ctx;
  if (size > memory->state.size - memory->position) size = memory->state.size - memory->position;
  memcpy(buffer, memory->state.bytes + memory->position, size);
  memory->position += size;
  return (int64_t)size;
}

static void states_of_all_contexts_are_restored(void) {
  Instance *instance = with_state();
  const clap_plugin_state_context_t *contexts = instance->extensions.state_context;
  if (!contexts) absent("no state context");
  Parameters all = parameters(instance);
  for (uint32_t context = CLAP_STATE_CONTEXT_FOR_PRESET; context <= CLAP_STATE_CONTEXT_FOR_PROJECT; context++) {
    randomize(instance, all);
    double *expected = values_of(instance, all);
    Memory memory = {0};
    expect(contexts->save(instance->plugin, &(clap_ostream_t){&memory, write_memory}, context),
           "save in context %u returns false", context);
    randomize(instance, all);
    expect(contexts->load(instance->plugin, &(clap_istream_t){&memory, read_memory}, context),
           "load in context %u returns false", context);
    expect_values(instance, all, expected, "in a context");
    randomize(instance, all);
    expect(load(instance, memory.state, UINT64_MAX), "a state of context %u is refused without a context", context);
    if (context == CLAP_STATE_CONTEXT_FOR_PROJECT) expect_values(instance, all, expected, "without a context");
  }
  close_instance(instance);
}

const Check state_checks[] = {
    CHECK(a_state_restores_the_values),
    CHECK(a_state_is_loaded_while_the_plugin_plays),
    CHECK(streams_may_take_and_give_few_bytes),
    CHECK(equal_values_have_equal_states),
    CHECK(errors_of_streams_are_reported),
    CHECK(states_of_all_contexts_are_restored),
    {0},
};

// MARK: States that are damaged

static State sub_state(State state, size_t size) {
  // Memory of exactly this size shows valgrind what reads beyond it.
  State part = {malloc(size + 1), size};
  if (size) memcpy(part.bytes, state.bytes, size);
  return part;
}

// Loads a state that is not whole: what is refused changes no value.
static bool load_damaged(Instance *instance, Parameters all, State state, const char *what) {
  double *before = values_of(instance, all);
  bool loaded = load(instance, state, 1 + chance(64));
  if (!loaded) expect_values(instance, all, before, what);
  else
    for (uint32_t i = 0; i < all.count; i++) {
      double value = value_of(instance, all.infos[i].id);
      expect(value >= all.infos[i].min_value - 1e-6 && value <= all.infos[i].max_value + 1e-6, "%s: %s is %g", what,
             all.infos[i].name, value);
    }
  free(before);
  return loaded;
}

static void an_empty_state_is_refused(void) {
  Instance *instance = with_state();
  Parameters all = parameters(instance);
  randomize(instance, all);
  expect(!load_damaged(instance, all, (State){(uint8_t[1]){0}, 0}, "an empty state"), "an empty state is loaded");
  close_instance(instance);
}

static void truncated_states_are_refused(void) {
  Instance *instance = with_state();
  Parameters all = parameters(instance);
  randomize(instance, all);
  State state = save(instance, UINT64_MAX);
  randomize(instance, all);
  size_t loaded = 0, last = 0, tried = 0;
  for (size_t size = 1; size < state.size;
       size += size < state.size - 20 && size > 20 ? 1 + state.size / 200 : 1, tried++) {
    State part = sub_state(state, size);
    if (load_damaged(instance, all, part, "a truncated state")) loaded++, last = size;
    free(part.bytes);
  }
  expect(!loaded, "%zu of %zu truncated states are loaded, the longest with %zu of %zu bytes", loaded, tried, last,
         state.size);
  close_instance(instance);
}

static void random_states_are_refused(void) {
  Instance *instance = with_state();
  Parameters all = parameters(instance);
  randomize(instance, all);
  enum { SIZE = 1 << 20 };
  State state = {malloc(SIZE), SIZE};
  for (int round = 0; round < 20; round++) {
    state.size = round < 3 ? SIZE : 1 + chance(4096);
    for (size_t i = 0; i < state.size; i++) state.bytes[i] = (uint8_t)chance(256);
    expect(!load_damaged(instance, all, state, "a random state"), "%zu random bytes are loaded", state.size);
  }
  close_instance(instance);
}

// A changed byte may be another valid state.
static void damaged_states_do_no_harm(void) {
  Instance *instance = with_state();
  Parameters all = parameters(instance);
  randomize(instance, all);
  State state = save(instance, UINT64_MAX);
  int loaded = 0;
  for (int round = 0; round < 300; round++) {
    State copy = sub_state(state, state.size);
    for (uint32_t k = 0; k < 1 + chance(8); k++) copy.bytes[chance((uint32_t)state.size)] = (uint8_t)chance(256);
    loaded += load_damaged(instance, all, copy, "a damaged state");
    free(copy.bytes);
  }
  remark("%d of 300 are loaded", loaded);
  expect(load(instance, state, UINT64_MAX), "afterwards, a whole state is refused");
  activate(instance, RATE, 512);
  start(instance);
  run(instance, 512);
  close_instance(instance);
}

// Hosts may add bytes behind a state; but a state twice is none.
static void states_with_more_bytes_do_no_harm(void) {
  Instance *instance = with_state();
  Parameters all = parameters(instance);
  State state = save(instance, UINT64_MAX), longer = {calloc(2, state.size + 8), 2 * state.size};
  memcpy(longer.bytes, state.bytes, state.size);
  memcpy(longer.bytes + state.size, state.bytes, state.size);
  remark("a state twice is %s", load_damaged(instance, all, longer, "a state twice") ? "loaded" : "refused");
  memset(longer.bytes + state.size, 0, state.size);
  remark("a state with zeros is %s", load_damaged(instance, all, longer, "a state with zeros") ? "loaded" : "refused");
  close_instance(instance);
}

const Check damage_checks[] = {
    CHECK(an_empty_state_is_refused), CHECK(truncated_states_are_refused),      CHECK(random_states_are_refused),
    CHECK(damaged_states_do_no_harm), CHECK(states_with_more_bytes_do_no_harm), {0},
};
