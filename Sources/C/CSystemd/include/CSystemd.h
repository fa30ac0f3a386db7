#pragma once
#include <stdbool.h>
#include <systemd/sd-bus.h>
#include <systemd/sd-daemon.h>

// libsystemd is loaded at run time, so that hosts and nodes do not depend on it.

#define SYSTEMD_FUNCTIONS(FUNCTION)                                                                \
  FUNCTION(notify)                                                                                 \
  FUNCTION(bus_new)                                                                                \
  FUNCTION(bus_flush_close_unref)                                                                  \
  FUNCTION(bus_set_method_call_timeout)                                                            \
  FUNCTION(bus_set_address)                                                                        \
  FUNCTION(bus_set_bus_client)                                                                     \
  FUNCTION(bus_start)                                                                              \
  FUNCTION(bus_get_property_trivial)                                                               \
  FUNCTION(bus_error_free)                                                                         \
  FUNCTION(bus_message_new_method_call)                                                            \
  FUNCTION(bus_message_unref)                                                                      \
  FUNCTION(bus_message_append_basic)                                                               \
  FUNCTION(bus_call)

/// The functions of libsystemd with these names: `sd_notify` and so on.
struct systemd_library {
#define FIELD(name) __typeof__(sd_##name) *_Nonnull name;
  SYSTEMD_FUNCTIONS(FIELD)
#undef FIELD
};

/// Loads the library if it is not loaded yet. It is never unloaded. Thread-safe. Realtime: no.
///
/// Returns null if the library is not installed or lacks one of these functions.
const struct systemd_library *_Nullable systemd_load(void);
