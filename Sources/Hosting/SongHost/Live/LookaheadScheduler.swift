import MIDIFile
import RenderCore
import Synchronization
import Threads

/// Makes plans of a song, a few cycles ahead of the render thread, by what it is told.
///
/// Realtime: no. Threads: any; it has one of its own.
///
/// `@unchecked Sendable`: what is told and what is planned is behind a lock; the ring belongs to its thread.
final class LookaheadScheduler: @unchecked Sendable {
  let ring = LookaheadRing()
  private let song: Mutex<Song>
  private let sysEx: UnsafeMutableBufferPointer<UInt8>
  private let frames: Int
  private let isStopping = Atomic(false)
  private var thread: SystemThread?

  private struct Song {
    var transport: SongTransport
    var cursor: SongCursor
    /// Events that were too many for the plans before.
    var waiting: [MIDIEvent] = []
    var delayed = 0
    /// Chains whose instruments know nothing of the song, a bit each.
    var freshChains: UInt64 = 0
    var tail = RecordedTail()
    /// The number of the plan before which all have to be played for a recording to be whole.
    var recordedUntil: UInt32?
  }

  /// - Parameter frames: Of each plan.
  init(_ timeline: Timeline, frames: Int) {
    self.frames = frames
    song = Mutex(
      Song(transport: SongTransport(timeline.beatMap), cursor: SongCursor(timeline)))
    // Where it stays, for plans point to it.
    sysEx = .allocate(capacity: timeline.sysEx.count)
    _ = sysEx.initialize(from: timeline.sysEx)
  }

  /// To be called when nobody plays plans any more.
  deinit {
    ring.destroy()
    sysEx.deallocate()
  }

  /// Begins to plan. ``stop()`` must follow.
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

  /// Changes what is played, from the next plan on.
  func tell<Result: Sendable>(_ change: (inout SongTransport) -> Result) -> Result {
    song.withLock { change(&$0.transport) }
  }

  /// Lets the song play a chain again, of which the first 64 are counted, whose instruments are fresh.
  func refresh(chain: Int) {
    if chain < 64 { song.withLock { $0.freshChains |= 1 << UInt64(chain) } }
  }

  /// How many frames are recorded after the song has stopped by itself; `nil`: all.
  func setRecordedTail(_ frames: Int?) { song.withLock { $0.tail.limit = frames } }

  /// Where the song is, a few cycles ahead of what is heard.
  var transport: SongTransport { song.withLock { $0.transport } }

  /// Whether as much is planned as there is room for.
  var isAhead: Bool { ring.nextToMake == nil }

  /// Events that were too many for one plan, and came with a later one.
  var delayedEvents: Int { song.withLock { $0.delayed } }

  /// Whether anything is recorded, or something that is to be recorded is still to be played.
  var isRecording: Bool {
    song.withLock { song in
      song.transport.isRecording || song.recordedUntil.map(ring.hasPlayed) == false
    }
  }

  private func fill() {
    while let plan = ring.nextToMake {
      song.withLock { song in
        song.transport.advance(by: frames)
        let transport = song.transport
        var (waiting, delayed) = (song.waiting, 0)
        plan.pointee.refresh(
          song.freshChains, song.freshChains == 0 ? [] : song.cursor.settings)
        song.freshChains = 0
        song.cursor.withCycle(frames, transport.stretches) { cycle in
          delayed = plan.pointee.fill(
            cycle, transport, sysEx: UnsafeBufferPointer(sysEx), waiting: &waiting)
        }
        plan.pointee.recordedFrames = song.tail.follow(transport.stretches, end: transport.end)
        (song.waiting, song.delayed) = (waiting, song.delayed + delayed)
        if transport.isRecording {
          // The take ends in the plan after.
          song.recordedUntil = ring.numberToMake &+ 2
        } else if song.recordedUntil.map(ring.hasPlayed) == true {
          song.recordedUntil = nil
        }
      }
      ring.finishMaking()
    }
  }
}
