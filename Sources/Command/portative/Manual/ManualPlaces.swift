import Configuration

/// Files and environment variables, with the verbs that use them.
struct ManualPlace: Sendable {
  let name: String
  let text: String
  let verbs: Set<String>

  static let variables = [
    ManualPlace(
      "PORTATIVE_SOUNDFONT",
      "The SoundFont to play with. It takes precedence over the configuration.",
      ["render", "serve", "play", "try", "info", "take", "doctor", "config"]),
    ManualPlace(
      "XDG_CONFIG_HOME", "The folder of the user's configuration; the default is ~/.config.",
      ["render", "serve", "play", "try", "info", "scene", "doctor", "config"]),
    ManualPlace(
      "XDG_DATA_HOME, XDG_DATA_DIRS",
      "The folders in which node manifests and SoundFonts are found; the defaults are ~/.local/share, and "
        + "/usr/local/share and /usr/share.",
      ["render", "serve", "list", "play", "lv2", "config"]),
    ManualPlace(
      "XDG_MUSIC_DIR",
      "The folder in which the web panel makes the folder Portative for recordings; without it, they are in "
        + "~/.local/share/portative/recordings.", ["serve"]),
    ManualPlace(
      "XDG_STATE_HOME", "The folder of what the server stores; the default is ~/.local/state.",
      ["serve", "connect", "set"]),
    ManualPlace(
      "XDG_RUNTIME_DIR",
      "The folder in which running nodes and hosts find each other. It must belong to the user.",
      [
        "serve", "list", "info", "set", "scene", "panic", "take", "play", "connect", "remote",
        "lv2",
      ]),
    ManualPlace(
      "DISPLAY, WAYLAND_DISPLAY, BROWSER",
      "Where xdg-open shows the web panel. If none is set, the window of a plugin is opened by its host.",
      ["serve"]),
    ManualPlace(
      "LV2_PATH", "The folders in which LV2 hosts look for plugins, divided by colons.", ["lv2"]),
    ManualPlace(
      "NOTIFY_SOCKET", "Set by systemd, which is told when the server is ready.", ["serve"]),
    ManualPlace(
      "TMPDIR", "The folder of temporary files; the default is /tmp.", ["render", "play", "take"]),
  ]

  static let files = [
    ManualPlace(
      "~/.config/portative/config.json, /etc/xdg/portative/config.json",
      "The configuration of the user and of the system: portative.conf(5).",
      ["render", "serve", "play", "try", "info", "scene", "doctor", "config"]),
    ManualPlace(
      "~/.local/share/portative/nodes, /usr/share/portative/nodes",
      "Manifests of nodes that start when a host uses them.", ["serve", "list", "play", "lv2"]),
    ManualPlace(
      "~/.local/state/portative",
      "What the server stores: connections of keyboards (wiring.json), learned controls (controls.json), connections "
        + "in JACK's graph (jack.json), panels (panels.json).",
      ["serve", "connect", "set"]),
    ManualPlace(
      "$XDG_RUNTIME_DIR/portative", "Sockets and records of running nodes.",
      ["serve", "list"]),
    ManualPlace(
      "/usr/share/portative/SoundFonts/Portative.sf2",
      "The SoundFont that is played if there is no other.",
      ["render", "serve", "play", "try", "info"]),
    ManualPlace(
      "/usr/share/portative/schemas", "JSON schemas of what --json, --report and --labels write.",
      ["render", "info", "list", "config"]),
  ]

  private init(_ name: String, _ text: String, _ verbs: Set<String>) {
    self.name = name
    self.text = text
    self.verbs = verbs
  }

  /// - Parameter verb: The verb whose places are listed; `nil` for all.
  static func list(_ places: [ManualPlace], macro: String, of verb: String?) -> String {
    let items = places.filter { verb.map($0.verbs.contains) ?? true }.map {
      place -> (String, String) in
      let names = place.name.split(separator: ", ").map { "\(macro) \(Mdoc.escaped($0))" }
      return (names.joined(separator: " , "), Mdoc.sentences(place.text))
    }
    return Mdoc.tagged(items)
  }
}
