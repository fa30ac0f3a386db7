#include "pitch_limit.h"

#include <malloc.h>
#include <math.h>
#include <stdatomic.h>
#include <stddef.h>
#include "override.h"
#include "replacements.h"

float fluid_voice_gen_get(void *voice, int generator);
void fluid_voice_gen_set(void *voice, int generator, float value);
int fluid_voice_get_actual_key(const void *voice);
void fluid_voice_update_param(void *voice, int generator);

// Generators by their numbers in SoundFont 2.04, and the library's own, "pitch".
enum {
  MOD_LFO_TO_PITCH = 5,
  VIB_LFO_TO_PITCH = 6,
  MOD_ENV_TO_PITCH = 7,
  COARSE_TUNE = 51,
  FINE_TUNE = 52,
  PITCH = 59,
  COUNT = 60
};

// `fluid_gen_t`, the same in FluidSynth 2.1 to 2.6.
struct generator {
  unsigned char flags;
  /// The value of the SoundFont.
  double own;
  double modulators, nrpn;
};

static const double most_cents = 25400;
/// The offset of the first generator in a voice; 0 if it was not found.
static atomic_size_t offset;

static struct generator *generators(const void *voice) {
  size_t found = atomic_load_explicit(&offset, memory_order_relaxed);
  return found ? (struct generator *)((char *)voice + found) : NULL;
}

static bool are_at(const struct generator *generator, void *voice) {
  for (int i = 0; i < COUNT; i++)
    if (generator[i].own != fluid_voice_gen_get(voice, i)) return false;
  return true;
}

bool pitch_limit_find(void *voice) {
  override_library();
  float before[COUNT];
  for (int i = 0; i < COUNT; i++) {
    before[i] = fluid_voice_gen_get(voice, i);
    fluid_voice_gen_set(voice, i, 1000.5f + (float)i);
  }
  size_t size = malloc_usable_size(voice), found = 0;
  for (size_t at = _Alignof(struct generator); !found && at + COUNT * sizeof(struct generator) <= size;
       at += _Alignof(struct generator))
    if (are_at((struct generator *)((char *)voice + at), voice)) found = at;
  for (int i = 0; i < COUNT; i++) fluid_voice_gen_set(voice, i, before[i]);
  atomic_store(&offset, found);
  return found != 0;
}

static double value(const struct generator *generators, int index) {
  return generators[index].own + generators[index].modulators + generators[index].nrpn;
}

/// The most that an envelope or LFO adds. The library limits it to 12,000 cents.
static double swing(const struct generator *generators, int index) {
  return fmin(fabs(value(generators, index)), 12000);
}

/// The cents by which a voice can exceed the limit; not positive if it cannot.
static double excess(const struct generator *generators) {
  return value(generators, PITCH) + 100 * value(generators, COARSE_TUNE) + value(generators, FINE_TUNE)
      + swing(generators, MOD_LFO_TO_PITCH) + swing(generators, VIB_LFO_TO_PITCH)
      + swing(generators, MOD_ENV_TO_PITCH) - most_cents;
}

int limited_key(const void *voice) {
  int key = fluid_voice_get_actual_key(voice);
  return key > 127 ? 127 : key;
}

static void update_pitch(void *voice, struct generator *generators, int index) {
  double own = generators[FINE_TUNE].own, cents = excess(generators);
  if (cents > 0) generators[FINE_TUNE].own -= cents;
  fluid_voice_update_param(voice, index);
  generators[FINE_TUNE].own = own;
}

void update_limited(void *voice, int index) {
  struct generator *all = generators(voice);
  if (!all) {
    fluid_voice_update_param(voice, index);
    return;
  }
  switch (index) {
    case PITCH:
    case COARSE_TUNE:
    case FINE_TUNE: update_pitch(voice, all, index); break;
    case MOD_LFO_TO_PITCH:
    case VIB_LFO_TO_PITCH:
    case MOD_ENV_TO_PITCH:
      fluid_voice_update_param(voice, index);
      if (excess(all) > 0) update_pitch(voice, all, PITCH);
      break;
    default: fluid_voice_update_param(voice, index);
  }
}
