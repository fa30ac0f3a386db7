import Configuration

/// The problems of all hosts and devices of a song, added up.
struct LiveTotals {
  private var underruns = 0
  private var delayed = 0
  private var refused = 0

  mutating func add(_ host: LiveHost) {
    underruns += host.figures.underruns
    delayed += host.delayedEvents
    refused += host.figures.refusedEvents
  }

  /// The problems as sentences, with the remedy.
  var warnings: [String] {
    let busy = "use longer cycles (--cycle), or close other programs"
    let sentences = [
      (
        underruns,
        "the song paused \(counted(underruns, "time")), because the machine was busy: \(busy)"
      ),
      (
        delayed,
        "\(counted(delayed, "event")) late, because one cycle had more events than it can hold"
      ),
      (refused, "\(counted(refused, "event")) dropped, because a node was late: \(busy)"),
    ]
    return sentences.filter { $0.0 > 0 }.map(\.1)
  }
}
