import Options

extension Help {
  static let config = HelpText(
    usage: ["portative config [OPTIONS]"],
    description: """
      Shows the settings that portative serve and render would use, and where each
      comes from: an option, an environment variable, FILE:LINE:COLUMN of a
      configuration file, a search, or the default. Also shows which configuration
      files were read, and the folders in use.
      """,
    options: ConfigOptions.table.entries,
    exitCodes: [
      ExitStatus(0, "success"), ExitStatus(2, "wrong usage"),
      ExitStatus(3, "a configuration file is unusable"),
      ExitStatus(5, "SoundFont missing or unusable; the settings are shown"),
    ],
    examples: """
      portative config
      portative config --config Organ.json
      PORTATIVE_SOUNDFONT=Grand.sf2 portative config --json
      """)
}
