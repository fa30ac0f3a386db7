import RenderCore

/// The events, transports and segments of a song over more or fewer frames than it has, because the song follows another
/// tempo.
///
/// Offsets are rounded to the nearest frame. Without a change of length, nothing changes.
struct StretchedCycle {
  private(set) var events: [MIDIEvent]
  private(set) var points: [TransportPoint]
  private(set) var segments: [SongSegment]

  /// - Parameters:
  ///   - events: Those of the song, with offsets less than `length`.
  ///   - song: Its transports and segments over `length` frames.
  ///   - frames: The length in which they are played, 1 or more.
  ///   - tempo: The tempo in which the song is played; `nil`: its own.
  init(
    _ events: UnsafeBufferPointer<MIDIEvent>, _ song: SongTransport, length: Int, frames: Int,
    tempo: Double?
  ) {
    func offset(_ offset: Int) -> Int {
      length == frames ? offset : min(frames - 1, (2 * offset * frames + length) / (2 * length))
    }
    self.events = events.map { event in
      MIDIEvent(offset: UInt32(offset(Int(event.offset))), content: event.content)
    }
    points = []
    for point in song.points {
      var transport = point.transport
      if let tempo { transport.tempo = tempo }
      let point = TransportPoint(offset: UInt32(offset(Int(point.offset))), transport)
      if points.last?.offset == point.offset { points.removeLast() }
      points.append(point)
    }
    segments = []
    for (index, segment) in song.segments.enumerated() {
      let isLast = index + 1 == song.segments.count
      let begin = offset(segment.offset)
      let end = isLast ? frames : offset(segment.offset + segment.frames)
      if end == begin { continue }
      segments.append(
        SongSegment(
          offset: begin, frames: end - begin, begin: segment.begin, isPlaying: segment.isPlaying,
          isEntry: segment.isEntry))
    }
  }
}
