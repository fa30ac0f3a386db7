#pragma once
#include <lv2/atom/atom.h>
#include <lv2/core/lv2.h>
#include <lv2/log/log.h>
#include <lv2/options/options.h>
#include <lv2/state/state.h>
#include <lv2/ui/ui.h>
#include <lv2/urid/urid.h>

/// The interface `http://ardour.org/lv2/midnam#interface`, by which Ardour asks for the names of presets and notes. The
/// texts are the host's until it releases them.
typedef struct {
  /// A MIDI name document, or null.
  char *(*document)(LV2_Handle instance);
  /// The model in the document, which no other instance has.
  char *(*model)(LV2_Handle instance);
  void (*release)(char *text);
} clv2_midi_names;

/// The widget of a user interface outside of the host's windows: `http://kxstudio.sf.net/ns/lv2ext/external-ui`.
typedef struct clv2_external_ui {
  void (*run)(struct clv2_external_ui *widget);
  void (*show)(struct clv2_external_ui *widget);
  void (*hide)(struct clv2_external_ui *widget);
} clv2_external_ui;

/// Writes a line to the host's log. Swift cannot call functions with variable arguments.
static inline void clv2_log(const LV2_Log_Log *log, LV2_URID type, const char *line) {
  log->printf(log->handle, type, "%s\n", line);
}
