import Options

extension Help {
  static let panic = HelpText(
    usage: [
      "portative panic [PORT]"
    ],
    description: """
      Ends everything that sounds in real time, on a port or on all: notes, held keys
      and pedals, reverb and echoes, and songs that portative play plays. The settings
      remain, and the next note sounds as usual. Files that are being rendered are not
      affected.
      """,
    options: PanicOptions.table.entries)
}
