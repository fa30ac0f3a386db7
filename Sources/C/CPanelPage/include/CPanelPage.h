#pragma once

/// A file of the web panel, which is embedded in the program.
struct panel_file {
  const char *_Nullable name;
  /// UTF-8, as a text of C.
  const char *_Nullable text;
};

/// Returns the files. The last one has no name. Valid as long as the process.
const struct panel_file *_Nonnull panel_files(void);
