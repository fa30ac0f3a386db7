#include "override.h"
#include <pthread.h>
#include <stddef.h>
#include "library_allocations.h"
#include "library_imports.h"
#include "replacements.h"

static bool notes_allocations;

static void redirect(void) {
  library_import_redirect("GOMP_parallel", (void *)run_region);
  library_import_redirect("fluid_settings_getnum_range", (void *)range_of_setting);
  library_import_redirect("fluid_voice_optimize_sample", (void *)receive_sample);
  library_import_redirect("g_get_monotonic_time", (void *)time_in_microseconds);
  // std::chrono::steady_clock::now() of libstdc++, which FluidSynth 2.6 can be built with instead of GLib.
  library_import_redirect("_ZNSt6chrono3_V212steady_clock3nowEv", (void *)time_in_nanoseconds);
  // Only both together: a mutex that was not locked must not be unlocked.
  if (library_import_redirect("pthread_mutex_lock", (void *)lock_unless_rendering)
      && library_import_redirect("pthread_mutex_unlock", (void *)unlock_unless_rendering))
    pass_over_atomic_lock();
  library_import_redirect("fluid_voice_get_actual_key", (void *)limited_key);
  library_import_redirect("fluid_voice_update_param", (void *)update_limited);
  library_import_redirect("realloc", (void *)noting_realloc);
  // Without `free`, a block that is no longer allocated would be among those noted.
  notes_allocations = library_import_redirect("free", (void *)noting_free)
      && library_import_redirect("malloc", (void *)noting_malloc);
}

void override_library(void) {
  // All at once: two threads must not make a page of the import table writable and read-only again at the same time.
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, redirect);
}

bool library_allocations_watch(void) {
  override_library();
  return notes_allocations;
}
