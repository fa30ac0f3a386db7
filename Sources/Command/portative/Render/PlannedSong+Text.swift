import BatchRenderer

extension PlannedSong {
  /// A line for each file: `would write out/a.wav`.
  var text: String {
    files.map {
      "would \($0.replaces ? "replace" : "write") \(Terminal.plain($0.path))\n"
    }.joined()
  }
}
