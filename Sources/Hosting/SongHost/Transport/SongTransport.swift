package import MIDIFile
package import RenderCore

/// Where a host's song is, cycle after cycle.
///
/// It stands at the song's beginning until told to play. What it is told holds from the next cycle's first frame.
/// Where the song is over it stands still, if it is told where that is; else beats go on in the last tempo and meter.
///
/// Every position is that of its frame in the song's ``BeatMap``, never a sum of what went before, so that
/// nothing drifts. A song whose ticks are parts of time code has no beats to tell: its points provide state and
/// song frame only, while jumps and loops are given in beats of half a second.
///
/// Realtime: no; it does not allocate once it has seen its longest cycle. Threads: one at a time.
package struct SongTransport {
  package let map: BeatMap
  /// The song's frame at which the next cycle begins.
  package private(set) var frame: Int64 = 0
  package private(set) var isPlaying = false
  package var isRecording = false
  /// What is looped, if anything is.
  package private(set) var loop: SongLoop?
  /// What the song is in the cycle that ``advance(by:)`` was called for last: in order, tiling it.
  package private(set) var stretches: [SongSegment] = []
  /// Its transport: the first at offset 0, one at every offset at which the song leaps, or its tempo or meter
  /// changes.
  package private(set) var points: [TransportPoint] = []
  /// Whether the song was started or sent elsewhere since the last cycle.
  private var isEntry = true

  /// The frame at which the song stops by itself, unless it is beyond it. A loop that goes on past it is played to
  /// the loop's own end.
  package var end: Int64?

  /// ``end``, unless it is looped over.
  private var stopFrame: Int64? {
    guard let end else { return nil }
    if let loop, loop.frames.lowerBound < end, end < loop.frames.upperBound { return nil }
    return end
  }

  package init(_ map: BeatMap) { self.map = map }

  /// The beat at which the next cycle begins.
  package var beat: Double { map.beat(at: frame) }

  /// Plays from the beginning.
  ///
  /// - Parameter countIn: Bars before it, in the first tempo and meter: the song begins after so many, on the
  ///   nearest frame.
  package mutating func start(countIn: Int = 0) {
    let signature = map.bar(at: 0).signature
    go(to: map.frame(ofBeat: -Double(max(0, countIn)) * Meter(signature).barLength))
    isPlaying = true
  }

  /// Stands still, where it is.
  package mutating func stop() { isPlaying = false }

  /// Plays from where it stands.
  package mutating func `continue`() {
    if isPlaying { return }
    isPlaying = true
    isEntry = true
  }

  /// Goes back to the beginning, and plays on if it plays.
  package mutating func rewind() { go(to: 0) }

  /// Goes to the frame nearest to a beat, and plays on if it plays.
  package mutating func jump(toBeat beat: Double) { go(to: map.frame(ofBeat: beat)) }

  /// Goes to a frame, and plays on if it plays.
  package mutating func jump(toFrame frame: Int64) { go(to: frame) }

  /// Goes back to `start` whenever it comes to `end`. A song that is beyond the end already plays on.
  ///
  /// - Throws: ``LoopError``; the loop is then as it was.
  package mutating func setLoop(from start: Double, to end: Double) throws(LoopError) {
    loop = try SongLoop(from: start, to: end, map)
  }

  package mutating func endLoop() { loop = nil }

  private mutating func go(to frame: Int64) {
    self.frame = frame
    isEntry = true
  }

  /// Goes through a cycle, which is then in ``stretches`` and ``points``.
  ///
  /// - Parameter frames: 1 or more.
  package mutating func advance(by frames: Int) {
    stretches.removeAll(keepingCapacity: true)
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
      let stretch = SongSegment(
        offset: offset, frames: count, begin: frame, isPlaying: isPlaying, isEntry: isEntry)
      stretches.append(stretch)
      appendPoints(of: stretch)
      isEntry = false
      frame = stretch.end
      offset += count
      if isPlaying, let loop, frame == loop.frames.upperBound {
        go(to: loop.frames.lowerBound)
      } else if let stopFrame, frame == stopFrame {
        isPlaying = false
      }
    }
  }

  private mutating func appendPoints(of stretch: SongSegment) {
    var place = stretch.begin
    repeat {
      let offset = stretch.offset + Int(place - stretch.begin)
      points.append(TransportPoint(offset: UInt32(offset), transport(at: place)))
      guard let change = map.change(after: place) else { return }
      place = change
    } while place < stretch.end
  }

  /// What a host says of the song at a frame.
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
