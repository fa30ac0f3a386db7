import Foundation

/// The LV2 plugins of `Tests/Support/lv2plugins`, built for this process.
package enum TestPlugins {
  package static let probe = "urn:portative:test:probe"

  /// Only its path is used, and only after it was made.
  nonisolated(unsafe) private static let folder = Result { try build() }

  /// The value of `LV2_PATH` with which these plugins are found, and no others.
  ///
  /// - Throws: If there is no C compiler.
  package static func path() throws -> String { try folder.get().path }

  /// Makes lilv find these plugins in this process, if it has not been used yet.
  package static func use() throws { setenv("LV2_PATH", try path(), 1) }

  private static func build() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let bundle = folder("test.lv2")
    try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
    for name in ["manifest.ttl", "plugins.ttl"] {
      try FileManager.default.copyItem(
        atPath: repositoryFile("Tests/Support/lv2plugins/\(name)"), toPath: "\(bundle)/\(name)")
    }
    // The names of classes of plugins.
    try FileManager.default.createSymbolicLink(
      atPath: folder("core.lv2"), withDestinationPath: "/usr/lib/lv2/core.lv2")
    let result = try ToolResult(
      of: "/usr/bin/env",
      [
        "gcc", "-shared", "-fPIC", "-O1", "-o", "\(bundle)/plugins.so",
        repositoryFile("Tests/Support/lv2plugins/plugins.c"),
      ])
    if result.status != 0 { throw CompilerError(text: result.text) }
    return folder
  }

  private struct CompilerError: Error { let text: String }
}
