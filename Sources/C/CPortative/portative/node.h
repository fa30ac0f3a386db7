#pragma once
#include "common.h"

// The node's side: publishes ports, which hosts find and play.
//
// A node needs at least the functions `make`, `free` and `render` of a unit:
//
//   static bool render(void *unit, const portative_cycle *cycle) {
//     const portative_step *step;
//     while ((step = portative_cycle_next(cycle))) {
//       if (step->kind == PORTATIVE_STEP_EVENT) handle(unit, step->event->message);
//       if (step->kind == PORTATIVE_STEP_FRAMES) synthesize(unit, cycle->output, step->begin, step->end);
//     }
//     return false;
//   }
//
//   portative_unit_functions functions = {.size = sizeof functions, .make = make, .free = destroy, .render = render};
//   portative_node *node = portative_node_create(&options, error);
//   portative_node_publish(node, &port, &functions, NULL, error);
//
// portative/common.h describes handles, structures, strings, errors and threads.

#ifdef __cplusplus
extern "C" {
#endif

// ---- Cycle

/// The input and output of a unit in one cycle. All memory belongs to the library, and is valid only during the call
/// that receives the cycle.
typedef struct portative_cycle {
  uint32_t size;
  /// The number of frames to render: 1 or more.
  uint32_t frames;
  /// The position of the first frame in the host's stream, in frames: within ±2⁶². It jumps if cycles were missed.
  int64_t position;
  /// The time at which the first frame is heard, in nanoseconds of CLOCK_MONOTONIC: within ±2⁶².
  int64_t host_time;
  /// One pointer for each input channel of the format, to `frames` samples. None is infinite or NaN. NULL without
  /// channels.
  const float *const *input;
  /// One pointer for each output channel of the format, to memory for `frames` samples. `render` must write all of
  /// them; their previous contents are undefined. NULL for `prepare`.
  float *const *output;
  uint32_t input_channels;
  uint32_t output_channels;
  /// Belongs to the library.
  void *library;
} portative_cycle;

typedef enum portative_step_kind {
  /// Frames to render, without events between them: from `begin` up to but not including `end`, at least 1.
  PORTATIVE_STEP_FRAMES = 0,
  /// A MIDI event, which takes effect on the frame `begin`.
  PORTATIVE_STEP_EVENT = 1,
  /// A change of a parameter, which starts on the frame `begin`.
  PORTATIVE_STEP_PARAMETER = 2,
  /// A new state of the host's song from the frame `begin` on.
  PORTATIVE_STEP_TRANSPORT = 3,
} portative_step_kind;

/// A part of a cycle.
typedef struct portative_step {
  uint32_t size;
  portative_step_kind kind;
  uint32_t begin;
  uint32_t end;
  /// NULL for other kinds of steps.
  const portative_event *event;
  /// NULL for other kinds of steps.
  const portative_transport *transport;
  /// The index of the parameter that changes.
  uint32_t parameter;
  /// Its new value, within its range.
  float value;
  /// The length of the ramp in frames; 0: no ramp.
  uint32_t ramp;
} portative_step;

/// Returns the next step of a cycle, so that every event takes effect on its exact frame. At each frame with events
/// come the transport, then parameter changes, then MIDI events; after these come the frames up to the next event.
///
/// A unit that does not read all steps misses the others, but its parameters follow their changes nevertheless.
///
/// @return NULL at the end of the cycle. Valid until the next call.
/// [render-thread & cycle]
const portative_step *portative_cycle_next(const portative_cycle *cycle);

/// Returns the value of a parameter at the frame of the current step. Only in `render`.
///
/// A value that a host has set without an offset takes effect at the beginning of the next cycle, without a step.
///
/// @return 0 if there is no such parameter.
/// [render-thread & cycle]
float portative_cycle_value(const portative_cycle *cycle, uint32_t index);

/// Returns the value of a parameter `frames` after the frame of the current step, if no change starts before that: a
/// ramp is exact at each frame. Only in `render`.
/// [render-thread & cycle]
float portative_cycle_value_after(const portative_cycle *cycle, uint32_t index, uint32_t frames);

/// Returns whether a ramp is in progress. If not, no value changes until the next step with a change. Only in `render`.
/// [render-thread & cycle]
bool portative_cycle_is_ramping(const portative_cycle *cycle);

/// Sends a MIDI message to the host, which receives it in the same cycle. Only in `render`.
///
/// Messages may be sent in any order of offsets; those with the same offset keep the order in which they were sent. The
/// library itself sends the host what keyboards play: a unit that forwarded it would send it twice.
///
/// @param offset The frame within the cycle; clamped to it.
/// @param bytes One complete message without running status; System Exclusive from F0 to F7.
/// @return `false` if there is no room until the next cycle, or the message is malformed. Accepted messages are never
///   lost.
/// [render-thread & cycle]
bool portative_cycle_send(const portative_cycle *cycle, uint32_t offset, const uint8_t *bytes, uint32_t count);

/// Sends an event, for instance one that was received from another node, at its own offset. As `portative_cycle_send`.
/// [render-thread & cycle]
bool portative_cycle_send_event(const portative_cycle *cycle, const portative_event *event);

/// Counts notes of this cycle that did not start on their frames because the unit was not ready for that many notes.
///
/// [render-thread & cycle]
void portative_cycle_count_late_notes(const portative_cycle *cycle, uint32_t count);

/// Reports that the unit makes progress with the cycle. An offline host gives up after 10 s without progress, unless
/// its user sets another limit.
/// [render-thread & cycle]
void portative_cycle_advance(const portative_cycle *cycle);

// ---- Unit

/// The library's side of a unit, for the unit's own threads. Valid until the unit's `free` is called. Threads: any.
typedef struct portative_unit portative_unit;

/// Returns the value of a parameter at the end of the last cycle, or the value that was set since then.
///
/// @return 0 if there is no such parameter.
/// [any-thread]
float portative_unit_value(const portative_unit *unit, uint32_t index);

/// Sets parameters from the next cycle on: all or, on an error, none. For instance when a user moves a control of the
/// node's window. Not before `make` has returned.
///
/// @return -1 on error: "badParameter" with the identifier and the range.
/// [any-thread]
int portative_unit_set_values(
    portative_unit *unit, const portative_value *values, uint32_t count, portative_error *error);

/// The conditions under which a unit will be rendered.
typedef struct portative_render_context {
  uint32_t size;
  /// Whether the host waits for each cycle without a deadline.
  bool is_offline;
  /// The SCHED_FIFO priority of the render thread, 1…99; 0: the default scheduler.
  int32_t priority;
  /// The library's side of the unit.
  portative_unit *unit;
} portative_render_context;

/// A number that a unit reports about itself.
typedef struct portative_unit_status {
  uint32_t size;
  uint32_t reserved;
  /// A short name in the plural, such as "voices". Copied.
  const char *name;
  int64_t value;
} portative_unit_status;

/// Receives the data of a unit's state.
typedef struct portative_data portative_data;

/// Appends bytes to a unit's state, which has at most 24 KiB. Threads: the thread that received `data`.
/// [main-thread]
void portative_data_append(portative_data *data, const void *bytes, size_t count);

/// The functions of a unit: an instrument or effect, prepared for one format.
///
/// A port makes a unit when a host initializes it, renders it on one thread, and frees it when the port is
/// uninitialized. So each host gets a new unit. A port may also make a unit to describe itself, and it makes one for each
/// of several hosts. Functions that are NULL are not called.
typedef struct portative_unit_functions {
  uint32_t size;
  /// The number of hosts that can have the port at the same time, each with a unit of its own on a render thread of its
  /// own. 0: one.
  uint32_t maximum_hosts;

  /// Makes a unit. May load files and take long. Required. Threads: a thread of its own.
  ///
  /// `source` is the pointer that was passed to `portative_node_publish`. The format has the rate and the numbers of
  /// channels that the host wants: a unit plays or refuses them. On failure set `error` with the code
  /// "unsupportedFormat" or "unitFailed" and a message for the host's user, and return NULL.
  /// [any-thread]
  void *(*make)(
      void *source, const portative_format *format, const portative_render_context *context, portative_error *error);

  /// Frees a unit. Required. No other function of the unit is running, and none is called afterwards.
  /// [any-thread]
  void (*free)(void *unit);

  /// Renders one cycle. Required. Realtime: yes; it must neither allocate, lock nor block.
  ///
  /// Returns whether `perform_deferred_work` should be called soon.
  /// [render-thread]
  bool (*render)(void *unit, const portative_cycle *cycle);

  /// Returns whether everything that the cycle needs is ready. If not, it has recorded what `perform_deferred_work`
  /// must prepare. Called before `render` if there is time left. NULL:
  /// always ready.
  /// [render-thread]
  bool (*is_ready)(void *unit, const portative_cycle *cycle);

  /// Prepares everything that the events of the next cycle need. Called before each cycle, but only offline:
  /// `is_offline` of the `portative_render_context`. The cycle has `frames`, and steps with events and frames. Threads:
  /// the render thread, but it may allocate.
  /// [render-thread & !realtime]
  void (*prepare)(void *unit, const portative_cycle *cycle);

  /// Does work that the render thread must not do, for example allocates memory for more notes. It should return within
  /// about a second. Not called offline. Threads: another thread, never two at once; the unit may render at the same
  /// time.
  /// [main-thread & !render-thread]
  void (*perform_deferred_work)(void *unit);

  // The following functions may be called while the unit renders. Threads: any except the render thread.

  /// Returns the delay from an event or input frame to the corresponding output, in frames. It may change; the host is
  /// notified within 0.25 s. NULL: 0.
  /// [any-thread & !render-thread]
  int64_t (*latency)(void *unit);

  /// Returns the number of frames for which the unit may sound after its input ends; -1: unknown. It may change. NULL:
  /// unknown.
  /// [any-thread & !render-thread]
  int64_t (*tail)(void *unit);

  /// Describes a parameter: sets the fields of `parameter`, which are 0 except `size`. Called once for each index from
  /// 0 on after `make`, until it returns `false`. Strings are copied. At most 1024 parameters.
  /// [any-thread & !render-thread]
  bool (*parameter)(void *unit, uint32_t index, portative_parameter *parameter);

  /// Describes a group of parameters, in the same way.
  /// [any-thread & !render-thread]
  bool (*parameter_group)(void *unit, uint32_t index, portative_parameter_group *group);

  /// Describes a preset, in the same way, whenever a host asks for the presets. Strings and values are copied.
  /// [any-thread & !render-thread]
  bool (*preset)(void *unit, uint32_t index, portative_preset *preset);

  /// Appends the state of the unit other than its parameters to `data`.
  /// [any-thread & !render-thread]
  void (*save)(void *unit, portative_data *data);

  /// Restores the state that `save` has appended; `count` is 0 for the state of a new unit. Returns 0; or -1 with a
  /// message for the host's user in `error` (code "badState"), and nothing has changed then.
  /// [any-thread & !render-thread]
  int (*restore)(void *unit, const uint8_t *data, size_t count, portative_error *error);

  /// Sets a figure about the unit for the user. Called for each index from 0 on, until it returns `false`; at most 64.
  /// [any-thread & !render-thread]
  bool (*status)(void *unit, uint32_t index, portative_unit_status *status);
} portative_unit_functions;

// ---- Node

/// A node: the process as hosts see it, with its ports. Threads: any.
///
/// Every connected host has its own thread for messages, and every initialized port its own render thread. So a port
/// that hangs, is parked or disconnects does not affect other ports.
typedef struct portative_node portative_node;

/// A port that a node publishes. Valid until the node is freed, even after the port was withdrawn. Threads: any.
typedef struct portative_node_port portative_node_port;

typedef enum portative_node_event_kind {
  /// A host has acquired the port.
  PORTATIVE_NODE_TAKEN = 0,
  /// The host has released the port.
  PORTATIVE_NODE_LEFT = 1,
  PORTATIVE_NODE_INITIALIZED = 2,
  /// The port was parked; `park_reason` is set.
  PORTATIVE_NODE_PARKED = 3,
  /// The unit did not return from rendering within 0.5 s after its render thread was asked to end.
  PORTATIVE_NODE_HANGS = 4,
  /// The port's host asks the node to show its window.
  PORTATIVE_NODE_SHOWN = 5,
  /// A host of another user was refused.
  PORTATIVE_NODE_REFUSED_STRANGER = 6,
  /// A host could not be accepted.
  PORTATIVE_NODE_NOT_ACCEPTED = 7,
} portative_node_event_kind;

/// An event of a node, for a log or a user interface. Valid only during the call that receives it.
typedef struct portative_node_event {
  uint32_t size;
  portative_node_event_kind kind;
  /// NULL if the event concerns no port.
  portative_node_port *port;
  /// The event as a line of English text.
  const char *text;
  /// The name of the host that has acquired or released the port; NULL for other events.
  const char *host;
  int32_t process_id;
  portative_park_reason park_reason;
} portative_node_event;

/// What `portative_node_create` needs. Only `name` is required.
typedef struct portative_node_options {
  uint32_t size;
  uint32_t reserved;
  /// The name of the node, which is also the name of its manifest: 1 to 64 bytes without `/` and without control,
  /// directional and invisible characters.
  const char *name;
  /// The path of an image that hosts can show.
  const char *icon;
  /// The address of further information.
  const char *url;
  /// The time in seconds after which a port whose host does not render is parked. 0: 2 s. Negative: never.
  double eviction_limit;
  /// Receives the node's events. Called on threads of the node, one call at a time. It must not stop or free the node.
  void (*on_event)(void *context, const portative_node_event *event);
  void *context;
} portative_node_options;

/// Claims a node's name and listens for hosts. Free the node with `portative_node_free`.
///
/// @return NULL on error: "nodeIsRunning" if another process has the name; "badDirectory" if the runtime folder is
///   unusable.
/// [any-thread]
portative_node *portative_node_create(const portative_node_options *options, portative_error *error);

/// Removes all ports, ends all connections and releases the name. The node cannot be started again. Waits up to 3 s for
/// render threads. Threads: any except those of the node.
/// [main-thread & !callback]
void portative_node_stop(portative_node *node);

/// Stops and frees the node. No function of it is called afterwards, except those of a unit that hangs or is still
/// being made: such a unit is freed when its function returns.
/// [main-thread & !callback]
void portative_node_free(portative_node *node);

/// Publishes a port. Hosts can connect to it as soon as the function returns.
///
/// @param port Must match the node's manifest, if it has one.
/// @param functions Copied.
/// @param source Passed to `make`. Must be valid until the node is freed.
/// @return NULL on error: "badManifest" if the port differs from the node's manifest; "publishedTwice"; "badArgument".
/// [any-thread]
portative_node_port *portative_node_publish(
    portative_node *node, const portative_port *port, const portative_unit_functions *functions, void *source,
    portative_error *error);

/// Removes a port. The hosts that have it lose the connection.
/// [any-thread]
void portative_node_withdraw(portative_node_port *port);

/// Checks ports against the node's manifest, as `portative_node_publish` does.
///
/// @return -1 on error: "badManifest" for the first port that differs.
/// [any-thread]
int portative_node_check(
    portative_node *node, const portative_port *const *ports, uint32_t count, portative_error *error);

/// Sets the name of the local output of ports without a host, as shown to users; NULL: none.
/// [any-thread]
void portative_node_set_sound(portative_node *node, const char *sound);

/// Returns the published ports and their state as JSON, as `portative_host_report` does. The caller frees the string.
/// [any-thread]
char *portative_node_report(portative_node *node);

/// Writes the manifest NAME.json, so that hosts can start the node. It replaces an existing file atomically. Needs no
/// node.
///
/// @param name The node's name.
/// @param command The program in PATH, or its absolute path, and its arguments.
/// @param command_count 1 or more.
/// @param ports The ports that the program will publish.
/// @param port_count 1 or more.
/// @param folder NULL: the user's folder, ~/.local/share/portative/nodes. For installation by a package, for example
///   "/usr/share/portative/nodes".
/// @return -1 on error: "badManifest" or "badArgument".
/// [any-thread]
int portative_manifest_write(
    const char *name, const char *const *command, uint32_t command_count, const portative_port *const *ports,
    uint32_t port_count, const char *folder, portative_error *error);

// ---- Port of a node

/// Returns the name of the connected host; NULL if there is none. The caller frees the string.
///
/// This function and the following ones refer to the first host, if the port has several.
///
/// @param process_id Receives the host's process ID; may be NULL.
/// [any-thread]
char *portative_node_port_host(const portative_node_port *port, int32_t *process_id);

/// Returns the names of the other ports to which the host is connected, as a JSON list. The caller frees the string.
/// [any-thread]
char *portative_node_port_peer_nodes(const portative_node_port *port);

/// Writes the format in which the host renders the port to `format`, whose `size` the caller has set.
///
/// @return `false` while the port is not initialized.
/// [any-thread]
bool portative_node_port_get_format(const portative_node_port *port, portative_format *format);

/// Writes the last transport of the last cycle to `transport`.
///
/// @return `false` while the host provides none.
/// [any-thread]
bool portative_node_port_get_transport(const portative_node_port *port, portative_transport *transport);

/// The result of a command.
typedef enum portative_answer {
  PORTATIVE_DONE = 0,
  /// The host supports the command but cannot carry it out now.
  PORTATIVE_NOT_NOW = 1,
  /// The host does not support this kind of command.
  PORTATIVE_IGNORED = 2,
  /// No host is connected to the port.
  PORTATIVE_NO_HOST = 3,
  /// The host did not answer within 1 s.
  PORTATIVE_NO_ANSWER = 4,
} portative_answer;

/// Sends a command to the host's transport, and waits for the response for up to 1 s. Threads: any except those of the
/// node.
/// [any-thread & !callback]
portative_answer portative_node_port_command(portative_node_port *port, const portative_command *command);

/// Asks the host to show its window.
/// [any-thread]
void portative_node_port_show_host(portative_node_port *port);

/// Sets the function that is called when a host acquires, releases, initializes or uninitializes the port, or sends the
/// names of its other ports.
///
/// @param changed Called on a thread of the node, one call at a time. It must not stop or free the node. NULL: none.
/// [any-thread]
void portative_node_port_on_change(
    portative_node_port *port, void (*changed)(void *context, portative_node_port *port), void *context);

/// Plays a message of a keyboard, or of the node's window, into the port, in addition to what the host plays. The host
/// receives it, too.
///
/// @param source The number of the keyboard or window: 1…63. Each has its own held keys.
/// @param time The time at which it was played, in nanoseconds of CLOCK_MONOTONIC.
/// @param bytes One complete message without running status; System Exclusive from F0 to F7.
/// @return `false` if there was no room, because the host has not rendered for some time, or the message is malformed.
/// [any-thread]
bool portative_node_port_play(
    portative_node_port *port, uint8_t source, int64_t time, const uint8_t *bytes, uint32_t count);

/// Ends a source that has disconnected, and no other: its keys, pedals, wheels and pressure return to rest.
/// [any-thread]
void portative_node_port_release(portative_node_port *port, uint8_t source, int64_t time);

/// Sets the names of the connected sources, as shown in reports.
/// [any-thread]
void portative_node_port_set_players(portative_node_port *port, const char *const *names, uint32_t count);

#ifdef __cplusplus
}
#endif
