// An LV2 instrument that records what the host delivers.
//
// The left output is 1 at the frame of a message, and the right one is noise of all exponents and bits from the first
// message on: it shows whether the host changes a bit. PROBE_LOG names a file to which each call appends lines:
//
//   instantiate RATE
//   run FRAME LENGTH FREEWHEEL     the frames of all calls so far, and the port's value
//   midi FRAME HEX
//   time FRAME                     a message of another type, such as the transport's position
//
// It writes the file on the audio thread.
#include <lv2/atom/atom.h>
#include <lv2/atom/util.h>
#include <lv2/core/lv2.h>
#include <lv2/midi/midi.h>
#include <lv2/urid/urid.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const LV2_Atom_Sequence *events;
  float *left, *right;
  const float *freewheel;
  LV2_URID midi;
  uint64_t frame, noise_frame;
  int has_begun;
  FILE *log;
} Probe;

static LV2_Handle instantiate(const LV2_Descriptor *descriptor, double rate, const char *path,
                              const LV2_Feature *const *features) {
  LV2_URID_Map *map = NULL;
  for (; *features; features++)
    if (!strcmp((*features)->URI, LV2_URID__map)) map = (*features)->data;
  const char *log = getenv("PROBE_LOG");
  Probe *probe = calloc(1, sizeof *probe);
  if (!map || !probe || !(probe->log = fopen(log ? log : "/dev/null", "a"))) {
    free(probe);
    return NULL;
  }
  probe->midi = map->map(map->handle, LV2_MIDI__MidiEvent);
  fprintf(probe->log, "instantiate %g\n", rate);
  return probe;
}

static void connect_port(LV2_Handle handle, uint32_t port, void *data) {
  Probe *probe = handle;
  switch (port) {
  case 0: probe->events = data; break;
  case 1: probe->left = data; break;
  case 2: probe->right = data; break;
  case 3: probe->freewheel = data; break;
  }
}

// A float from 2^-126 to 2^2 that depends on the frame.
static float noise(uint64_t frame) {
  uint64_t bits = frame * 0x9e3779b97f4a7c15u + 0x7f4a7c15u;
  bits ^= bits >> 29;
  bits *= 0xbf58476d1ce4e5b9u;
  bits ^= bits >> 32;
  uint32_t word = (uint32_t)(bits & 0x807fffffu) | (uint32_t)(1 + (bits >> 33) % 128) << 23;
  float value;
  memcpy(&value, &word, sizeof value);
  return value;
}

static void run(LV2_Handle handle, uint32_t length) {
  Probe *probe = handle;
  memset(probe->left, 0, length * sizeof(float));
  fprintf(probe->log, "run %llu %u %g\n", (unsigned long long)probe->frame, length, *probe->freewheel);
  uint32_t beginning = probe->has_begun ? 0 : length;
  LV2_ATOM_SEQUENCE_FOREACH (probe->events, event) {
    int64_t offset = event->time.frames;
    int is_midi = event->body.type == probe->midi;
    fprintf(probe->log, "%s %lld ", is_midi ? "midi" : "time", (long long)probe->frame + offset);
    const uint8_t *bytes = (const uint8_t *)(event + 1);
    for (uint32_t i = 0; is_midi && i < event->body.size; i++) fprintf(probe->log, "%02x", bytes[i]);
    fputc('\n', probe->log);
    if (!is_midi || offset < 0 || offset >= length) continue;
    probe->left[offset] = 1;
    if (offset < beginning) beginning = (uint32_t)offset;
    probe->has_begun = 1;
  }
  for (uint32_t i = 0; i < length; i++) probe->right[i] = i < beginning ? 0 : noise(probe->noise_frame++);
  probe->frame += length;
  fflush(probe->log);
}

static void cleanup(LV2_Handle handle) {
  Probe *probe = handle;
  fclose(probe->log);
  free(probe);
}

static const LV2_Descriptor descriptor = {
    "urn:portative:test:probe", instantiate, connect_port, NULL, run, NULL, cleanup, NULL};

LV2_SYMBOL_EXPORT const LV2_Descriptor *lv2_descriptor(uint32_t index) { return index ? NULL : &descriptor; }
