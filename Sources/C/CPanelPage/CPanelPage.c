#include "CPanelPage.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t html[] = {
#embed "page/panel.html"
};
static const uint8_t css[] = {
#embed "page/panel.css"
};
static const uint8_t js[] = {
#embed "page/panel.js"
};

const uint8_t *panel_html(void) { return html; }
size_t panel_html_size(void) { return sizeof html; }
const uint8_t *panel_css(void) { return css; }
size_t panel_css_size(void) { return sizeof css; }
const uint8_t *panel_js(void) { return js; }
size_t panel_js_size(void) { return sizeof js; }
