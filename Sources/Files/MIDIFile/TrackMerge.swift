/// Merges the events of several tracks: sorted by tick, then by track, then in file order.
struct TrackMerge {
  private struct Head {
    var tick: Int64
    var track: Int

    func isBefore(_ other: Head) -> Bool {
      tick != other.tick ? tick < other.tick : track < other.track
    }
  }

  private let tracks: ArraySlice<StandardMIDIFile.Track>
  /// The index of each track's next event.
  private var nextIndex: [Int]
  /// A heap of the tracks with remaining events: no head is before its parent, which is at half its index.
  private var heads: [Head] = []

  init(_ tracks: ArraySlice<StandardMIDIFile.Track>) {
    self.tracks = tracks
    nextIndex = Array(repeating: 0, count: tracks.count)
    for (index, track) in zip(tracks.indices, tracks) {
      if let first = track.events.first { heads.append(Head(tick: first.tick, track: index)) }
    }
    for index in stride(from: heads.count / 2 - 1, through: 0, by: -1) { sink(from: index) }
  }

  /// Returns the next event and its track; `nil` at the end.
  mutating func next() -> (track: Int, event: StandardMIDIFile.Event)? {
    guard let head = heads.first else { return nil }
    let slot = head.track - tracks.startIndex
    let index = nextIndex[slot]
    let event = tracks[head.track].events[index]
    nextIndex[slot] = index + 1
    if index + 1 < tracks[head.track].events.count {
      heads[0].tick = tracks[head.track].events[index + 1].tick
    } else {
      let last = heads.removeLast()
      if heads.isEmpty { return (head.track, event) }
      heads[0] = last
    }
    sink(from: 0)
    return (head.track, event)
  }

  private mutating func sink(from start: Int) {
    var parent = start
    let head = heads[parent]
    while true {
      var child = 2 * parent + 1
      guard child < heads.count else { break }
      if child + 1 < heads.count, heads[child + 1].isBefore(heads[child]) { child += 1 }
      guard heads[child].isBefore(head) else { break }
      heads[parent] = heads[child]
      parent = child
    }
    heads[parent] = head
  }
}
