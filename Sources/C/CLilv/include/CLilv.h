#pragma once
// Since 0.26, lilv says which pointers may be null. Without it, Swift imports every version alike.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wkeyword-macro"
#define _Nonnull
#define _Nullable
#include <lilv-0/lilv/lilv.h>
#undef _Nonnull
#undef _Nullable
#pragma clang diagnostic pop
#include <lv2/log/log.h>
#include <lv2/options/options.h>
#include <lv2/worker/worker.h>
#include <stdbool.h>

// lilv finds LV2 plugins and reads their descriptions. It is loaded when a plugin is asked for, so that the program also runs on
// systems without it.

#define RENDER_THREAD __attribute__((swift_attr("@_noLocks")))

#define LILV_FUNCTIONS(FUNCTION)                                                                   \
  FUNCTION(file_uri_parse)                                                                         \
  FUNCTION(free)                                                                                   \
  FUNCTION(instance_free)                                                                          \
  FUNCTION(new_uri)                                                                                \
  FUNCTION(node_as_float)                                                                          \
  FUNCTION(node_as_string)                                                                         \
  FUNCTION(node_free)                                                                              \
  FUNCTION(node_is_float)                                                                          \
  FUNCTION(node_is_int)                                                                            \
  FUNCTION(node_is_uri)                                                                            \
  FUNCTION(nodes_begin)                                                                            \
  FUNCTION(nodes_free)                                                                             \
  FUNCTION(nodes_get)                                                                              \
  FUNCTION(nodes_is_end)                                                                           \
  FUNCTION(nodes_next)                                                                             \
  FUNCTION(plugin_class_get_label)                                                                 \
  FUNCTION(plugin_class_get_uri)                                                                   \
  FUNCTION(plugin_get_author_name)                                                                 \
  FUNCTION(plugin_get_class)                                                                       \
  FUNCTION(plugin_get_library_uri)                                                                 \
  FUNCTION(plugin_get_name)                                                                        \
  FUNCTION(plugin_get_num_ports)                                                                   \
  FUNCTION(plugin_get_port_by_index)                                                               \
  FUNCTION(plugin_get_project)                                                                     \
  FUNCTION(plugin_get_related)                                                                     \
  FUNCTION(plugin_get_required_features)                                                           \
  FUNCTION(plugin_get_uri)                                                                         \
  FUNCTION(plugin_get_value)                                                                       \
  FUNCTION(plugin_instantiate)                                                                     \
  FUNCTION(plugins_begin)                                                                          \
  FUNCTION(plugins_get)                                                                            \
  FUNCTION(plugins_get_by_uri)                                                                     \
  FUNCTION(plugins_is_end)                                                                         \
  FUNCTION(plugins_next)                                                                           \
  FUNCTION(port_get_classes)                                                                       \
  FUNCTION(port_get_name)                                                                          \
  FUNCTION(port_get_range)                                                                         \
  FUNCTION(port_get_scale_points)                                                                  \
  FUNCTION(port_get_symbol)                                                                        \
  FUNCTION(port_get_value)                                                                         \
  FUNCTION(scale_point_get_label)                                                                  \
  FUNCTION(scale_point_get_value)                                                                  \
  FUNCTION(scale_points_begin)                                                                     \
  FUNCTION(scale_points_free)                                                                      \
  FUNCTION(scale_points_get)                                                                       \
  FUNCTION(scale_points_is_end)                                                                    \
  FUNCTION(scale_points_next)                                                                      \
  FUNCTION(state_emit_port_values)                                                                 \
  FUNCTION(state_free)                                                                             \
  FUNCTION(state_get_label)                                                                        \
  FUNCTION(state_get_num_properties)                                                               \
  FUNCTION(state_new_from_instance)                                                                \
  FUNCTION(state_new_from_string)                                                                  \
  FUNCTION(state_new_from_world)                                                                   \
  FUNCTION(state_restore)                                                                          \
  FUNCTION(state_to_string)                                                                        \
  FUNCTION(world_get)                                                                              \
  FUNCTION(world_get_all_plugins)                                                                  \
  FUNCTION(world_load_all)                                                                         \
  FUNCTION(world_load_resource)                                                                    \
  FUNCTION(world_new)

/// The functions of lilv with these names: `lilv_free` and so on.
struct lilv_library {
#define FIELD(name) __typeof__(lilv_##name) *_Nonnull name;
  LILV_FUNCTIONS(FIELD)
#undef FIELD
};

/// Loads the library if it is not loaded yet. It is never unloaded. Thread-safe.
///
/// Returns null if the library is not installed or lacks one of these functions.
const struct lilv_library *_Nullable clilv_load(void);

// Functions of an instance for the render thread. LV2 promises that those of a plugin are realtime-safe; it is the plugin's
// promise. Swift cannot check the target of a function pointer.

RENDER_THREAD static inline void clilv_connect(const LilvInstance *_Nonnull instance, uint32_t port,
                                               void *_Nullable data) {
  instance->lv2_descriptor->connect_port(instance->lv2_handle, port, data);
}

RENDER_THREAD static inline void clilv_run(const LilvInstance *_Nonnull instance, uint32_t frames) {
  instance->lv2_descriptor->run(instance->lv2_handle, frames);
}

RENDER_THREAD static inline void clilv_respond(const LV2_Worker_Interface *_Nonnull worker,
                                               const LilvInstance *_Nonnull instance, uint32_t size,
                                               const void *_Nullable data) {
  worker->work_response(instance->lv2_handle, size, data);
}

RENDER_THREAD static inline void clilv_end_run(const LV2_Worker_Interface *_Nonnull worker,
                                               const LilvInstance *_Nonnull instance) {
  if (worker->end_run) worker->end_run(instance->lv2_handle);
}

/// The function that receives a message of a plugin's log.
typedef void (*clilv_log_handler)(void *_Nullable handle, LV2_URID type, const char *_Nonnull line);

/// The log of a host, whose functions have variable arguments, which Swift cannot read.
struct clilv_log {
  LV2_Log_Log log;
  void *_Nullable handle;
  clilv_log_handler _Nonnull handler;
};

/// Makes a log that calls `handler` for each message, in the thread that writes it. The `handle` of its `log` must be set to its
/// own address.
struct clilv_log clilv_log_make(clilv_log_handler _Nonnull handler, void *_Nullable handle);
