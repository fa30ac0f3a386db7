#pragma once
#include <cairo/cairo.h>
#include <stdbool.h>

// The libraries are loaded when a picture is drawn. Linking them with their dependencies would make each start of the
// program 25 % longer, and the program would not run on systems without them.

// Only pkg-config knows the path of Pango's headers. These are the declarations that the program uses, from Pango's
// reference.
typedef struct pango_font_map PangoFontMap;
typedef struct pango_font_family PangoFontFamily;
typedef struct pango_context PangoContext;
typedef struct pango_layout PangoLayout;
typedef struct pango_font_description PangoFontDescription;
enum { PANGO_ELLIPSIZE_NONE = 0, PANGO_ELLIPSIZE_END = 3, PANGO_SCALE = 1024 };

PangoFontMap *_Nullable pango_cairo_font_map_new(void);
void pango_cairo_context_set_font_options(PangoContext *_Nonnull, const cairo_font_options_t *_Nonnull);
void pango_cairo_show_layout(cairo_t *_Nonnull, PangoLayout *_Nonnull);
PangoContext *_Nullable pango_font_map_create_context(PangoFontMap *_Nonnull);
PangoFontDescription *_Nullable pango_font_description_from_string(const char *_Nonnull);
void pango_font_description_set_absolute_size(PangoFontDescription *_Nonnull, double);
void pango_font_description_free(PangoFontDescription *_Nullable);
PangoLayout *_Nullable pango_layout_new(PangoContext *_Nonnull);
void pango_layout_set_text(PangoLayout *_Nonnull, const char *_Nonnull, int length);
void pango_layout_set_font_description(PangoLayout *_Nonnull, const PangoFontDescription *_Nullable);
void pango_layout_set_single_paragraph_mode(PangoLayout *_Nonnull, int);
void pango_layout_set_width(PangoLayout *_Nonnull, int);
void pango_layout_set_ellipsize(PangoLayout *_Nonnull, int);
void pango_layout_get_size(PangoLayout *_Nonnull, int *_Nullable width, int *_Nullable height);
int pango_layout_get_baseline(PangoLayout *_Nonnull);

// Functions of Fontconfig and GLib, which Pango depends on.
typedef struct font_set {
  int nfont;
} FcFontSet;
int FcInit(void);
FcFontSet *_Nullable FcConfigGetFonts(void *_Nullable configuration, int set);
void g_object_unref(void *_Nullable);

#define DRAWING_FUNCTIONS(FUNCTION)                                                                \
  FUNCTION(cairo_create)                                                                           \
  FUNCTION(cairo_destroy)                                                                          \
  FUNCTION(cairo_fill)                                                                             \
  FUNCTION(cairo_font_options_create)                                                              \
  FUNCTION(cairo_font_options_destroy)                                                             \
  FUNCTION(cairo_font_options_set_antialias)                                                       \
  FUNCTION(cairo_font_options_set_hint_metrics)                                                    \
  FUNCTION(cairo_font_options_set_hint_style)                                                      \
  FUNCTION(cairo_image_surface_create)                                                             \
  FUNCTION(cairo_image_surface_get_data)                                                           \
  FUNCTION(cairo_image_surface_get_stride)                                                         \
  FUNCTION(cairo_move_to)                                                                          \
  FUNCTION(cairo_rectangle)                                                                        \
  FUNCTION(cairo_set_source_rgba)                                                                  \
  FUNCTION(cairo_status)                                                                           \
  FUNCTION(cairo_status_to_string)                                                                 \
  FUNCTION(cairo_surface_destroy)                                                                  \
  FUNCTION(cairo_surface_flush)                                                                    \
  FUNCTION(cairo_surface_mark_dirty)                                                               \
  FUNCTION(cairo_surface_write_to_png_stream)                                                      \
  FUNCTION(pango_cairo_context_set_font_options)                                                   \
  FUNCTION(pango_cairo_font_map_new)                                                               \
  FUNCTION(pango_cairo_show_layout)                                                                \
  FUNCTION(pango_font_description_free)                                                            \
  FUNCTION(pango_font_description_from_string)                                                     \
  FUNCTION(pango_font_description_set_absolute_size)                                               \
  FUNCTION(pango_font_map_create_context)                                                          \
  FUNCTION(pango_layout_get_baseline)                                                              \
  FUNCTION(pango_layout_get_size)                                                                  \
  FUNCTION(pango_layout_new)                                                                       \
  FUNCTION(pango_layout_set_ellipsize)                                                             \
  FUNCTION(pango_layout_set_font_description)                                                      \
  FUNCTION(pango_layout_set_single_paragraph_mode)                                                 \
  FUNCTION(pango_layout_set_text)                                                                  \
  FUNCTION(pango_layout_set_width)                                                                 \
  FUNCTION(FcInit)                                                                                 \
  FUNCTION(FcConfigGetFonts)                                                                       \
  FUNCTION(g_object_unref)

/// The functions with these names.
struct drawing_library {
#define FIELD(name) __typeof__(name) *_Nonnull name;
  DRAWING_FUNCTIONS(FIELD)
#undef FIELD
};

/// Loads the libraries if they are not loaded yet. They are never unloaded. Thread-safe.
///
/// Returns null if a library is not installed or lacks one of these functions.
const struct drawing_library *_Nullable cpangocairo_load(void);
