// Providers of presets.
#pragma once
#include "claphost.h"

// Each ends the check if there is no factory of presets.
const clap_preset_discovery_factory_t *preset_factory(void);
// Makes a provider that is not initialized. The caller destroys it.
const clap_preset_discovery_provider_t *make_provider(uint32_t index);
void initialize_provider(const clap_preset_discovery_provider_t *provider);
const clap_preset_discovery_provider_t *unknown_provider(const char *id);
// Reads a file's presets, checks them, and returns their number.
uint32_t read_metadata(const clap_preset_discovery_provider_t *provider, uint32_t kind, const char *location,
                       bool *success);
