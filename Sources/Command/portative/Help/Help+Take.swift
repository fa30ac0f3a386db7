import Options

extension Help {
  static let take = HelpText(
    usage: [
      "portative take [OPTIONS] [DURATION] [PORT]"
    ],
    description: """
      Writes what keyboards have played on the sound device of portative serve to a
      MIDI file, each event on its frame: the last half hour, or as much as "takes" in
      the configuration says, or the last DURATION: 90, 90s, 5m, 1h or 1:30. The file
      begins with the first note: silence before it is left out. It has a track for
      each port that was played, or only that of PORT. What hosts play or keyboards
      play through a host is not recorded.

      The settings in force before the file begins are at its beginning, also if the
      messages that made them are no longer kept. Notes that began before are left
      out, and notes that are still held end with the file. If the device was closed
      and opened again in between, the file has all of it, in the time that passed.

      --audio renders it with the settings that were changed with portative set: each
      port and each sound of zones, at its level and place. The result has the bits
      that were heard, as long as the ports are played by keyboards only and nothing
      before the take still sounds. For a single instrument, take also shows the
      command that renders the file. Reverb and chorus depend on the time since the
      instrument began to render, so --audio takes it into account; with the command,
      use --keep-silence.
      """,
    options: TakeOptions.table.entries,
    remarks: """
      Without PORT, one node only may have been played.
      """,
    examples: """
      portative take
      portative take 5m -o idea.mid --audio idea.wav
      portative take 1:30 piano
      """)
}
