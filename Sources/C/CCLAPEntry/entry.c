#include "../CCLAP/plugin.h"

bool portative_clap_begin(const char *path);
void portative_clap_end(void);
const void *portative_clap_factory(const char *identifier);

const clap_plugin_entry_t clap_entry = {
    .clap_version = {CLAP_VERSION_MAJOR, CLAP_VERSION_MINOR, CLAP_VERSION_REVISION},
    .init = portative_clap_begin,
    .deinit = portative_clap_end,
    .get_factory = portative_clap_factory,
};
