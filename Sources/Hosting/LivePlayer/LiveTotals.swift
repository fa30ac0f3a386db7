import SongHost

/// The problems of all hosts of a song, added up.
struct LiveTotals {
  private var unplanned = 0
  private var delayed = 0
  private var refused = 0
  private var unrecorded = 0

  mutating func add(_ host: LiveHost) {
    unplanned += host.figures.underruns
    delayed += host.delayedEvents
    refused += host.figures.refusedEvents
    unrecorded += host.recordBuffer.refused
  }

  /// The problems as sentences, with the remedy.
  var warnings: [String] {
    func sentence(_ count: Int, _ one: String, _ many: String, _ text: String) -> [String] {
      count > 0 ? ["\(count) \(count == 1 ? one : many) \(text)"] : []
    }
    return sentence(
      unplanned, "time", "times",
      "the song stood still, for the machine was too busy: use longer cycles (--cycle)")
      + sentence(delayed, "event", "events", "came late, for there were too many at once")
      + sentence(
        refused, "event", "events", "left out, for a node was late and had no more room")
      + sentence(
        unrecorded, "frame", "frames", "missing in what was recorded: the disk was too slow")
  }
}
