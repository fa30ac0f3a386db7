// LV2 plugins for tests: what they receive is what they play.
#include <lv2/atom/atom.h>
#include <lv2/atom/forge.h>
#include <lv2/atom/util.h>
#include <lv2/buf-size/buf-size.h>
#include <lv2/core/lv2.h>
#include <lv2/log/log.h>
#include <lv2/midi/midi.h>
#include <lv2/patch/patch.h>
#include <lv2/state/state.h>
#include <lv2/time/time.h>
#include <lv2/urid/urid.h>
#include <lv2/worker/worker.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define PROBE "urn:portative:test:probe"
#define LEVEL PROBE "#level"

// Notes, the gain, the level, the position, and the results of work, whether the host has no deadline, and restored states.
enum { EVENTS, SENT, NOTES, GAINS, LEVELS, BEATS, WORKS, GAIN, SHAPE, LATENCY, FREEWHEEL, PORTS };

struct probe {
  void *ports[PORTS];
  LV2_URID midi, position, bar_beat, set, property, value, level_key, number;
  LV2_Atom_Forge forge;
  const LV2_Worker_Schedule *schedule;
  float level, responses, program, latency, restores;
};

static const void *feature(const LV2_Feature *const *features, const char *uri) {
  for (; *features; features++)
    if (!strcmp((*features)->URI, uri)) return (*features)->data;
  return NULL;
}

static LV2_Handle probe_make(const LV2_Descriptor *descriptor, double rate, const char *bundle,
                             const LV2_Feature *const *features) {
  LV2_URID_Map *map = (LV2_URID_Map *)feature(features, LV2_URID__map);
  if (!map) return NULL;
  struct probe *probe = calloc(1, sizeof *probe);
  lv2_atom_forge_init(&probe->forge, map);
#define URID(uri) map->map(map->handle, uri)
  probe->midi = URID(LV2_MIDI__MidiEvent);
  probe->position = URID(LV2_TIME__Position);
  probe->bar_beat = URID(LV2_TIME__barBeat);
  probe->set = URID(LV2_PATCH__Set);
  probe->property = URID(LV2_PATCH__property);
  probe->value = URID(LV2_PATCH__value);
  probe->level_key = URID(LEVEL);
  probe->number = URID(LV2_ATOM__Float);
  probe->schedule = feature(features, LV2_WORKER__schedule);
  probe->latency = 17;
  return probe;
}

static void connect_port(LV2_Handle handle, uint32_t port, void *data) {
  ((struct probe *)handle)->ports[port] = data;
}

static void receive(struct probe *probe, const LV2_Atom_Event *event, uint32_t frame) {
  if (event->body.type == probe->midi) {
    const uint8_t *message = (const uint8_t *)(event + 1);
    if ((message[0] & 0xF0) == 0x90) ((float *)probe->ports[NOTES])[frame] += message[2] / 127.0f;
    if ((message[0] & 0xF0) == 0x80) ((float *)probe->ports[NOTES])[frame] -= 1;
    if ((message[0] & 0xF0) == 0xC0) probe->program = message[1];
    // Key 1 ends the process, key 2 never returns, key 3 writes NaN, key 4 ends the process in its work, key 5 changes the latency.
    if ((message[0] & 0xF0) == 0x90 && message[1] == 1) abort();
    if ((message[0] & 0xF0) == 0x90 && message[1] == 2) for (;;) {}
    if ((message[0] & 0xF0) == 0x90 && message[1] == 3)
      ((float *)probe->ports[NOTES])[frame] = __builtin_nanf("");
    if ((message[0] & 0xF0) == 0x90 && message[1] == 5) probe->latency = 34;
    if (message[0] == 0x90 && probe->schedule)
      probe->schedule->schedule_work(probe->schedule->handle, 1, message + 1);
    lv2_atom_forge_frame_time(&probe->forge, frame);
    lv2_atom_forge_atom(&probe->forge, event->body.size, probe->midi);
    lv2_atom_forge_write(&probe->forge, message, event->body.size);
    return;
  }
  const LV2_Atom_Object *object = (const LV2_Atom_Object *)&event->body;
  const LV2_Atom *beat = NULL, *key = NULL, *value = NULL;
  lv2_atom_object_get(object, probe->bar_beat, &beat, probe->property, &key, probe->value, &value, 0);
  if (object->body.otype == probe->position && beat)
    ((float *)probe->ports[BEATS])[frame] = ((const LV2_Atom_Float *)beat)->body + 1;
  if (object->body.otype == probe->set && key && value &&
      ((const LV2_Atom_URID *)key)->body == probe->level_key)
    probe->level = ((const LV2_Atom_Float *)value)->body;
}

static void probe_run(LV2_Handle handle, uint32_t frames) {
  struct probe *probe = handle;
  for (int port = NOTES; port <= WORKS; port++)
    memset(probe->ports[port], 0, frames * sizeof(float));
  LV2_Atom_Sequence *sent = probe->ports[SENT];
  lv2_atom_forge_set_buffer(&probe->forge, (uint8_t *)sent, sent->atom.size + 8);
  LV2_Atom_Forge_Frame sequence;
  lv2_atom_forge_sequence_head(&probe->forge, &sequence, 0);
  uint32_t frame = 0;
  const float gain = *(float *)probe->ports[GAIN] + *(float *)probe->ports[SHAPE];
  LV2_ATOM_SEQUENCE_FOREACH((const LV2_Atom_Sequence *)probe->ports[EVENTS], event) {
    for (; frame < event->time.frames; frame++) ((float *)probe->ports[LEVELS])[frame] = probe->level;
    receive(probe, event, (uint32_t)event->time.frames);
  }
  for (; frame < frames; frame++) ((float *)probe->ports[LEVELS])[frame] = probe->level;
  const float freewheel = *(float *)probe->ports[FREEWHEEL];
  for (frame = 0; frame < frames; frame++) {
    ((float *)probe->ports[GAINS])[frame] = gain + 1000 * probe->program;
    ((float *)probe->ports[WORKS])[frame] = probe->responses + 100 * freewheel + 1000 * probe->restores;
  }
  lv2_atom_forge_pop(&probe->forge, &sequence);
  *(float *)probe->ports[LATENCY] = probe->latency;
}

static void probe_end(LV2_Handle handle) { free(handle); }

static LV2_Worker_Status work(LV2_Handle handle, LV2_Worker_Respond_Function respond,
                              LV2_Worker_Respond_Handle to, uint32_t size, const void *data) {
  if (*(const uint8_t *)data == 4) abort();
  return respond(to, size, data);
}

static LV2_Worker_Status work_response(LV2_Handle handle, uint32_t size, const void *data) {
  ((struct probe *)handle)->responses += 1;
  return LV2_WORKER_SUCCESS;
}

static LV2_State_Status save(LV2_Handle handle, LV2_State_Store_Function store,
                             LV2_State_Handle state, uint32_t flags,
                             const LV2_Feature *const *features) {
  struct probe *probe = handle;
  if (probe->level == 0.9375f) abort();
  return store(state, probe->level_key, &probe->level, sizeof probe->level, probe->number,
               LV2_STATE_IS_POD | LV2_STATE_IS_PORTABLE);
}

static LV2_State_Status restore(LV2_Handle handle, LV2_State_Retrieve_Function retrieve,
                                LV2_State_Handle state, uint32_t flags,
                                const LV2_Feature *const *features) {
  struct probe *probe = handle;
  size_t size;
  uint32_t type, value_flags;
  const void *value = retrieve(state, probe->level_key, &size, &type, &value_flags);
  if (!value || size != sizeof probe->level) return LV2_STATE_ERR_NO_PROPERTY;
  probe->level = *(const float *)value;
  if (probe->level == 0.8125f) abort();
  probe->restores += 1;
  return LV2_STATE_SUCCESS;
}

static const void *probe_extension(const char *uri) {
  static const LV2_Worker_Interface worker = {work, work_response, NULL};
  static const LV2_State_Interface state = {save, restore};
  if (!strcmp(uri, LV2_WORKER__interface)) return &worker;
  if (!strcmp(uri, LV2_STATE__interface)) return &state;
  return NULL;
}

// An effect: the input, multiplied by a factor. Its ports are input, output and factor.
struct effect {
  float *ports[3];
};

static LV2_Handle effect_make(const LV2_Descriptor *descriptor, double rate, const char *bundle,
                              const LV2_Feature *const *features) {
  return calloc(1, sizeof(struct effect));
}

static void effect_connect(LV2_Handle handle, uint32_t port, void *data) {
  ((struct effect *)handle)->ports[port] = data;
}

static void effect_run(LV2_Handle handle, uint32_t frames) {
  struct effect *effect = handle;
  for (uint32_t frame = 0; frame < frames; frame++)
    effect->ports[1][frame] = effect->ports[0][frame] * *effect->ports[2];
}

static LV2_Handle refuse(const LV2_Descriptor *descriptor, double rate, const char *bundle,
                         const LV2_Feature *const *features) {
  return NULL;
}

static LV2_Handle crash(const LV2_Descriptor *descriptor, double rate, const char *bundle,
                        const LV2_Feature *const *features) {
  abort();
}

// Needs more memory than a plugin may have. It does not use it.
static LV2_Handle be_greedy(const LV2_Descriptor *descriptor, double rate, const char *bundle,
                            const LV2_Feature *const *features) {
  char *memory = malloc((size_t)sysconf(_SC_PHYS_PAGES) / 10 * 9 * sysconf(_SC_PAGESIZE));
  if (!memory) return NULL;
  memory[0] = 1;
  return memory;
}

// Has many controls, whose sum it plays. The output is the first port.
#define CONTROLS 500
struct many {
  float *ports[1 + CONTROLS];
};

static LV2_Handle many_make(const LV2_Descriptor *descriptor, double rate, const char *bundle,
                            const LV2_Feature *const *features) {
  return calloc(1, sizeof(struct many));
}

static void many_connect(LV2_Handle handle, uint32_t port, void *data) {
  ((struct many *)handle)->ports[port] = data;
}

static void many_run(LV2_Handle handle, uint32_t frames) {
  struct many *many = handle;
  float sum = 0;
  for (int control = 1; control <= CONTROLS; control++) sum += *many->ports[control];
  for (uint32_t frame = 0; frame < frames; frame++) many->ports[0][frame] = sum;
}

// An effect that can only render 64 frames at once. It plays its input times a factor and the velocities of notes, and sends the
// notes. Its ports are events, sent events, input, output, factor.
struct blocks {
  void *ports[5];
  LV2_URID midi;
  LV2_Atom_Forge forge;
};

static LV2_Handle blocks_make(const LV2_Descriptor *descriptor, double rate, const char *bundle,
                              const LV2_Feature *const *features) {
  LV2_URID_Map *map = (LV2_URID_Map *)feature(features, LV2_URID__map);
  int promised = 0;
  for (const LV2_Feature *const *each = features; *each; each++)
    promised += !strcmp((*each)->URI, LV2_BUF_SIZE__fixedBlockLength) ||
                !strcmp((*each)->URI, LV2_BUF_SIZE__powerOf2BlockLength) ||
                !strcmp((*each)->URI, LV2_BUF_SIZE__coarseBlockLength);
  if (promised != 3) return NULL;
  struct blocks *blocks = calloc(1, sizeof *blocks);
  lv2_atom_forge_init(&blocks->forge, map);
  blocks->midi = URID(LV2_MIDI__MidiEvent);
  return blocks;
}

static void blocks_connect(LV2_Handle handle, uint32_t port, void *data) {
  ((struct blocks *)handle)->ports[port] = data;
}

static void blocks_run(LV2_Handle handle, uint32_t frames) {
  struct blocks *blocks = handle;
  if (frames != 64) abort();
  const float *input = blocks->ports[2], factor = *(float *)blocks->ports[4];
  float *output = blocks->ports[3];
  for (uint32_t frame = 0; frame < frames; frame++) output[frame] = input[frame] * factor;
  LV2_Atom_Sequence *sent = blocks->ports[1];
  lv2_atom_forge_set_buffer(&blocks->forge, (uint8_t *)sent, sent->atom.size + 8);
  LV2_Atom_Forge_Frame sequence;
  lv2_atom_forge_sequence_head(&blocks->forge, &sequence, 0);
  LV2_ATOM_SEQUENCE_FOREACH((const LV2_Atom_Sequence *)blocks->ports[0], event) {
    if (event->body.type != blocks->midi) continue;
    output[event->time.frames] += ((const uint8_t *)(event + 1))[2] / 127.0f;
    lv2_atom_forge_frame_time(&blocks->forge, event->time.frames);
    lv2_atom_forge_atom(&blocks->forge, event->body.size, blocks->midi);
    lv2_atom_forge_write(&blocks->forge, event + 1, event->body.size);
  }
  lv2_atom_forge_pop(&blocks->forge, &sequence);
}

// A sampler: while notes are held, it plays the number that is in its file, for each note. The length of its title is added, in
// thousandths. Another file is loaded by work, as a property or, under a name that its description lacks, by the state.
#define SAMPLER "urn:portative:test:sampler"

struct sampler {
  const LV2_Atom_Sequence *events;
  float *output;
  LV2_URID midi, set, property, value, sample_key, title_key, hidden_key, path_type, text_type;
  const LV2_Worker_Schedule *schedule;
  char sample[1024], hidden[1024], title[1024];
  float level, hidden_level;
  int notes;
};

static float load(const char *path) {
  float level = 0;
  FILE *file = fopen(path, "r");
  if (file && fscanf(file, "%f", &level) != 1) level = 0;
  if (file) fclose(file);
  return level;
}

static LV2_Handle sampler_make(const LV2_Descriptor *descriptor, double rate, const char *bundle,
                               const LV2_Feature *const *features) {
  LV2_URID_Map *map = (LV2_URID_Map *)feature(features, LV2_URID__map);
  struct sampler *sampler = calloc(1, sizeof *sampler);
  sampler->midi = URID(LV2_MIDI__MidiEvent);
  sampler->set = URID(LV2_PATCH__Set);
  sampler->property = URID(LV2_PATCH__property);
  sampler->value = URID(LV2_PATCH__value);
  sampler->sample_key = URID(SAMPLER "#sample_file");
  sampler->title_key = URID(SAMPLER "#title");
  sampler->hidden_key = URID(SAMPLER ":hidden");
  sampler->path_type = URID(LV2_ATOM__Path);
  sampler->text_type = URID(LV2_ATOM__String);
  sampler->schedule = feature(features, LV2_WORKER__schedule);
  return sampler;
}

static void sampler_connect(LV2_Handle handle, uint32_t port, void *data) {
  struct sampler *sampler = handle;
  if (port == 0) sampler->events = data;
  if (port == 1) sampler->output = data;
}

static void sampler_receive(struct sampler *sampler, const LV2_Atom *atom) {
  const uint8_t *message = (const uint8_t *)(atom + 1);
  if (atom->type == sampler->midi) {
    const int kind = message[0] & 0xF0;
    // Key 1 ends the process.
    if (kind == 0x90 && message[1] == 1) abort();
    if (kind == 0x90) sampler->notes++;
    if (kind == 0x80 && sampler->notes) sampler->notes--;
    return;
  }
  const LV2_Atom_Object *object = (const LV2_Atom_Object *)atom;
  const LV2_Atom *key = NULL, *value = NULL;
  lv2_atom_object_get(object, sampler->property, &key, sampler->value, &value, 0);
  if (object->body.otype != sampler->set || !key || !value) return;
  const LV2_URID property = ((const LV2_Atom_URID *)key)->body;
  const char *text = (const char *)(value + 1);
  if (property == sampler->title_key && value->type == sampler->text_type)
    snprintf(sampler->title, sizeof sampler->title, "%s", text);
  if (property == sampler->sample_key && value->type == sampler->path_type)
    sampler->schedule->schedule_work(sampler->schedule->handle, value->size, text);
}

static void sampler_run(LV2_Handle handle, uint32_t frames) {
  struct sampler *sampler = handle;
  uint32_t frame = 0;
  LV2_ATOM_SEQUENCE_FOREACH(sampler->events, event) {
    for (; frame < event->time.frames; frame++)
      sampler->output[frame] = sampler->notes * (sampler->level + sampler->hidden_level) +
                               strlen(sampler->title) / 1000.0f;
    sampler_receive(sampler, &event->body);
  }
  for (; frame < frames; frame++)
    sampler->output[frame] = sampler->notes * (sampler->level + sampler->hidden_level) +
                             strlen(sampler->title) / 1000.0f;
}

static LV2_Worker_Status sampler_work(LV2_Handle handle, LV2_Worker_Respond_Function respond,
                                      LV2_Worker_Respond_Handle to, uint32_t size,
                                      const void *path) {
  struct sampler *sampler = handle;
  snprintf(sampler->sample, sizeof sampler->sample, "%s", (const char *)path);
  const float level = load(path);
  return respond(to, sizeof level, &level);
}

static LV2_Worker_Status sampler_respond(LV2_Handle handle, uint32_t size, const void *level) {
  ((struct sampler *)handle)->level = *(const float *)level;
  return LV2_WORKER_SUCCESS;
}

static LV2_State_Status sampler_save(LV2_Handle handle, LV2_State_Store_Function store,
                                     LV2_State_Handle state, uint32_t flags,
                                     const LV2_Feature *const *features) {
  struct sampler *sampler = handle;
  flags = LV2_STATE_IS_POD | LV2_STATE_IS_PORTABLE;
  if (*sampler->sample)
    store(state, sampler->sample_key, sampler->sample, strlen(sampler->sample) + 1,
          sampler->path_type, flags);
  store(state, sampler->hidden_key, sampler->hidden, strlen(sampler->hidden) + 1,
        sampler->text_type, flags);
  return LV2_STATE_SUCCESS;
}

static LV2_State_Status sampler_restore(LV2_Handle handle, LV2_State_Retrieve_Function retrieve,
                                        LV2_State_Handle state, uint32_t flags,
                                        const LV2_Feature *const *features) {
  struct sampler *sampler = handle;
  size_t size;
  uint32_t type, value_flags;
  const char *path = retrieve(state, sampler->sample_key, &size, &type, &value_flags);
  if (path && type == sampler->path_type) {
    snprintf(sampler->sample, sizeof sampler->sample, "%s", path);
    sampler->level = load(path);
  }
  path = retrieve(state, sampler->hidden_key, &size, &type, &value_flags);
  if (path && type == sampler->text_type) {
    snprintf(sampler->hidden, sizeof sampler->hidden, "%s", path);
    sampler->hidden_level = load(path);
  }
  return LV2_STATE_SUCCESS;
}

static const void *sampler_extension(const char *uri) {
  static const LV2_Worker_Interface worker = {sampler_work, sampler_respond, NULL};
  static const LV2_State_Interface state = {sampler_save, sampler_restore};
  if (!strcmp(uri, LV2_WORKER__interface)) return &worker;
  if (!strcmp(uri, LV2_STATE__interface)) return &state;
  return NULL;
}

// Instruments that play their level while a key is held, each with one fault. Their ports are events, output and level.
struct tone {
  const LV2_Atom_Sequence *events;
  float *output;
  const float *level;
  const char *fault;
  LV2_URID midi, softness_key, number;
  // The velocity of the held key, the present gain, and a value that is in the state only.
  float velocity, gain, softness;
  // The level of "stepping", which goes half of the way with each run, however long that is.
  float stepped;
  // An event that waits for its block, and the frames until then.
  float next_velocity;
  uint32_t wait;
  uint64_t position;
  uint32_t random, cycles;
  pthread_mutex_t mutex;
};

#define TONE "urn:portative:test:"

static bool has(const struct tone *tone, const char *fault) {
  return !strcmp(tone->fault, fault);
}

static LV2_Handle tone_make(const LV2_Descriptor *descriptor, double rate, const char *bundle,
                            const LV2_Feature *const *features) {
  LV2_URID_Map *map = (LV2_URID_Map *)feature(features, LV2_URID__map);
  struct tone *tone = calloc(1, sizeof *tone);
  tone->fault = descriptor->URI + strlen(TONE);
  tone->midi = URID(LV2_MIDI__MidiEvent);
  tone->softness_key = URID(TONE "softness");
  tone->number = URID(LV2_ATOM__Float);
  pthread_mutex_init(&tone->mutex, NULL);
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  tone->random = (uint32_t)now.tv_nsec | 1;
  if (has(tone, "refusing-rates") && rate != 48000) return NULL;
  if (has(tone, "talking")) {
    const LV2_Log_Log *log = feature(features, LV2_LOG__log);
    log->printf(log->handle, URID(LV2_LOG__Note), "the rate is %d Hz\n", (int)rate);
    fprintf(stderr, "a bell: \a\n");
  }
  return tone;
}

static void tone_connect(LV2_Handle handle, uint32_t port, void *data) {
  struct tone *tone = handle;
  if (port == 0) tone->events = data;
  if (port == 1) tone->output = data;
  if (port == 2) tone->level = data;
}

static float tone_sample(struct tone *tone) {
  if (tone->wait && !--tone->wait) tone->velocity = tone->next_velocity;
  if (tone->velocity > 0) tone->gain = tone->velocity;
  else tone->gain = tone->gain < 1e-6f ? 0 : tone->gain * 0.99f;
  const float level = has(tone, "stepping") ? tone->stepped : *tone->level;
  float sample = tone->gain * level * (1 - tone->softness);
  if (has(tone, "random")) {
    tone->random = tone->random * 1664525 + 1013904223;
    sample *= (float)(tone->random >> 8) / (1 << 24);
  }
  if (has(tone, "invalid") && *tone->level == 1) return __builtin_nanf("");
  return sample;
}

static void tone_run(LV2_Handle handle, uint32_t frames) {
  struct tone *tone = handle;
  tone->cycles++;
  tone->stepped += (*tone->level - tone->stepped) * (tone->cycles == 1 ? 1 : 0.5f);
  if (has(tone, "dying") && tone->cycles == 3) abort();
  if (has(tone, "stalling") && tone->cycles == 3) for (;;) {}
  if (has(tone, "allocating")) free(strdup(tone->fault));
  // Two lines of each cycle differ, and one does not.
  if (has(tone, "talking")) printf("cycle %u\nagain\nend of %u\n", tone->cycles, tone->cycles);
  if (has(tone, "locking")) {
    pthread_mutex_lock(&tone->mutex);
    sched_yield();
    pthread_mutex_unlock(&tone->mutex);
  }
  const bool waits = has(tone, "grid");
  uint32_t frame = 0;
  LV2_ATOM_SEQUENCE_FOREACH(tone->events, event) {
    if (event->body.type != tone->midi) continue;
    const uint8_t *message = (const uint8_t *)(event + 1);
    const uint8_t status = message[0] & 0xF0;
    if (status != 0x80 && status != 0x90) continue;
    const uint32_t begin = has(tone, "cycles") ? 0 : (uint32_t)event->time.frames;
    for (; frame < begin; frame++) tone->output[frame] = tone_sample(tone);
    const float velocity = status == 0x90 ? message[2] / 254.0f : 0;
    tone->next_velocity = velocity;
    tone->wait = waits ? 64 - (uint32_t)((tone->position + begin) & 63) : has(tone, "late") ? 48 : 0;
    if (!tone->wait) tone->velocity = velocity;
  }
  for (; frame < frames; frame++) tone->output[frame] = tone_sample(tone);
  tone->position += frames;
}

static LV2_State_Status tone_save(LV2_Handle handle, LV2_State_Store_Function store,
                                  LV2_State_Handle state, uint32_t flags,
                                  const LV2_Feature *const *features) {
  struct tone *tone = handle;
  if (has(tone, "forgetful")) return LV2_STATE_SUCCESS;
  return store(state, tone->softness_key, &tone->softness, sizeof tone->softness, tone->number,
               LV2_STATE_IS_POD | LV2_STATE_IS_PORTABLE);
}

static LV2_State_Status tone_restore(LV2_Handle handle, LV2_State_Retrieve_Function retrieve,
                                     LV2_State_Handle state, uint32_t flags,
                                     const LV2_Feature *const *features) {
  struct tone *tone = handle;
  size_t size;
  uint32_t type, value_flags;
  const void *value = retrieve(state, tone->softness_key, &size, &type, &value_flags);
  if (value && has(tone, "hanging")) for (;;) pause();
  if (value && size == sizeof tone->softness) tone->softness = *(const float *)value;
  return LV2_STATE_SUCCESS;
}

static const void *tone_extension(const char *uri) {
  static const LV2_State_Interface state = {tone_save, tone_restore};
  return strcmp(uri, LV2_STATE__interface) ? NULL : &state;
}

// Effects that delay by 32 frames, one of which reports another latency. Their ports are input, output and latency.
struct delay {
  float *ports[3];
  float line[32];
  uint32_t place;
  float latency;
};

static LV2_Handle delay_make(const LV2_Descriptor *descriptor, double rate, const char *bundle,
                             const LV2_Feature *const *features) {
  struct delay *delay = calloc(1, sizeof *delay);
  delay->latency = strstr(descriptor->URI, "wrong") ? 100 : 32;
  return delay;
}

static void delay_connect(LV2_Handle handle, uint32_t port, void *data) {
  ((struct delay *)handle)->ports[port] = data;
}

static void delay_run(LV2_Handle handle, uint32_t frames) {
  struct delay *delay = handle;
  for (uint32_t frame = 0; frame < frames; frame++) {
    const float sample = delay->ports[0][frame];
    delay->ports[1][frame] = delay->line[delay->place];
    delay->line[delay->place] = sample;
    delay->place = (delay->place + 1) & 31;
  }
  *delay->ports[2] = delay->latency;
}

#define TONE_DESCRIPTOR(fault)                                                                     \
  {TONE fault, tone_make, tone_connect, NULL, tone_run, NULL, free, tone_extension}

static const LV2_Descriptor descriptors[] = {
    {SAMPLER, sampler_make, sampler_connect, NULL, sampler_run, NULL, free, sampler_extension},
    TONE_DESCRIPTOR("tone"), TONE_DESCRIPTOR("grid"), TONE_DESCRIPTOR("cycles"), TONE_DESCRIPTOR("stepping"),
    TONE_DESCRIPTOR("invalid"), TONE_DESCRIPTOR("random"), TONE_DESCRIPTOR("allocating"),
    TONE_DESCRIPTOR("locking"), TONE_DESCRIPTOR("forgetful"), TONE_DESCRIPTOR("dying"),
    TONE_DESCRIPTOR("stalling"), TONE_DESCRIPTOR("refusing-rates"),
    TONE_DESCRIPTOR("late"),
    TONE_DESCRIPTOR("hanging"), TONE_DESCRIPTOR("talking"),
    {TONE "delay", delay_make, delay_connect, NULL, delay_run, NULL, free, NULL},
    {TONE "wrong-delay", delay_make, delay_connect, NULL, delay_run, NULL, free, NULL},
    {PROBE, probe_make, connect_port, NULL, probe_run, NULL, probe_end, probe_extension},
    {"urn:portative:test:effect", effect_make, effect_connect, NULL, effect_run, NULL, free, NULL},
    {"urn:portative:test:refusing", refuse, effect_connect, NULL, effect_run, NULL, free, NULL},
    {"urn:portative:test:crashing", crash, effect_connect, NULL, effect_run, NULL, free, NULL},
    {"urn:portative:test:greedy", be_greedy, effect_connect, NULL, effect_run, NULL, free, NULL},
    {"urn:portative:test:many", many_make, many_connect, NULL, many_run, NULL, free, NULL},
    {"urn:portative:test:blocks", blocks_make, blocks_connect, NULL, blocks_run, NULL, free, NULL},
};

const LV2_Descriptor *lv2_descriptor(uint32_t index) {
  return index < sizeof descriptors / sizeof *descriptors ? &descriptors[index] : NULL;
}
