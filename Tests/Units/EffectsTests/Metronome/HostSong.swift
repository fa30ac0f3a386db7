import RenderCore

/// A song as a host plays it, in integer arithmetic: the reference for the positions of its beats.
///
/// Positions are in quarter notes / ``unit``. In this unit, all beats are integers, and so are all positions
/// at multiples of half a frame for tempi in thousandths of a beat per minute and slopes of 1/1024 of that
/// per frame.
struct HostSong {
  /// A part of the song with one tempo and one slope.
  struct Segment {
    /// The first frame in the stream.
    let begin: Int
    let frames: Int
    let position: Int128
    /// The tempo in thousandths of a beat per minute.
    let tempo: Int
    /// The slope in thousandths of a beat per minute per 1024 frames.
    let slope: Int
    let meter: Meter
    let barStart: Int128
    let isPlaying: Bool
    /// Whether the song jumps here instead of continuing.
    let isJump: Bool
    /// Returns the position `halves` half frames after the beginning.
    func position(halves: Int) -> Int128 {
      if !isPlaying { return position }
      let (halves, tempo, slope) = (Int128(halves), Int128(tempo), Int128(slope))
      return position + halves * tempo * 4096 + slope * halves * halves
    }
  }

  struct Click: Equatable {
    let frame: Int
    let beginsBar: Bool
    let isWhole: Bool
  }

  let sampleRate: Int
  private(set) var segments: [Segment] = []
  private(set) var frames = 0

  init(sampleRate: Int) { self.sampleRate = sampleRate }

  var unit: Int128 { 60 * Int128(sampleRate) * 1000 * 8192 }

  /// The position at the end.
  var position: Int128 {
    segments.last.map { $0.position(halves: 2 * $0.frames) } ?? 0
  }

  /// - Parameters:
  ///   - tempo: The tempo in thousandths of a beat per minute.
  ///   - position: The new position, or `nil` to continue.
  mutating func add(
    frames: Int, tempo: Int, slope: Int = 0, meter: Meter? = nil, at position: Int128? = nil,
    isJump: Bool = false, barStart: Int128? = nil, isPlaying: Bool = true
  ) {
    let last = segments.last
    segments.append(
      Segment(
        begin: self.frames, frames: frames, position: position ?? self.position, tempo: tempo,
        slope: slope, meter: meter ?? last?.meter ?? Meter(),
        barStart: barStart ?? last?.barStart ?? 0,
        isPlaying: isPlaying, isJump: isJump || segments.isEmpty || last?.isPlaying == false))
    self.frames += frames
  }

  /// Returns the clicks by their definition: each beat is on the first frame whose middle is past it.
  func clicks(parts: Int = 1, countIn: Bool = false) -> [Click] {
    var clicks: [Click] = []
    var passed: Int128 = 0
    for segment in segments where segment.isPlaying {
      if segment.isJump { passed = segment.position(halves: -1) }
      let step = unit * 4 / Int128(segment.meter.unit) / Int128(parts)
      let count = Int128(segment.meter.count) * Int128(parts)
      let end = segment.position(halves: 2 * segment.frames - 1)
      var line = (passed - segment.barStart).dividedUp(by: step)
      while segment.barStart + line * step < end {
        let beat = segment.barStart + line * step
        // The first frame whose middle is past the beat.
        var (low, high) = (0, segment.frames - 1)
        while low < high {
          let middle = (low + high) / 2
          if segment.position(halves: 2 * middle + 1) > beat {
            high = middle
          } else {
            low = middle + 1
          }
        }
        if beat >= 0 || countIn {
          clicks.append(
            Click(
              frame: segment.begin + low, beginsBar: line % count == 0,
              isWhole: line % Int128(parts) == 0))
        }
        line += 1
      }
      passed = max(passed, end)
    }
    return clicks
  }

  /// Returns the host's transports in a cycle.
  func points(from begin: Int, frames: Int) -> [TransportPoint] {
    var points: [TransportPoint] = []
    // Find the segment in which the cycle begins.
    var (low, high) = (0, segments.count - 1)
    while low < high {
      let middle = (low + high + 1) / 2
      if segments[middle].begin <= begin { low = middle } else { high = middle - 1 }
    }
    for segment in segments[low...] {
      if segment.begin >= begin + frames { break }
      let place = max(segment.begin, begin)
      points.append(TransportPoint(offset: UInt32(place - begin), transport(segment, place)))
    }
    return points
  }

  private func transport(_ segment: Segment, _ frame: Int) -> Transport {
    let offset = frame - segment.begin
    let position = segment.position(halves: 2 * offset)
    let bar = unit * 4 / Int128(segment.meter.unit) * Int128(segment.meter.count)
    let bars = max(0, (position - segment.barStart) / bar)
    var transport = Transport()
    transport.isPlaying = segment.isPlaying
    transport.meter = segment.meter
    transport.beat = Double(position) / Double(unit)
    transport.tempo = Double(segment.tempo) / 1000 + Double(segment.slope * offset) / 1_024_000
    transport.tempoSlope = Double(segment.slope) / 1_024_000
    transport.barStart = Double(segment.barStart + bars * bar) / Double(unit)
    return transport
  }
}

extension Int128 {
  fileprivate func dividedUp(by divisor: Int128) -> Int128 {
    let whole = self / divisor
    return whole * divisor < self ? whole + 1 : whole
  }
}
