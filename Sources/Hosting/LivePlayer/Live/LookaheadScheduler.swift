import LiveAudio
import LocalSystem
import MIDIFile
import RenderCore
import Synchronization

/// Schedules the cycles of a song, a few cycles ahead of the render thread.
///
/// Realtime: no. Threads: any; it has its own scheduling thread.
///
/// `@unchecked Sendable`: the transport and the song are protected by a lock; the ring belongs to its thread.
final class LookaheadScheduler: @unchecked Sendable {
  let ring: LookaheadRing
  /// The render thread must not use the ring any more when it is released.
  private let memory = RenderMemory()
  private let song: Mutex<Song>
  private let sysEx: UnsafeBufferPointer<UInt8>
  private let frames: Int
  private let isStopping = Atomic(false)
  private var thread: SystemThread?

  private struct Song {
    var transport: SongTransport
    var cursor: SongCursor
    /// Events that exceeded the capacity of earlier cycles.
    var waiting: [ScheduledCycle.Event] = []
    var delayed = 0
    /// A bit for each chain whose instruments are new and lack the song's settings.
    var newChains: UInt64 = 0
    var tail = RecordedTail()
    /// The number of the cycle before which all must have been rendered for a recording to be complete.
    var recordedUntil: UInt32?
    /// The Link session that the song follows.
    var link: LinkedTransport?
    /// The number of frames scheduled so far.
    var scheduledFrames: Int64 = 0
    /// The request by which the song is where it is, and whether it still stands there.
    var course: UInt32 = 0
    var isCueing = false
  }

  private let figures: LiveFigures
  private let cue: CueRequest?

  /// - Parameters:
  ///   - frames: The length of each scheduled cycle.
  ///   - link: A Link session that the song follows.
  ///   - cue: Requests of a render thread that follows the transport of a graph.
  ///   - figures: Those of the render thread.
  init(
    _ timeline: Timeline, frames: Int, link: LinkMemory?, cue: CueRequest?, figures: LiveFigures
  ) {
    self.frames = frames
    self.cue = cue
    self.figures = figures
    song = Mutex(
      Song(
        transport: SongTransport(timeline.beatMap), cursor: SongCursor(timeline),
        link: link.map { LinkedTransport($0) }))
    // At a stable address, because scheduled cycles point to it.
    let bytes = timeline.sysEx
    sysEx = UnsafeBufferPointer(
      start: memory.makeEach(bytes.count) { bytes[$0] }, count: bytes.count)
    ring = LookaheadRing(in: memory)
  }

  /// Starts the scheduling thread. ``stop()`` must be called afterwards.
  func start() throws(SystemError) {
    fill()
    thread = try SystemThread(name: "portative-plan") { [self] in
      while !isStopping.load(ordering: .acquiring) {
        ring.waitForRoom()
        fill()
      }
    }
  }

  func stop() {
    isStopping.store(true, ordering: .releasing)
    thread?.join()
    thread = nil
  }

  /// Changes the transport from the next scheduled cycle on.
  func update<Result: Sendable, Failure: Error>(
    _ change: (inout SongTransport) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try song.withLock { song throws(Failure) in
      let before = (song.transport.frame, song.transport.isPlaying)
      defer {
        if before != (song.transport.frame, song.transport.isPlaying) { song.link?.align() }
      }
      return try change(&song.transport)
    }
  }

  /// Continues in another version of the song, with the same ports and System Exclusive messages, from the next scheduled
  /// cycle on.
  ///
  /// - Parameter end: The frame at which that version stops by itself.
  func change(to timeline: Timeline, end: Int64) {
    let cursor = SongCursor(timeline)
    song.withLock { song in
      let transport = song.transport
      let isOver = !transport.isPlaying && transport.frame == transport.end
      let frame = isOver ? end : song.cursor.frame(transport.frame, in: cursor)
      song.cursor.change(to: cursor, at: transport.isPlaying ? frame : nil)
      song.transport.change(to: timeline.beatMap, at: frame, end: end)
      song.link?.align()
    }
  }

  /// Lets the song play a chain with new instruments, if its index is below 64.
  func refresh(chain: Int) {
    if chain < 64 { song.withLock { $0.newChains |= 1 << UInt64(chain) } }
  }

  /// Notes that the instruments of a stopped song are new. Their chains are to be refreshed.
  func renew() { song.withLock { $0.cursor.renew() } }

  /// Sets the number of frames recorded after the song has stopped by itself; `nil` for all.
  func setRecordedTail(_ frames: Int?) { song.withLock { $0.tail.limit = frames } }

  /// The transport of the song, a few cycles ahead of what is heard.
  var transport: SongTransport { song.withLock { $0.transport } }

  /// Whether the ring is full.
  var isAhead: Bool { ring.nextToFill == nil }

  /// The number of events that exceeded the capacity of a cycle and were delayed.
  var delayedEvents: Int { song.withLock { $0.delayed } }

  /// Whether recording is on, or cycles to be recorded still have to be rendered.
  var isRecording: Bool {
    song.withLock { song in
      song.transport.isRecording || song.recordedUntil.map(ring.hasRendered) == false
    }
  }

  private func fill() {
    while let scheduled = ring.nextToFill {
      song.withLock { song in
        follow(cue, &song)
        let length = advance(&song)
        scheduled.pointee.course = song.course
        let transport = song.transport
        let stretch = Stretch(length: length, frames: frames, tempo: song.link?.tempo)
        var (waiting, delayed) = (song.waiting, 0)
        scheduled.pointee.setNewChains(
          song.newChains, song.newChains == 0 ? [] : song.cursor.settings)
        song.newChains = 0
        song.cursor.withCycle(length, transport.segments) { cycle in
          delayed = scheduled.pointee.fill(
            cycle, transport, stretch, sysEx: sysEx, waiting: &waiting)
        }
        scheduled.pointee.recordedFrames = song.tail.advance(
          scheduled.pointee.songSegments, end: transport.end)
        (song.waiting, song.delayed) = (waiting, song.delayed + delayed)
        if transport.isRecording {
          // The take ends in the following cycle.
          song.recordedUntil = ring.numberToFill &+ 2
        } else if song.recordedUntil.map(ring.hasRendered) == true {
          song.recordedUntil = nil
        }
      }
      ring.finishFilling()
    }
  }

  /// Moves the song to where it is to be ready: it stands there for a cycle, in which its notes end, and then plays.
  private func follow(_ cue: CueRequest?, _ song: inout Song) {
    guard let cue else { return }
    let course = cue.course
    if course != song.course {
      song.course = course
      song.isCueing = true
      song.transport.stop()
      song.transport.jump(toFrame: cue.frame)
    } else if song.isCueing {
      song.isCueing = false
      song.transport.continue()
    }
  }

  /// Advances the song over a cycle, and returns the number of its frames.
  private func advance(_ song: inout Song) -> Int {
    guard var link = song.link else {
      song.transport.advance(by: frames)
      return frames
    }
    let rate = Int64(song.transport.map.sampleRate)
    let time = figures.startTime.map { $0 + song.scheduledFrames * 1_000_000_000 / rate }
    let length = link.advance(&song.transport, by: frames, from: time)
    song.scheduledFrames += Int64(frames)
    song.link = link
    return length
  }
}

/// Determines how many frames of each scheduled cycle are recorded, if a recording ends a given time after the song.
///
/// Realtime: no.
struct RecordedTail {
  /// The number of frames recorded after the song has stopped by itself; `nil` for all.
  fileprivate var limit: Int?
  /// The number of frames since it stopped.
  private var count = 0

  /// Advances over a cycle.
  ///
  /// - Parameters:
  ///   - segments: The segments of the cycle, which tile it.
  ///   - end: The frame at which the song stops by itself.
  /// - Returns: The number of recorded frames from the start of the cycle.
  fileprivate mutating func advance(_ segments: some Sequence<SongSegment>, end: Int64?) -> Int {
    var recorded = 0
    for segment in segments {
      // If the user has stopped it, it may continue.
      let isOver = !segment.isPlaying && segment.begin == end
      if !isOver { count = 0 }
      let left = isOver ? limit.map { max(0, $0 - count) } ?? segment.frames : segment.frames
      recorded += min(left, segment.frames)
      if isOver { count += segment.frames }
    }
    return recorded
  }
}
