import Foundation

/// The LV2 plugins of `Tests/Support/lv2plugins`, built for this process.
package enum TestPlugins {
  package static let probe = "urn:portative:test:probe"
  package static let sampler = "urn:portative:test:sampler"

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
    for name in ["plugins.ttl", "kit.txt"] {
      try FileManager.default.copyItem(
        atPath: repositoryFile("Tests/Support/lv2plugins/\(name)"), toPath: "\(bundle)/\(name)")
    }
    let manifest = try String(
      contentsOfFile: repositoryFile("Tests/Support/lv2plugins/manifest.ttl"), encoding: .utf8)
    try write("\(bundle)/manifest.ttl", manifest + manyPresets { _ in "rdfs:seeAlso <many.ttl>" })
    try write("\(bundle)/many.ttl", many)
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

  private static func write(_ path: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path))
  }

  private static let prefixes = """
    @prefix doap: <http://usefulinc.com/ns/doap#> .
    @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
    @prefix pset: <http://lv2plug.in/ns/ext/presets#> .
    @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .

    """

  /// The presets of a plugin that has 1000, each with what `about` returns.
  private static func manyPresets(_ about: (Int) -> String) -> String {
    (1...1000).map {
      "<urn:portative:test:many#\($0)> a pset:Preset ; lv2:appliesTo <urn:portative:test:many> ; \(about($0)) .\n"
    }.joined()
  }

  /// The description of a plugin with 500 controls.
  private static var many: String {
    let controls = (1...500).map {
      "[ a lv2:InputPort , lv2:ControlPort ; lv2:index \($0) ; lv2:symbol \"c\($0)\" ; lv2:name \"C\($0)\" ; "
        + "lv2:default 0 ; lv2:minimum 0 ; lv2:maximum 1 ]"
    }
    return prefixes + "<urn:portative:test:many> a lv2:Plugin ; doap:name \"Many\" ; lv2:port "
      + "[ a lv2:OutputPort , lv2:AudioPort ; lv2:index 0 ; lv2:symbol \"out\" ; lv2:name \"Out\" ] , "
      + controls.joined(separator: " , ") + " .\n"
      + manyPresets {
        "rdfs:label \"P\($0)\" ; lv2:port [ lv2:symbol \"c1\" ; pset:value \(Double($0) / 1000) ]"
      }
  }

  /// Writes bundles that are damaged into a folder: a manifest that is no Turtle, a description that is none, a library that is
  /// none, and a user interface without a plugin.
  package static func writeDamaged(to folder: String) throws {
    func plugin(_ name: String) -> String {
      "<urn:portative:test:\(name)> a lv2:Plugin ; lv2:binary <plugin.so> ; rdfs:seeAlso <plugin.ttl> .\n"
    }
    let description =
      "doap:name \"Unreadable\" ; lv2:port [ a lv2:OutputPort , lv2:AudioPort ; lv2:index 0 ; lv2:symbol \"out\" ; "
      + "lv2:name \"Out\" ] , [ a lv2:InputPort , lv2:AudioPort ; lv2:index 1 ; lv2:symbol \"in\" ; lv2:name \"In\" ] .\n"
    let files = [
      "broken.lv2/manifest.ttl": prefixes + plugin("broken").replacing(" ;", with: " ["),
      "damaged.lv2/manifest.ttl": prefixes + plugin("damaged"),
      "damaged.lv2/plugin.ttl": prefixes + "<urn:portative:test:damaged> a lv2:Plugin ; \"",
      "damaged.lv2/plugin.so": "",
      "unreadable.lv2/manifest.ttl": prefixes + plugin("unreadable"),
      "unreadable.lv2/plugin.ttl": prefixes + "<urn:portative:test:unreadable> a lv2:Plugin ; "
        + description,
      "unreadable.lv2/plugin.so": "This is not a library.",
      "window.lv2/manifest.ttl":
        "<urn:portative:test:window> a <http://lv2plug.in/ns/extensions/ui#X11UI> .\n",
    ]
    for (path, text) in files {
      let path = "\(folder)/\(path)"
      try FileManager.default.createDirectory(
        atPath: URL(filePath: path).deletingLastPathComponent().path(),
        withIntermediateDirectories: true)
      try write(path, text)
    }
  }

  private struct CompilerError: Error { let text: String }
}
