import Configuration

extension ManualPage {
  /// The page of the configuration file.
  static var configuration: ManualPage {
    var page = ManualPage(
      "portative.conf", section: 5, summary: "configuration of portative")
    page.add(
      "SYNOPSIS",
      """
      .Bl -tag -width Ds
      .It Pa ~/.config/portative/config.json
      The user's file, in
      .Ev XDG_CONFIG_HOME
      if that is set.
      .It Pa /etc/xdg/portative/config.json
      The system's file.
      .El
      """)
    page.add(
      "DESCRIPTION",
      Mdoc.paragraphs(
        """
        Both files are optional. A field of the user's file replaces that of the system's file; of midi and takes, each \
        field by itself. With --config FILE, portative serve reads FILE instead of both.

        A file is in JSON5: JSON with comments, trailing commas, and names without quotes. A relative path is relative to the \
        folder of the file, and ~/ is the home folder. An unknown field causes a warning that names similar ones.

        portative serve --check reports faults as FILE:LINE:COLUMN. On SIGHUP, a running server reads the files again: ports \
        that have not changed continue to play, and an unusable file has no effect. portative config shows what is in force, \
        and where each value comes from.
        """, placeholders: ["FILE", "FILE:LINE:COLUMN"]))
    for section in SettingsReference.sections {
      let items = section.fields.map { field in
        (
          "Cm \(Mdoc.argument(field.name)) : Ar \(Mdoc.escaped(field.value))",
          Mdoc.sentences(field.text)
        )
      }
      page.add(section.title, Mdoc.sentences(section.introduction) + "\n" + Mdoc.tagged(items))
    }
    page.add("EXAMPLES", Mdoc.literal(example))
    page.add(
      "SEE ALSO",
      references([
        ("portative-config", 1), ("portative-scene", 1), ("portative-serve", 1),
        ("portative-zones", 1),
      ]))
    return page
  }

  static let example = """
    // Two pianos in a split, and an echo.
    {
      soundfont: "~/Grand.sf2",
      ports: [
        { name: "Portative: Stage", subtype: "stag", keyboards: ["Nord*"],
          zones: [
            { keys: "..B3", preset: "Fretless Bass", mode: "mono" },
            { keys: "C4..", preset: "Grand Piano", velocity: "soft" },
          ] },
        { name: "Portative: Echo", subtype: "echo", unit: "delay",
          parameters: { feedback: 60 } },
      ],
      scenes: [
        { name: "Chorus", ports: { "Portative: Stage": { preset: "Slow Strings" } } },
      ],
      controls: [{ controller: 80, does: "nextScene" }],
    }
    """.split(separator: "\n").map(String.init)
}
