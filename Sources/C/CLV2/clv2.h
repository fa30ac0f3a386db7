#pragma once
#include <lv2/atom/atom.h>
#include <lv2/core/lv2.h>
#include <lv2/log/log.h>
#include <lv2/options/options.h>
#include <lv2/state/state.h>
#include <lv2/urid/urid.h>

/// Writes a line to the host's log. Swift cannot call functions with variable arguments.
static inline void clv2_log(const LV2_Log_Log *log, LV2_URID type, const char *line) {
  log->printf(log->handle, type, "%s\n", line);
}
