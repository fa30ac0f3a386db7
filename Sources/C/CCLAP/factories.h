/// What a shared object offers: plugins, presets, and what changes these lists.
#pragma once
#include "plugin.h"

// MARK: Plugins

#define CLAP_PLUGIN_FACTORY_ID "clap.plugin-factory"

/// Any thread.
typedef struct clap_plugin_factory {
  uint32_t (*get_plugin_count)(const struct clap_plugin_factory *factory);
  /// Returns a descriptor that stays valid until `deinit`, or null if there is none at the index.
  const clap_plugin_descriptor_t *(*get_plugin_descriptor)(const struct clap_plugin_factory *factory, uint32_t index);
  /// Returns an instance, or null if the ID is unknown or the host's version is not compatible. It calls no function of
  /// the host.
  const clap_plugin_t *(*create_plugin)(const struct clap_plugin_factory *factory, const clap_host_t *host,
                                        const char *plugin_id);
} clap_plugin_factory_t;

// MARK: Changes of the list of plugins

/// A draft: hosts may ignore it.
#define CLAP_PLUGIN_INVALIDATION_FACTORY_ID "clap.plugin-invalidation-factory/1"

/// Files whose changes may change the list of plugins.
typedef struct clap_plugin_invalidation_source {
  /// An absolute path.
  const char *directory;
  /// A pattern with `*` and `?` in the files' names.
  const char *filename_glob;
  bool recursive_scan;
} clap_plugin_invalidation_source_t;

typedef struct clap_plugin_invalidation_factory {
  uint32_t (*count)(const struct clap_plugin_invalidation_factory *factory);
  const clap_plugin_invalidation_source_t *(*get)(const struct clap_plugin_invalidation_factory *factory,
                                                  uint32_t index);
  /// Reads the list again after a change. After false, the host must load the shared object again.
  bool (*refresh)(const struct clap_plugin_invalidation_factory *factory);
} clap_plugin_invalidation_factory_t;

// MARK: Presets

#define CLAP_PRESET_DISCOVERY_FACTORY_ID "clap.preset-discovery-factory/2"
/// The same structures under the ID of the draft, which older hosts ask for.
#define CLAP_PRESET_DISCOVERY_FACTORY_ID_COMPAT "clap.preset-discovery-factory/draft-2"

/// Seconds since 1970.
typedef uint64_t clap_timestamp;

static const clap_timestamp CLAP_TIMESTAMP_UNKNOWN = 0;

enum {
  /// The location is the path of a file or, in declarations, of a folder.
  CLAP_PRESET_DISCOVERY_LOCATION_FILE = 0,
  /// The shared object contains the presets; the location is null.
  CLAP_PRESET_DISCOVERY_LOCATION_PLUGIN = 1,
};

enum {
  CLAP_PRESET_DISCOVERY_IS_FACTORY_CONTENT = 1 << 0,
  CLAP_PRESET_DISCOVERY_IS_USER_CONTENT = 1 << 1,
  CLAP_PRESET_DISCOVERY_IS_DEMO_CONTENT = 1 << 2,
  CLAP_PRESET_DISCOVERY_IS_FAVORITE = 1 << 3,
};

/// A plugin of any interface.
typedef struct clap_universal_plugin_id {
  /// "clap", "vst3", "lv2" and others.
  const char *abi;
  const char *id;
} clap_universal_plugin_id_t;

/// Takes what a provider finds in a file. One thread at a time.
typedef struct clap_preset_discovery_metadata_receiver {
  void *receiver_data;
  void (*on_error)(const struct clap_preset_discovery_metadata_receiver *receiver, int32_t os_error,
                   const char *error_message);
  /// Precedes what concerns a preset. Name and key are mandatory if the file contains several. After false, the
  /// provider sends no more.
  bool (*begin_preset)(const struct clap_preset_discovery_metadata_receiver *receiver, const char *name,
                       const char *load_key);
  void (*add_plugin_id)(const struct clap_preset_discovery_metadata_receiver *receiver,
                        const clap_universal_plugin_id_t *plugin_id);
  void (*set_soundpack_id)(const struct clap_preset_discovery_metadata_receiver *receiver, const char *soundpack_id);
  /// Without this call, the preset has the flags of its location.
  void (*set_flags)(const struct clap_preset_discovery_metadata_receiver *receiver, uint32_t flags);
  void (*add_creator)(const struct clap_preset_discovery_metadata_receiver *receiver, const char *creator);
  void (*set_description)(const struct clap_preset_discovery_metadata_receiver *receiver, const char *description);
  void (*set_timestamps)(const struct clap_preset_discovery_metadata_receiver *receiver, clap_timestamp creation_time,
                         clap_timestamp modification_time);
  /// A feature of a plugin, or another word.
  void (*add_feature)(const struct clap_preset_discovery_metadata_receiver *receiver, const char *feature);
  void (*add_extra_info)(const struct clap_preset_discovery_metadata_receiver *receiver, const char *key,
                         const char *value);
} clap_preset_discovery_metadata_receiver_t;

typedef struct clap_preset_discovery_filetype {
  const char *name;
  /// May be null.
  const char *description;
  /// Without the dot. Null or empty: every file.
  const char *file_extension;
} clap_preset_discovery_filetype_t;

/// Where the host looks for files with presets.
typedef struct clap_preset_discovery_location {
  uint32_t flags;
  const char *name;
  /// `CLAP_PRESET_DISCOVERY_LOCATION_…`
  uint32_t kind;
  const char *location;
} clap_preset_discovery_location_t;

/// Presets that belong together. All strings but ID and name may be null.
typedef struct clap_preset_discovery_soundpack {
  uint32_t flags;
  const char *id;
  const char *name;
  const char *description;
  const char *homepage_url;
  const char *vendor;
  const char *image_path;
  clap_timestamp release_timestamp;
} clap_preset_discovery_soundpack_t;

typedef struct clap_preset_discovery_provider_descriptor {
  clap_version_t clap_version;
  const char *id;
  const char *name;
  /// May be null.
  const char *vendor;
} clap_preset_discovery_provider_descriptor_t;

/// One thread at a time.
typedef struct clap_preset_discovery_provider {
  const clap_preset_discovery_provider_descriptor_t *desc;
  void *provider_data;
  /// The first call: declares types of files, locations and packs to the indexer.
  bool (*init)(const struct clap_preset_discovery_provider *provider);
  void (*destroy)(const struct clap_preset_discovery_provider *provider);
  /// Sends what a file contains to the receiver. It is fast.
  bool (*get_metadata)(const struct clap_preset_discovery_provider *provider, uint32_t location_kind,
                       const char *location, const clap_preset_discovery_metadata_receiver_t *metadata_receiver);
  const void *(*get_extension)(const struct clap_preset_discovery_provider *provider, const char *extension_id);
} clap_preset_discovery_provider_t;

/// The host's side of a provider. No function is called before the provider's `init`; each copies what it takes.
typedef struct clap_preset_discovery_indexer {
  clap_version_t clap_version;
  const char *name;
  /// These may be null.
  const char *vendor;
  const char *url;
  const char *version;
  void *indexer_data;
  // Each returns false for a declaration that is not valid.
  bool (*declare_filetype)(const struct clap_preset_discovery_indexer *indexer,
                           const clap_preset_discovery_filetype_t *filetype);
  bool (*declare_location)(const struct clap_preset_discovery_indexer *indexer,
                           const clap_preset_discovery_location_t *location);
  bool (*declare_soundpack)(const struct clap_preset_discovery_indexer *indexer,
                            const clap_preset_discovery_soundpack_t *soundpack);
  const void *(*get_extension)(const struct clap_preset_discovery_indexer *indexer, const char *extension_id);
} clap_preset_discovery_indexer_t;

/// Any thread.
typedef struct clap_preset_discovery_factory {
  uint32_t (*count)(const struct clap_preset_discovery_factory *factory);
  const clap_preset_discovery_provider_descriptor_t *(*get_descriptor)(
      const struct clap_preset_discovery_factory *factory, uint32_t index);
  /// Returns a provider, which the host destroys, or null if the ID is unknown.
  const clap_preset_discovery_provider_t *(*create)(const struct clap_preset_discovery_factory *factory,
                                                    const clap_preset_discovery_indexer_t *indexer,
                                                    const char *provider_id);
} clap_preset_discovery_factory_t;
