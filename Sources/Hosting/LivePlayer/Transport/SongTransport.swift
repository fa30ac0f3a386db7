package import MIDIFile
package import RenderCore

/// The transport of a host's song, advanced cycle by cycle.
///
/// It is initially stopped at the start of the song. Changes take effect at the first frame of the next cycle. If
/// ``end`` is set, the song stops there; otherwise beats continue in the last tempo and time signature.
///
/// Every position is calculated from its frame by the song's ``BeatMap``, never accumulated, so that no drift occurs.
/// A song whose ticks are fractions of time code has no beats: its points provide only the state and the song frame,
/// and the beats of jumps and loops are half a second long.
///
/// Realtime: no; it does not allocate after the longest cycle. Threads: one at a time.
package struct SongTransport {
  package private(set) var map: BeatMap
  /// The song's frame at which the next cycle starts.
  package private(set) var frame: Int64 = 0
  package private(set) var isPlaying = false
  package var isRecording = false
  /// The loop; `nil` if there is none.
  package private(set) var loop: SongLoop?
  /// The segments of the cycle of the last ``advance(by:)``, in order, tiling it.
  package private(set) var segments: [SongSegment] = []
  /// The transports of that cycle: the first at offset 0, and one at each jump of the song and each change of tempo or
  /// time signature.
  package private(set) var points: [TransportPoint] = []
  /// Whether the song was started or has jumped since the last cycle.
  private var isEntry = true

  /// The frame at which the song stops by itself, unless it is already beyond it. A loop across this frame is played to
  /// the end of the loop.
  package var end: Int64?

  /// ``end``; `nil` if a loop crosses it.
  private var stopFrame: Int64? {
    guard let end else { return nil }
    if let loop, loop.frames.lowerBound < end, end < loop.frames.upperBound { return nil }
    return end
  }

  /// The next frame at which the song jumps back to the beginning of its loop or stops by itself; `nil` if there is none.
  var courseEnd: Int64? {
    [loop?.frames.upperBound, stopFrame].compactMap(\.self).filter { $0 > frame }.min()
  }

  package init(_ map: BeatMap) { self.map = map }

  /// Whether the song has stopped by itself at its end.
  package var isOver: Bool { !isPlaying && frame == end }

  /// The beat at which the next cycle starts.
  package var beat: Double { map.beat(at: frame) }

  /// Plays from the start.
  ///
  /// - Parameter countIn: The number of bars before the song, in its first tempo and time signature. The song starts
  ///   after them, on the nearest frame.
  package mutating func start(countIn: Int = 0) {
    let signature = map.bar(at: 0).signature
    jump(toFrame: map.frame(ofBeat: -Double(max(0, countIn)) * Meter(signature).barLength))
    isPlaying = true
  }

  /// Stops at the present position.
  package mutating func stop() { isPlaying = false }

  /// Plays from the present position.
  package mutating func `continue`() {
    if isPlaying { return }
    isPlaying = true
    isEntry = true
  }

  /// Jumps to the start, and continues playing if it plays.
  package mutating func rewind() { jump(toFrame: 0) }

  /// Jumps to the frame nearest to a beat, and continues playing if it plays.
  package mutating func jump(toBeat beat: Double) { jump(toFrame: map.frame(ofBeat: beat)) }

  /// Jumps to a frame, and continues playing if it plays.
  package mutating func jump(toFrame frame: Int64) {
    self.frame = frame
    isEntry = true
  }

  /// Sets a loop: the song jumps to `start` whenever it reaches `end`. If it is already beyond the end, it continues.
  ///
  /// - Throws: ``LoopError``; the loop is then unchanged.
  package mutating func setLoop(from start: Double, to end: Double) throws(LoopError) {
    loop = try SongLoop(from: start, to: end, map)
  }

  /// Continues in another version of the song, with the same beats.
  ///
  /// - Parameters:
  ///   - frame: The frame with which the next cycle begins. It is not entered by a jump.
  ///   - end: See ``end``.
  package mutating func change(to map: BeatMap, at frame: Int64, end: Int64?) {
    (self.map, self.frame, self.end) = (map, frame, end)
    loop = loop.flatMap { try? SongLoop(from: $0.beats.lowerBound, to: $0.beats.upperBound, map) }
  }

  package mutating func endLoop() { loop = nil }

  /// Advances over a cycle, and sets ``segments`` and ``points``.
  ///
  /// - Parameter frames: 1 or more.
  package mutating func advance(by frames: Int) {
    segments.removeAll(keepingCapacity: true)
    points.removeAll(keepingCapacity: true)
    var offset = 0
    while offset < frames {
      var count = frames - offset
      if isPlaying, let loop, frame < loop.frames.upperBound {
        count = Int(min(Int64(count), loop.frames.upperBound - frame))
      }
      if isPlaying, let stopFrame, frame < stopFrame {
        count = Int(min(Int64(count), stopFrame - frame))
      }
      let segment = SongSegment(
        offset: offset, frames: count, begin: frame, isPlaying: isPlaying, isEntry: isEntry)
      segments.append(segment)
      appendPoints(of: segment)
      isEntry = false
      frame = segment.end
      offset += count
      if isPlaying, let loop, frame == loop.frames.upperBound {
        jump(toFrame: loop.frames.lowerBound)
      } else if let stopFrame, frame == stopFrame {
        isPlaying = false
      }
    }
  }

  private mutating func appendPoints(of segment: SongSegment) {
    var position = segment.begin
    repeat {
      let offset = segment.offset + Int(position - segment.begin)
      points.append(TransportPoint(offset: UInt32(offset), transport(at: position)))
      guard let change = map.change(after: position) else { return }
      position = change
    } while position < segment.end
  }

  /// Returns the transport at a frame of the song.
  package func transport(at frame: Int64) -> Transport {
    var transport = Transport(provides: map.isNominal ? [.state, .songFrame] : .all)
    transport.isPlaying = isPlaying
    transport.isRecording = isRecording
    transport.songFrame = frame
    let bar = map.bar(at: frame)
    transport.beat = map.beat(at: frame)
    transport.tempo = map.tempo(at: frame)
    transport.meter = Meter(bar.signature)
    transport.barStart = bar.start
    if let loop {
      transport.isLooping = true
      transport.loopStart = loop.beats.lowerBound
      transport.loopEnd = loop.beats.upperBound
    }
    return transport
  }
}

extension Meter {
  package init(_ signature: TimeSignature) {
    self.init(UInt16(signature.numerator), 1 << UInt16(signature.denominatorPower))
  }
}

extension SongTransport {
  /// Returns the beat at which the bar `bars` bars away starts, but not before the song.
  ///
  /// - Parameter bars: −1 is the start of the current bar, or of the previous bar if less than a beat of the current
  ///   one has passed.
  package func beat(barsAway bars: Int64) -> Double {
    let here = map.bar(at: frame)
    let isInside = map.beat(at: frame) > here.start + Meter(here.signature).beatLength
    return map.beat(ofBar: max(1, here.number + (bars < 0 && isInside ? bars + 1 : bars)))
  }
}
