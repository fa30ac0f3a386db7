// Prints the plugins as JSON: an array with an object for each.
#include "claphost.h"

static void print_string(const char *text) {
  putchar('"');
  for (const unsigned char *c = (const unsigned char *)(text ? text : ""); *c; c++)
    if (*c == '"' || *c == '\\') printf("\\%c", *c);
    else if (*c < ' ') printf("\\u%04x", *c);
    else putchar(*c);
  putchar('"');
}

static void print_field(const char *name, const char *text) {
  printf("\"%s\": ", name);
  print_string(text);
}

static void print_number(double number) {
  if (isfinite(number)) printf("%.17g", number);
  else printf("null");
}

static void print_audio_ports(const Instance *instance, int input) {
  for (int i = 0; i < instance->port_count[input]; i++) {
    const clap_audio_port_info_t *info = &instance->ports[input][i].info;
    printf("%s{\"id\": %u, ", i ? ", " : "", info->id);
    print_field("name", info->name);
    printf(", \"channels\": %u, \"main\": %s, ", info->channel_count,
           info->flags & CLAP_AUDIO_PORT_IS_MAIN ? "true" : "false");
    print_field("type", info->port_type);
    putchar('}');
  }
}

static void print_note_ports(const Instance *instance, bool input) {
  const clap_plugin_note_ports_t *ports = instance->extensions.note_ports;
  clap_note_port_info_t info;
  for (uint32_t i = 0;
       ports && i < ports->count(instance->plugin, input) && ports->get(instance->plugin, i, input, &info); i++) {
    printf("%s{\"id\": %u, ", i ? ", " : "", info.id);
    print_field("name", info.name);
    printf(", \"dialects\": %u, \"preferred\": %u}", info.supported_dialects, info.preferred_dialect);
  }
}

static void print_parameters(const Instance *instance) {
  const clap_plugin_params_t *params = instance->extensions.params;
  clap_param_info_t info;
  for (uint32_t i = 0; params && i < params->count(instance->plugin) && params->get_info(instance->plugin, i, &info);
       i++) {
    char text[256] = "";
    params->value_to_text(instance->plugin, info.id, info.default_value, text, sizeof text);
    printf("%s\n      {\"id\": %u, ", i ? "," : "", info.id);
    print_field("name", info.name);
    printf(", ");
    print_field("module", info.module);
    printf(", \"flags\": %u, \"min\": ", info.flags);
    print_number(info.min_value);
    printf(", \"max\": ");
    print_number(info.max_value);
    printf(", \"default\": ");
    print_number(info.default_value);
    printf(", \"value\": ");
    print_number(value_of(instance, info.id));
    printf(", ");
    print_field("text", text);
    putchar('}');
  }
}

static void print_plugin(const clap_plugin_descriptor_t *descriptor) {
  plugin_id = descriptor->id;
  Instance *instance = make_instance();
  initialize(instance);
  printf("  {");
  print_field("id", descriptor->id);
  printf(", ");
  print_field("name", descriptor->name);
  printf(", ");
  print_field("vendor", descriptor->vendor);
  printf(", ");
  print_field("version", descriptor->version);
  printf(",\n    \"features\": [");
  for (const char *const *each = descriptor->features; each && *each; each++) {
    if (each != descriptor->features) printf(", ");
    print_string(*each);
  }
  printf("],\n    \"audioInputs\": [");
  print_audio_ports(instance, INPUT);
  printf("],\n    \"audioOutputs\": [");
  print_audio_ports(instance, OUTPUT);
  printf("],\n    \"noteInputs\": [");
  print_note_ports(instance, true);
  printf("],\n    \"noteOutputs\": [");
  print_note_ports(instance, false);
  printf("],\n    \"params\": [");
  print_parameters(instance);
  printf("]}");
  close_instance(instance);
}

int list(void) {
  open_library();
  printf("[\n");
  for (uint32_t i = 0; i < library.factory->get_plugin_count(library.factory); i++) {
    if (i) printf(",\n");
    print_plugin(library.factory->get_plugin_descriptor(library.factory, i));
  }
  printf("\n]\n");
  library.entry->deinit();
  return 0;
}
