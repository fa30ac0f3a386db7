import Options

extension Help {
  static let play = HelpText(
    usage: [
      "portative play [OPTIONS] SONG.mid"
    ],
    description: """
      Plays a song through ports of nodes, each event on its exact frame, and writes
      the result to a file or plays it on a sound device. Nodes that are not running
      are started. - is standard input.
      """,
    options: PlayOptions.table.entries,
    remarks: """
      If two nodes have ports with the same name, add the node: organ/Flutes. Effects
      that accept MIDI receive that of the song. On a terminal, keys control the
      transport; ? lists them. Nodes can control it with portative remote. With
      --audio, late cycles are counted, and reported at the end.

      If a node or the sound device disappears during playback, the song continues
      without it, and uses it again when it is back. A node with a manifest is started
      again. After --patience, playback ends. A recording keeps the song's time, with
      silence where a node was missing. If the device comes back with another rate,
      the recording ends and another one begins.
      """,
    examples: """
      portative serve &
      portative play -o song.wav --effect delay song.mid
      portative play --audio default --metronome --loop-bars 5-8 song.mid
      portative play --node "General MIDI" --audio none --cycle 64 song.mid
      """)
}
