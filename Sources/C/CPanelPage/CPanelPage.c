#include "CPanelPage.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t html[] = {
#embed "page/panel.html"
};
static const uint8_t css[] = {
#embed "page/panel.css"
};
static const uint8_t first_js[] = {
#embed "page/script/first.js"
};
// One script, of files with one idea each. Each may use at once what an earlier one defines.
static const uint8_t js[] = {
#embed "page/script/common/elements.js" suffix(,)
#embed "page/script/common/numbers.js" suffix(,)
#embed "page/script/common/canvas.js" suffix(,)
#embed "page/script/common/files.js" suffix(,)
#embed "page/script/server/code.js" suffix(,)
#embed "page/script/server/connection.js" suffix(,)
#embed "page/script/server/session.js" suffix(,)
#embed "page/script/server/admission.js" suffix(,)
#embed "page/script/server/ports.js" suffix(,)
#embed "page/script/play/presets.js" suffix(,)
#embed "page/script/play/scenes.js" suffix(,)
#embed "page/script/server/status.js" suffix(,)
#embed "page/script/monitor/log.js" suffix(,)
#embed "page/script/keyboard/held.js" suffix(,)
#embed "page/script/keyboard/layout.js" suffix(,)
#embed "page/script/keyboard/pointers.js" suffix(,)
#embed "page/script/keyboard/computer-keys.js" suffix(,)
#embed "page/script/keyboard/drawing.js" suffix(,)
#embed "page/script/keyboard/keys.js" suffix(,)
#embed "page/script/keyboard/trail.js" suffix(,)
#embed "page/script/keyboard/zones.js" suffix(,)
#embed "page/script/monitor/meters.js" suffix(,)
#embed "page/script/common/views.js" suffix(,)
#embed "page/script/edit/parameters.js" suffix(,)
#embed "page/script/edit/scales.js" suffix(,)
#embed "page/script/edit/parameter-control.js" suffix(,)
#embed "page/script/edit/learning.js" suffix(,)
#embed "page/script/edit/scene.js" suffix(,)
#embed "page/script/edit/state.js" suffix(,)
#embed "page/script/edit/zone-texts.js" suffix(,)
#embed "page/script/edit/zones.js" suffix(,)
#embed "page/script/edit/fields.js" suffix(,)
#embed "page/script/edit/zone.js" suffix(,)
#embed "page/script/edit/zone-curve.js" suffix(,)
#embed "page/script/edit/zone-parameters.js" suffix(,)
#embed "page/script/edit/zone-list.js" suffix(,)
#embed "page/script/edit/zone-bars.js" suffix(,)
#embed "page/script/monitor/report.js" suffix(,)
#embed "page/script/monitor/machine.js" suffix(,)
#embed "page/script/monitor/wiring.js" suffix(,)
#embed "page/script/takes/take.js" suffix(,)
#embed "page/script/takes/reading.js" suffix(,)
#embed "page/script/takes/writing.js" suffix(,)
#embed "page/script/takes/roll.js" suffix(,)
#embed "page/script/takes/selection.js" suffix(,)
#embed "page/script/takes/audio.js" suffix(,)
#embed "page/script/start.js" suffix(,)
};

const uint8_t *panel_html(void) { return html; }
size_t panel_html_size(void) { return sizeof html; }
const uint8_t *panel_css(void) { return css; }
size_t panel_css_size(void) { return sizeof css; }
const uint8_t *panel_first_js(void) { return first_js; }
size_t panel_first_js_size(void) { return sizeof first_js; }
const uint8_t *panel_js(void) { return js; }
size_t panel_js_size(void) { return sizeof js; }
