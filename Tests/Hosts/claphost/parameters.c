// Values of parameters, and states.
#include "claphost.h"
#include "host.h"

Parameters parameters(const Instance *instance) {
  const clap_plugin_params_t *params = instance->extensions.params;
  uint32_t count = params ? params->count(instance->plugin) : 0;
  if (!count) absent("no parameters");
  Parameters result = {count, calloc(count, sizeof *result.infos)};
  for (uint32_t i = 0; i < count; i++)
    expect(params->get_info(instance->plugin, i, &result.infos[i]), "parameter %u of %u is not described", i, count);
  return result;
}

double value_of(const Instance *instance, clap_id id) {
  double value = NAN;
  expect(instance->extensions.params->get_value(instance->plugin, id, &value), "parameter %u has no value", id);
  return value;
}

double *values_of(const Instance *instance, Parameters parameters) {
  double *values = calloc(parameters.count, sizeof *values);
  for (uint32_t i = 0; i < parameters.count; i++) values[i] = value_of(instance, parameters.infos[i].id);
  return values;
}

bool can_set(const clap_param_info_t *info) { return !(info->flags & (CLAP_PARAM_IS_READONLY | CLAP_PARAM_IS_HIDDEN)); }

double random_value(const clap_param_info_t *info) {
  double value = chance_between(info->min_value, info->max_value);
  return info->flags & CLAP_PARAM_IS_STEPPED ? round(value) : value;
}

bool same_value(const clap_param_info_t *info, double a, double b) {
  double size = fmax(fmax(fabs(info->min_value), fabs(info->max_value)), info->max_value - info->min_value);
  return fabs(a - b) <= 2e-6 * size;
}

void expect_values(const Instance *instance, Parameters parameters, const double *expected, const char *when) {
  for (uint32_t i = 0; i < parameters.count; i++) {
    const clap_param_info_t *info = &parameters.infos[i];
    // These show what the plugin measures.
    if (info->flags & CLAP_PARAM_IS_READONLY) continue;
    double value = value_of(instance, info->id);
    expect(same_value(info, value, expected[i]), "%s: parameter %u (%s) is %.17g instead of %.17g", when, info->id,
           info->name, value, expected[i]);
  }
}

static void flush_in_thread(void *context) {
  Instance *instance = context;
  clap_input_events_t in = input_list(&instance->events);
  clap_output_events_t out = output_list(instance);
  instance->extensions.params->flush(instance->plugin, &in, &out);
}

void flush(Instance *instance) {
  if (instance->active) on_audio_thread(flush_in_thread, instance);
  else flush_in_thread(instance);
  clear_events(&instance->events);
}

void randomize(Instance *instance, Parameters parameters) {
  for (uint32_t i = 0; i < parameters.count; i++) {
    const clap_param_info_t *info = &parameters.infos[i];
    if (can_set(info)) add_value(&instance->events, 0, info->id, info->cookie, random_value(info));
  }
  flush(instance);
  // What depends on other parameters follows in the main thread.
  pump(instance);
}

// MARK: State

typedef struct {
  State state;
  size_t position;
  uint64_t limit;
} Stream;

static int64_t write_bytes(const clap_ostream_t *stream, const void *buffer, uint64_t size) {
  Stream *self = stream->ctx;
  if (size > self->limit) size = self->limit;
  expect(self->state.size + size < 1 << 28, "the state is longer than 256 MiB");
  self->state.bytes = realloc(self->state.bytes, self->state.size + size + 1);
  memcpy(self->state.bytes + self->state.size, buffer, size);
  self->state.size += size;
  return (int64_t)size;
}

static int64_t read_bytes(const clap_istream_t *stream, void *buffer, uint64_t size) {
  Stream *self = stream->ctx;
  if (size > self->limit) size = self->limit;
  if (size > self->state.size - self->position) size = self->state.size - self->position;
  if (size) memcpy(buffer, self->state.bytes + self->position, size);
  self->position += size;
  return (int64_t)size;
}

State save(Instance *instance, uint64_t limit) {
  Stream stream = {.limit = limit};
  expect(instance->extensions.state->save(instance->plugin, &(clap_ostream_t){&stream, write_bytes}),
         "the plugin's save returns false");
  return stream.state;
}

bool load(Instance *instance, State state, uint64_t limit) {
  Stream stream = {.state = state, .limit = limit};
  bool loaded = instance->extensions.state->load(instance->plugin, &(clap_istream_t){&stream, read_bytes});
  pump(instance);
  return loaded;
}
