import Configuration
import PluginBundles
import LocalSystem
import NodeProtocol

/// The verb `lv2`: the LV2 plugins that play ports, for hosts such as Ardour.
enum LV2Command {
  /// - Parameter arguments: The arguments after `lv2`.
  static func run(_ arguments: [String]) throws -> ExitCode {
    let options = try LV2Options(arguments: arguments)
    switch options.action {
    case nil: return try Command.write(Help.lv2)
    case .list: return try list(options)
    case .install:
      let code = try PluginInstallation(
        folder: folder(options), library: PluginLibrary.find(options.library),
        omitsSoundFonts: options.omitsSoundFonts, isQuiet: options.isJSON
      ).run(options.nodes)
      try linkCLAP(options)
      if options.isJSON { _ = try list(options) }
      return code
    case .remove:
      try remove(options)
      return options.isJSON ? try list(options) : .done
    }
  }

  /// Makes CLAP hosts find the plugins, unless the user has chosen a folder.
  private static func linkCLAP(_ options: LV2Options) throws {
    guard options.folder == nil, let link = CLAPLink(), let library = CLAPLink.library() else {
      return
    }
    if try link.install(library), !options.isJSON {
      try Command.write("Wrote \(link.path), the same plugins for CLAP hosts\n")
    }
  }

  private static func folder(_ options: LV2Options) throws(Failure) -> BundleFolder {
    guard let path = options.folder ?? PluginFolders.user() else {
      throw Failure(.failed, "there is no home folder: set HOME, or name a folder with --folder")
    }
    return BundleFolder(path)
  }

  private static func list(_ options: LV2Options) throws -> ExitCode {
    let contents = ComponentRegistry().contents()
    for problem in contents.problems { Terminal.complain(problem.message) }
    let folders = options.folder.map { [$0] } ?? PluginFolders.all()
    let list = PluginList(folders.flatMap { BundleFolder($0).bundles }, contents.components)
    return try Command.write(options.isJSON ? list.jsonLines : list.text)
  }

  private static func remove(_ options: LV2Options) throws {
    let folder = try folder(options)
    let bundles = folder.bundles
    for node in options.nodes where !bundles.contains(where: { $0.node == node }) {
      throw Failure.usage(
        "there is no bundle of the node '\(node)' in '\(folder.path)': "
          + (bundles.isEmpty
            ? "there is none of any node" : "there is one of \(names(bundles))"))
    }
    let removed = bundles.filter { options.nodes.isEmpty || options.nodes.contains($0.node) }
    if removed.isEmpty { Terminal.note("there is no bundle in \(folder.path)") }
    for bundle in removed {
      try folder.remove(bundle)
      if !options.isJSON { try Command.write("Removed \(bundle.path)\n") }
    }
    if options.folder == nil, folder.bundles.isEmpty, let link = CLAPLink(), link.remove(),
      !options.isJSON
    {
      try Command.write("Removed \(link.path)\n")
    }
  }

  private static func names(_ bundles: [InstalledBundle]) -> String {
    bundles.map { "'\($0.node)'" }.joined(separator: ", ")
  }
}

extension Help {
  static let lv2 = HelpText(
    usage: [
      "portative lv2 list [--json] [--folder DIR]",
      "portative lv2 install [OPTIONS] [NODE …]",
      "portative lv2 remove [--folder DIR] [NODE …]",
    ],
    description: """
      Installs LV2 and CLAP plugins, with which hosts such as Ardour and Bitwig play
      ports. There is a plugin for each port of a node, with the port's name,
      parameters and presets, and an LV2 bundle for each node that hosts can start.
      The CLAP plugins are those of the bundles: ~/.clap/portative.clap lists them.

      install starts the nodes and acquires each of their ports for a moment. Run it
      again after a node's ports, parameters or SoundFont have changed. Without NODE,
      it installs all nodes that have a manifest, and remove removes the bundles of
      all nodes. list shows the installed plugins, in the folders of $LV2_PATH or in
      those where hosts look by default, and the ports that have none.
      """,
    options: LV2Options.table.entries,
    remarks: """
      A bundle is replaced or removed only if portative wrote it.
      """,
    examples: """
      portative lv2 install
      portative lv2 install organ
      portative lv2 remove
      """)
}
