import BatchRenderer

extension PlannedSong {
  /// One line for each file, such as `would write out/a.wav`.
  var text: String {
    files.map {
      "would \($0.replaces ? "replace" : "write") \(Terminal.plain($0.path))\n"
    }.joined()
  }
}
