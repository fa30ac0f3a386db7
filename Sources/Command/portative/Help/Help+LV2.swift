import Options

extension Help {
  static let lv2 = HelpText(
    usage: [
      "portative lv2 list [--json] [--folder DIR]",
      "portative lv2 install [OPTIONS] [NODE …]",
      "portative lv2 remove [--folder DIR] [NODE …]",
    ],
    description: """
      Installs LV2 plugins, with which hosts such as Ardour play ports. There is a
      plugin for each port of a node, with the port's name, parameters and presets,
      and a bundle for each node that hosts can start.

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
