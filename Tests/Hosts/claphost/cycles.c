// Cycles, and what must be true of their outputs.
#include "claphost.h"
#include "host.h"

// A NaN that no computation makes.
static const uint32_t POISON = 0x7fa5c3d1;
static const uint64_t POISON_64 = UINT64_C(0x7ff5c3d10badf00d);

float noise(int channel, int64_t frame) {
  uint64_t hash = ((uint64_t)frame * 64 + (uint64_t)channel + 1) * UINT64_C(0x9e3779b97f4a7c15);
  hash = (hash ^ hash >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
  return (float)(hash >> 40) / (float)(1 << 24) - 0.5f;
}

// The frames of the cycle end where the memory ends.
static float *floats(const Instance *instance, int input, int channel, uint32_t frames) {
  return (float *)instance->ends[input][channel] - frames;
}

static double *doubles(const Instance *instance, int input, int channel, uint32_t frames) {
  return (double *)instance->ends[input][channel] - frames;
}

float sample(const Instance *instance, int channel, uint32_t frame, uint32_t frames) {
  return instance->doubles ? (float)doubles(instance, OUTPUT, channel, frames)[frame]
                           : floats(instance, OUTPUT, channel, frames)[frame];
}

static bool has_doubles(const Instance *instance, int input, int port) {
  return instance->doubles && instance->ports[input][port].info.flags & CLAP_AUDIO_PORT_SUPPORTS_64BITS;
}

// Poisons the outputs with a frame before them.
static void poison(Instance *instance, int channel, uint32_t frames, bool wide) {
  for (uint32_t i = 0; i <= frames; i++)
    if (wide) memcpy(doubles(instance, OUTPUT, channel, frames) + (int)i - 1, &POISON_64, sizeof POISON_64);
    else memcpy(floats(instance, OUTPUT, channel, frames) + (int)i - 1, &POISON, sizeof POISON);
}

static int port_with_id(const Instance *instance, int input, clap_id id) {
  for (int i = 0; i < instance->port_count[input]; i++)
    if (instance->ports[input][i].info.id == id) return i;
  return -1;
}

typedef struct {
  Instance *instance;
  clap_process_t process;
} Cycle;

static void process(void *context) {
  Cycle *cycle = context;
  cycle->instance->status = cycle->instance->plugin->process(cycle->instance->plugin, &cycle->process);
}

static float check_channel(Instance *instance, int port, int channel, uint32_t frames, bool constant, bool wide) {
  int index = instance->ports[OUTPUT][port].first_channel + channel;
  float peak = 0;
  const float *out = floats(instance, OUTPUT, index, frames);
  const double *wide_out = doubles(instance, OUTPUT, index, frames);
  if (!instance->in_place)
    expect(wide ? !memcmp(wide_out - 1, &POISON_64, 8) : !memcmp(out - 1, &POISON, 4),
           "port %d: the frame before the output of channel %d is written", port, channel);
  for (uint32_t i = 0; i < frames; i++) {
    double value = wide ? wide_out[i] : (double)out[i];
    bool poisoned = wide ? !memcmp(wide_out + i, &POISON_64, 8) : !memcmp(out + i, &POISON, 4);
    expect(!poisoned, "port %d: frame %u of %u of channel %d is not written", port, i, frames, channel);
    expect(isfinite(value), "port %d: frame %u of %u of channel %d is %g", port, i, frames, channel, value);
    expect(!constant || value == (wide ? wide_out[0] : (double)out[0]),
           "port %d: channel %d is marked as constant, but frame %u is not frame 0", port, channel, i);
    if (wide ? fpclassify(value) == FP_SUBNORMAL : fpclassify(out[i]) == FP_SUBNORMAL) instance->subnormals++;
    if (fabs(value) > (double)peak) peak = (float)fabs(value);
  }
  return peak;
}

float run(Instance *instance, uint32_t frames) {
  float *pointers[2][CHANNELS];
  clap_audio_buffer_t buffers[2][PORTS];
  memset(buffers, 0, sizeof buffers);
  expect(frames <= 2 * LONGEST, "a check has too long a cycle");
  for (int input = 0; input < 2; input++)
    for (int i = 0; i < instance->port_count[input]; i++) {
      const Port *port = &instance->ports[input][i];
      clap_audio_buffer_t *buffer = &buffers[input][i];
      bool wide = has_doubles(instance, input, i);
      buffer->channel_count = port->info.channel_count;
      int pair = input && instance->in_place ? port_with_id(instance, OUTPUT, port->info.in_place_pair) : -1;
      if (pair >= 0 && instance->ports[OUTPUT][pair].info.channel_count != port->info.channel_count) pair = -1;
      for (int channel = 0; channel < (int)port->info.channel_count; channel++) {
        int index = port->first_channel + channel, memory = input;
        if (!input) poison(instance, index, frames, wide);
        int shared = pair >= 0 ? instance->ports[OUTPUT][pair].first_channel + channel : index;
        if (pair >= 0) memory = OUTPUT;
        float *start =
            wide ? (float *)doubles(instance, memory, shared, frames) : floats(instance, memory, shared, frames);
        if (input) {
          // The noise is that of the input's channel, wherever its memory is.
          int64_t frame = instance->frame;
          for (uint32_t k = 0; k < frames; k++) {
            float value = instance->silent_input ? 0 : (instance->input ? instance->input : noise)(index, frame + k);
            if (wide) ((double *)start)[k] = (double)value;
            else start[k] = value;
          }
        }
        pointers[input][index] = start;
      }
      if (wide) buffer->data64 = (double **)&pointers[input][port->first_channel];
      else buffer->data32 = &pointers[input][port->first_channel];
      if (input && instance->silent_input && port->info.channel_count < 64)
        buffer->constant_mask = (UINT64_C(1) << port->info.channel_count) - 1;
    }
  clap_input_events_t in = input_list(&instance->events);
  clap_output_events_t out = output_list(instance);
  Cycle cycle = {instance,
                 {.steady_time = instance->no_steady_time ? -1 : instance->frame,
                  .frames_count = frames,
                  .transport = instance->transport,
                  .audio_inputs = buffers[INPUT],
                  .audio_outputs = buffers[OUTPUT],
                  .audio_inputs_count = (uint32_t)instance->port_count[INPUT],
                  .audio_outputs_count = (uint32_t)instance->port_count[OUTPUT],
                  .in_events = &in,
                  .out_events = &out}};
  on_audio_thread(process, &cycle);
  expect(instance->status > CLAP_PROCESS_ERROR && instance->status <= CLAP_PROCESS_SLEEP, "process returns %d",
         instance->status);
  expect(instance->last_pushed_frame < frames || !instance->last_pushed_frame, "an event is sent at frame %u of %u",
         instance->last_pushed_frame, frames);
  float peak = 0;
  for (int i = 0; i < instance->port_count[OUTPUT]; i++)
    for (int channel = 0; channel < (int)buffers[OUTPUT][i].channel_count; channel++)
      peak = fmaxf(peak, check_channel(instance, i, channel, frames, buffers[OUTPUT][i].constant_mask >> channel & 1,
                                       has_doubles(instance, OUTPUT, i)));
  clear_events(&instance->events);
  instance->frame += frames;
  pump(instance);
  return peak;
}

float run_for(Instance *instance, uint32_t frames, uint32_t block) {
  float peak = 0;
  for (uint32_t first = 0; first < frames; first += block)
    peak = fmaxf(peak, run(instance, block < frames - first ? block : frames - first));
  return peak;
}
