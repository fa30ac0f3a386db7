import Options

extension Help {
  static let doctor = HelpText(
    usage: [
      "portative doctor [--json]",
      "portative doctor --latency INPUT [OPTIONS]",
    ],
    description: """
      Checks whether this machine is ready to play: keyboards, sound, SoundFonts and
      realtime priority. Each problem is shown with its remedy. The exit code is 1 if
      playing would fail.

      With --latency, it measures the time from a key to its sound: it plays clicks
      as serve does, and records them. Connect the output to the input with a cable,
      and disconnect loudspeakers and headphones.
      """,
    options: DoctorOptions.table.entries,
    examples: """
      portative doctor
      portative doctor --latency hw:1 --audio hw:1 --period 64
      portative doctor --latency hw:Loopback,1 --audio hw:Loopback,0   # snd-aloop
      """)
}
