#pragma once
#include <stddef.h>
#include <stdint.h>

// The files of the web panel, which are embedded in the program. Valid as long as the process.

const uint8_t *_Nonnull panel_html(void);
size_t panel_html_size(void);
const uint8_t *_Nonnull panel_css(void);
size_t panel_css_size(void);
const uint8_t *_Nonnull panel_first_js(void);
size_t panel_first_js_size(void);
const uint8_t *_Nonnull panel_js(void);
size_t panel_js_size(void);
