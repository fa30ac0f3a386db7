import Testing

@testable import MIDIFile

@Suite(.timeLimit(.minutes(5))) struct TrackMergeTests {
  /// Returns a track whose events contain the track's number and their index, as an escape of two bytes.
  private func track(_ number: UInt8, ticks: [Int64]) -> StandardMIDIFile.Track {
    StandardMIDIFile.Track(
      ticks.enumerated().map { .init(tick: $1, .escape([number, UInt8($0)])) })
  }

  private func merged(_ tracks: ArraySlice<StandardMIDIFile.Track>) -> [[UInt8]] {
    var (merge, order) = (TrackMerge(tracks), [[UInt8]]())
    while let (track, event) = merge.next() {
      guard case .escape(let bytes) = event.content else { continue }
      #expect(Int(bytes[0]) == track)
      order.append(bytes)
    }
    return order
  }

  @Test func `orders by tick, then by track, then as in the file`() {
    let tracks = [
      track(0, ticks: [0, 5, 5]), track(1, ticks: []), track(2, ticks: [0, 0, 5]),
      track(3, ticks: [4]),
    ]
    #expect(
      merged(tracks[...]) == [[0, 0], [2, 0], [2, 1], [3, 0], [0, 1], [0, 2], [2, 2]])
  }

  @Test func `keeps the numbers of a part of the tracks`() {
    let tracks = [track(0, ticks: [0]), track(1, ticks: [7]), track(2, ticks: [6])]
    #expect(merged(tracks[1...]) == [[2, 0], [1, 0]])
  }

  @Test func `is empty without tracks`() {
    #expect(merged([]).isEmpty)
    #expect(merged([track(0, ticks: [])]).isEmpty)
  }

  @Test func `agrees with a stable sort`() {
    var numbers = SeededNumbers(state: 4)
    for count in 1...40 {
      let tracks = (0..<count).map { number in
        let length = Int.random(in: 0...30, using: &numbers)
        return track(
          UInt8(number),
          ticks: (0..<length).map { _ in Int64.random(in: 0...20, using: &numbers) }.sorted())
      }
      let sorted = tracks.flatMap(\.events).enumerated()
        .sorted { ($0.element.tick, $0.offset) < ($1.element.tick, $1.offset) }
        .map { (_, event) -> [UInt8] in
          guard case .escape(let bytes) = event.content else { return [] }
          return bytes
        }
      #expect(merged(tracks[...]) == sorted)
    }
  }
}
