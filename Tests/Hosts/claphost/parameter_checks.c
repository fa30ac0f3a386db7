// Checks of what the plugin says of its parameters.
#include "claphost.h"

static bool ends(const char *text, size_t size) { return memchr(text, 0, size); }

static void check_info(const clap_param_info_t *info, uint32_t index) {
  expect(info->id != CLAP_INVALID_ID, "parameter %u has the invalid ID", index);
  expect(ends(info->name, sizeof info->name) && ends(info->module, sizeof info->module),
         "parameter %u: a text has no end", index);
  expect(*info->name || info->flags & CLAP_PARAM_IS_HIDDEN, "parameter %u has no name", index);
  expect(isfinite(info->min_value) && isfinite(info->max_value), "%s: the range is %g to %g", info->name,
         info->min_value, info->max_value);
  expect(info->min_value <= info->max_value, "%s: the range is %g to %g", info->name, info->min_value, info->max_value);
  expect(info->default_value >= info->min_value && info->default_value <= info->max_value,
         "%s: the default %g is not within %g to %g", info->name, info->default_value, info->min_value,
         info->max_value);
  expect(!(info->flags & CLAP_PARAM_IS_ENUM) || info->flags & CLAP_PARAM_IS_STEPPED,
         "%s is an enumeration without steps", info->name);
  expect(!(info->flags & CLAP_PARAM_IS_READONLY && info->flags & CLAP_PARAM_IS_AUTOMATABLE),
         "%s is read-only and automatable", info->name);
  if (info->flags & CLAP_PARAM_IS_STEPPED)
    expect(info->min_value == trunc(info->min_value) && info->max_value == trunc(info->max_value) &&
               info->default_value == trunc(info->default_value),
           "%s: a stepped range of %g to %g, default %g", info->name, info->min_value, info->max_value,
           info->default_value);
  if (info->flags & CLAP_PARAM_IS_BYPASS)
    expect(info->flags & CLAP_PARAM_IS_STEPPED && info->min_value == 0 && info->max_value == 1, "%s is no switch",
           info->name);
  static const uint32_t parts[] = {CLAP_PARAM_IS_AUTOMATABLE, CLAP_PARAM_IS_MODULATABLE};
  for (int i = 0; i < 2; i++)
    for (int kind = 1; kind <= 4; kind++)
      expect(!(info->flags & parts[i] << kind) || info->flags & parts[i], "%s has flags %#x", info->name, info->flags);
}

static void parameters_are_consistent(void) {
  Instance *instance = inactive_instance();
  Parameters all = parameters(instance);
  const clap_plugin_params_t *params = instance->extensions.params;
  int bypasses = 0;
  for (uint32_t i = 0; i < all.count; i++) {
    const clap_param_info_t *info = &all.infos[i];
    check_info(info, i);
    bypasses += !!(info->flags & CLAP_PARAM_IS_BYPASS);
    for (uint32_t k = 0; k < i; k++) expect(all.infos[k].id != info->id, "two parameters have the ID %u", info->id);
    double value = value_of(instance, info->id);
    expect(value >= info->min_value && value <= info->max_value, "%s is %g, outside %g to %g", info->name, value,
           info->min_value, info->max_value);
    clap_param_info_t again;
    memset(&again, 0x5A, sizeof again);
    expect(params->get_info(instance->plugin, i, &again), "parameter %u is not described again", i);
    expect(again.id == info->id && again.flags == info->flags && again.cookie == info->cookie &&
               !strcmp(again.name, info->name) && !strcmp(again.module, info->module) &&
               again.min_value == info->min_value && again.max_value == info->max_value &&
               again.default_value == info->default_value,
           "%s: another call describes it otherwise", info->name);
  }
  expect(bypasses <= 1, "there are %d parameters for bypass", bypasses);
  clap_param_info_t info;
  expect(!params->get_info(instance->plugin, all.count, &info), "there is a parameter behind the last one");
  expect(!params->get_info(instance->plugin, UINT32_MAX, &info), "there is a parameter at -1");
  remark("%u parameters", all.count);
  close_instance(instance);
}

static clap_id unknown_id(Parameters all) {
  for (clap_id id = 0xDEADBEEF;; id++) {
    bool used = false;
    for (uint32_t i = 0; i < all.count; i++) used |= all.infos[i].id == id;
    if (!used) return id;
  }
}

static void an_unknown_parameter_has_no_value(void) {
  Instance *instance = inactive_instance();
  Parameters all = parameters(instance);
  const clap_plugin_params_t *params = instance->extensions.params;
  double value;
  char text[64];
  clap_id id = unknown_id(all);
  expect(!params->get_value(instance->plugin, id, &value), "the unknown parameter %u has a value", id);
  expect(!params->get_value(instance->plugin, CLAP_INVALID_ID, &value), "the invalid parameter has a value");
  expect(!params->value_to_text(instance->plugin, id, 0, text, sizeof text), "the unknown parameter %u has a text", id);
  expect(!params->text_to_value(instance->plugin, id, "0", &value), "a text is a value of the unknown parameter %u",
         id);
  close_instance(instance);
}

static void values_are_the_defaults_at_first(void) {
  Instance *instance = inactive_instance();
  Parameters all = parameters(instance);
  for (uint32_t i = 0; i < all.count; i++) {
    const clap_param_info_t *info = &all.infos[i];
    if (info->flags & CLAP_PARAM_IS_READONLY) continue;
    double value = value_of(instance, info->id);
    expect(same_value(info, value, info->default_value), "%s is %.17g, and its default is %.17g", info->name, value,
           info->default_value);
  }
  close_instance(instance);
}

// MARK: Texts

// Writes a value's text; returns whether there is one.
static bool write_text(const Instance *instance, const clap_param_info_t *info, double value, char *text,
                       uint32_t size) {
  memset(text, 'x', size);
  if (!instance->extensions.params->value_to_text(instance->plugin, info->id, value, text, size)) return false;
  expect(ends(text, size), "%s: the text of %g has no end", info->name, value);
  expect(*text || !(info->flags & CLAP_PARAM_IS_ENUM), "%s: the text of %g is empty", info->name, value);
  return true;
}

// A text that is read has the same text again. Values may be rounded in texts.
static void texts_of_values_are_read_back(void) {
  Instance *instance = inactive_instance();
  Parameters all = parameters(instance);
  uint32_t written = 0, read = 0, tried = 0;
  for (uint32_t i = 0; i < all.count; i++) {
    const clap_param_info_t *info = &all.infos[i];
    bool stepped = info->flags & CLAP_PARAM_IS_STEPPED;
    double steps = info->max_value - info->min_value;
    int count = stepped && steps < 200 ? (int)steps + 1 : 20;
    for (int k = 0; k < count; k++) {
      double value = count == 20 ? (k == 0   ? info->min_value
                                    : k == 1 ? info->max_value
                                             : random_value(info))
                                 : info->min_value + k;
      char text[256], again[256];
      tried++;
      if (!write_text(instance, info, value, text, sizeof text)) continue;
      written++;
      double parsed = NAN;
      if (!instance->extensions.params->text_to_value(instance->plugin, info->id, text, &parsed)) continue;
      read++;
      expect(isfinite(parsed), "%s: \"%s\" is read as %g", info->name, text, parsed);
      if (stepped) {
        expect(fabs(parsed - value) < 0.5, "%s: \"%s\", the text of %g, is read as %g", info->name, text, value,
               parsed);
        continue;
      }
      double slack = 0.02 * steps;
      expect(parsed >= info->min_value - slack && parsed <= info->max_value + slack,
             "%s: \"%s\" is read as %g, outside the range", info->name, text, parsed);
      if (!write_text(instance, info, fmin(fmax(parsed, info->min_value), info->max_value), again, sizeof again))
        continue;
      // The text of a rounded value may be rounded another time, but only by one step of the last digit.
      if (strcmp(text, again)) {
        double twice = NAN;
        instance->extensions.params->text_to_value(instance->plugin, info->id, again, &twice);
        expect(fabs(twice - parsed) <= slack, "%s: \"%s\" is read as %g, whose text is \"%s\"", info->name, text,
               parsed, again);
      }
    }
  }
  expect(written == 0 || written == tried, "only %u of %u values have a text", written, tried);
  expect(read == 0 || read == tried, "only %u of %u texts are read", read, tried);
  remark("%u values of %u parameters", read, all.count);
  close_instance(instance);
}

static void texts_fit_into_their_buffers(void) {
  Instance *instance = inactive_instance();
  Parameters all = parameters(instance);
  for (uint32_t i = 0; i < all.count; i++)
    for (uint32_t size = 1; size <= 8; size++) {
      // Memory ends here.
      char *text = (char *)guarded_end(size) - size;
      if (instance->extensions.params->value_to_text(instance->plugin, all.infos[i].id, all.infos[i].max_value, text,
                                                     size))
        expect(ends(text, size), "%s: a text in %u bytes has no end", all.infos[i].name, size);
      if (i > 100) break;
    }
  close_instance(instance);
}

static void garbage_is_no_value(void) {
  Instance *instance = inactive_instance();
  Parameters all = parameters(instance);
  char long_text[4096];
  memset(long_text, '9', sizeof long_text);
  long_text[sizeof long_text - 1] = 0;
  const char *const texts[] = {"", " ", "garbage", "nan", "inf", "-inf", "1e999", "0x", "\xFF\xFE", "%s%n", long_text};
  for (uint32_t i = 0; i < all.count; i++)
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
      double value = 0;
      if (instance->extensions.params->text_to_value(instance->plugin, all.infos[i].id, texts[k], &value))
        expect(isfinite(value), "%s: \"%.20s\" is read as %g", all.infos[i].name, texts[k], value);
    }
  static const double values[] = {NAN, INFINITY, -INFINITY, 1e300, -1e300};
  char text[256];
  for (uint32_t i = 0; i < all.count; i++)
    for (int k = 0; k < 5; k++) write_text(instance, &all.infos[i], values[k], text, sizeof text);
  close_instance(instance);
}

const Check parameter_checks[] = {
    CHECK(parameters_are_consistent),
    CHECK(an_unknown_parameter_has_no_value),
    CHECK(values_are_the_defaults_at_first),
    CHECK(texts_of_values_are_read_back),
    CHECK(texts_fit_into_their_buffers),
    CHECK(garbage_is_no_value),
    {0},
};
