// What instances need of their host.
#pragma once
#include "claphost.h"

clap_host_t make_host(Instance *instance);
// Returns the list that takes what the plugin sends in one call.
clap_output_events_t output_list(Instance *instance);
