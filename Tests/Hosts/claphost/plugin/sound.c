// Values, voices and cycles.
#include "plugin.h"

const Parameter parameters[PARAMETERS] = {
    {LEVEL, "Level", "", CLAP_PARAM_IS_AUTOMATABLE | CLAP_PARAM_IS_MODULATABLE, 0, 2, 1},
    {SHAPE, "Shape", "Voice", CLAP_PARAM_IS_AUTOMATABLE | CLAP_PARAM_IS_STEPPED | CLAP_PARAM_IS_ENUM, 0, 2, 0},
    {RELEASE, "Release", "Voice", CLAP_PARAM_IS_AUTOMATABLE, 0.01, 0.2, 0.05},
};

int parameter_index(clap_id id) {
  for (int i = 0; i < PARAMETERS; i++)
    if (parameters[i].id == id) return i;
  return -1;
}

void set_value(Plugin *plugin, int index, double value) {
  const Parameter *parameter = &parameters[index];
  if (fault("unclamped")) return (void)(plugin->values[index] = value);
  if (isnan(value)) return;
  if (parameter->flags & CLAP_PARAM_IS_STEPPED) value = trunc(value);
  plugin->values[index] = fmin(fmax(value, parameter->min), parameter->max);
}

void values_changed(Plugin *plugin) {
  const clap_host_params_t *params = plugin->host->get_extension(plugin->host, CLAP_EXT_PARAMS);
  if (params && !fault("no_rescan")) params->rescan(plugin->host, CLAP_PARAM_RESCAN_VALUES);
}

// MARK: Voices

static int random_count;

static void begin(Plugin *plugin, int port, int channel, int key, int id, double velocity) {
  abort_if(key > 127, "wrong_notes");
  if (key < 0 || key > 127 || !(velocity >= 0 && velocity <= 1)) return;
  for (Voice *voice = plugin->voices; voice < plugin->voices + VOICES; voice++)
    if (!voice->sounds)
      return (void)(*voice =
                        (Voice){true, true, port, channel, key, id,
                                fault("random") ? (double)(random_count++ * 7919 % 1000) / 1000 : 0, velocity * 0.1});
}

static bool matches(int wanted, int value) { return (wanted == -1 && !fault("wildcards")) || wanted == value; }

static void end(Plugin *plugin, int port, int channel, int key, int id, bool chokes) {
  abort_if(key == -1 && id >= 0, "wild_notes");
  for (Voice *voice = plugin->voices; voice < plugin->voices + VOICES; voice++)
    if (voice->sounds && voice->held && matches(port, voice->port) && matches(channel, voice->channel) &&
        matches(key, voice->key) && (id == -1 || matches(id, voice->id))) {
      voice->held = false;
      if (chokes) voice->sounds = false;
    }
}

void end_voices(Plugin *plugin) { memset(plugin->voices, 0, sizeof plugin->voices); }

static void take_midi(Plugin *plugin, const clap_event_midi_t *event) {
  int channel = event->data[0] & 15, key = event->data[1] & 127, velocity = event->data[2] & 127;
  if (fault("midi_is_ignored")) return;
  switch (event->data[0] & 0xF0) {
    case 0x90:
      if (velocity || fault("velocity_0"))
        begin(plugin, event->port_index, channel, key, -1, fault("dialects") ? velocity / 128.0 : velocity / 127.0);
      else end(plugin, event->port_index, channel, key, -1, false);
      break;
    case 0x80: end(plugin, event->port_index, channel, key, -1, false); break;
    case 0xB0:
      if (key == 120 || key == 123) end(plugin, -1, channel, -1, -1, key == 120);
  }
}

void take_event(Plugin *plugin, const clap_event_header_t *event) {
  const clap_event_note_t *note = (const void *)event;
  const clap_event_param_value_t *value = (const void *)event;
  if (event->space_id != CLAP_CORE_EVENT_SPACE_ID && !fault("spaces")) return;
  abort_if(event->type == CLAP_EVENT_TRANSPORT, "transports");
  abort_if(event->type == CLAP_EVENT_MIDI_SYSEX, "sysex");
  switch (event->type) {
    case CLAP_EVENT_NOTE_ON:
      begin(plugin, note->port_index, note->channel, note->key, note->note_id, note->velocity);
      break;
    case CLAP_EVENT_NOTE_OFF:
    case CLAP_EVENT_NOTE_CHOKE:
      end(plugin, note->port_index, note->channel, note->key, note->note_id, event->type == CLAP_EVENT_NOTE_CHOKE);
      break;
    case CLAP_EVENT_PARAM_MOD:
      if (!fault("modulation")) break;
      __attribute__((fallthrough));
    case CLAP_EVENT_PARAM_VALUE: {
      abort_if(value->key >= 0, "values_of_notes");
      int index = fault("cookies") ? *(int *)value->cookie : parameter_index(value->param_id);
      if (index >= 0 && value->note_id == -1 && value->channel == -1 && value->key == -1)
        set_value(plugin, index, value->value);
      break;
    }
    case CLAP_EVENT_MIDI: take_midi(plugin, (const void *)event);
  }
}

// MARK: Cycles

atomic_int instances_in_process;

static double wave(double phase, int shape) {
  double angle = phase - floor(phase);
  if (shape == 0) return sin(2 * M_PI * angle);
  if (shape == 1) return fault("nan") ? NAN : angle < 0.5 ? 1 : -1;
  return 2 * angle - 1;
}

static double render_voices(Plugin *plugin) {
  double sum = 0, fall = exp(-7 / (plugin->values[2] * plugin->rate));
  for (Voice *voice = plugin->voices; voice < plugin->voices + VOICES; voice++) {
    if (!voice->sounds) continue;
    sum += voice->gain * wave(voice->phase, (int)plugin->values[1]);
    voice->phase += 440 * exp2((voice->key - 69) / 12.0) / plugin->rate;
    if (!voice->held) voice->gain *= fall;
    if (voice->gain < (fault("denormals") ? 1e-42 : 1e-6)) voice->sounds = false;
  }
  if (fault("silence") || (fault("slow_start") && plugin->frames < 96000)) return 0;
  return sum * plugin->values[0];
}

static double sample(const clap_audio_buffer_t *buffer, int channel, uint32_t frame) {
  return buffer->data64 ? buffer->data64[channel][frame] : (double)buffer->data32[channel][frame];
}

static void set_sample(clap_audio_buffer_t *buffer, int channel, uint32_t frame, double value) {
  if (!buffer->data64) buffer->data32[channel][frame] = (float)value;
  else if (!fault("wide_samples") || frame % 2 == 0) buffer->data64[channel][frame] = value;
}

static void render(Plugin *plugin, const clap_process_t *cycle, uint32_t first, uint32_t last) {
  clap_audio_buffer_t *out = cycle->audio_outputs;
  for (uint32_t frame = first; frame < last; frame++) {
    double voices = render_voices(plugin);
    for (int channel = 0; channel < 2; channel++) {
      // The fault overwrites an input before it is read.
      if (fault("shared_memory") && plugin->is_effect) set_sample(out, channel, frame, 0);
      double in = plugin->is_effect ? sample(cycle->audio_inputs, channel, frame) : 0;
      set_sample(out, channel, frame, plugin->is_effect ? in * plugin->values[0] : voices);
    }
  }
}

clap_process_status process(const clap_plugin_t *plugin, const clap_process_t *cycle) {
  Plugin *me = self(plugin);
  uint32_t frame = 0, frames = cycle->frames_count;
  static _Atomic pid_t first_thread;
  pid_t none = 0;
  atomic_compare_exchange_strong(&first_thread, &none, gettid());
  abort_if(first_thread != gettid(), "audio_thread");
  abort_if(!frames, "no_frames");
  if (fault("one_memory") && me->is_effect && cycle->audio_inputs->data32[0] == cycle->audio_outputs->data32[0])
    abort();
  abort_if(cycle->in_events->size(cycle->in_events) > 4096, "many_events");
  abort_if(me->stops > 5, "stops");
  me->in_process = true;
  instances_in_process++;
  if (fault("transport") && cycle->transport->tempo < 0) abort();
  if (fault("long_cycles") && frames > 4096) frames = 4096;
  if (fault("memory") && frames) cycle->audio_outputs->data32[1][-1] = 0;
  for (uint32_t i = 0; i < cycle->in_events->size(cycle->in_events); i++) {
    const clap_event_header_t *event = cycle->in_events->get(cycle->in_events, i);
    bool early = (fault("frames_of_notes") && event->type != CLAP_EVENT_PARAM_VALUE) ||
                 (fault("frames_of_values") && event->type == CLAP_EVENT_PARAM_VALUE);
    if (!early && event->time < frames) {
      render(me, cycle, frame, event->time);
      frame = event->time;
    }
    if (!(fault("last_value") && event->type == CLAP_EVENT_PARAM_VALUE && i > 2)) take_event(me, event);
  }
  render(me, cycle, frame, frames);
  if (fault("cycle_lengths") && frames) cycle->audio_outputs->data32[0][frames - 1] *= 0.999f;
  if (fault("threads")) values_changed(me);
  if (fault("order_of_events")) {
    clap_event_note_t note = {.header = {sizeof note, frames + 7, 0, CLAP_EVENT_NOTE_END, 0}};
    cycle->out_events->try_push(cycle->out_events, &note.header);
  }
  cycle->audio_outputs->constant_mask = fault("constant_mask") ? 3 : 0;
  if (fault("latency")) me->latency++;
  me->frames += frames;
  instances_in_process--;
  me->in_process = false;
  if (fault("sleep")) return CLAP_PROCESS_SLEEP;
  if (me->is_effect) return CLAP_PROCESS_CONTINUE_IF_NOT_QUIET;
  for (int i = 0; i < VOICES; i++)
    if (me->voices[i].sounds) return CLAP_PROCESS_CONTINUE;
  return CLAP_PROCESS_SLEEP;
}
