import MIDIFile
import Realtime
import Synchronization

/// Makes plans of a song, a few cycles ahead of the render thread, by what it is told.
///
/// Realtime: no. Threads: any; it has one of its own.
///
/// `@unchecked Sendable`: what is told and what is planned is behind a lock; the ring belongs to its thread.
final class SongPlanner: @unchecked Sendable {
  let ring = PlanRing()
  private let song: Mutex<Song>
  private let sysEx: UnsafeMutableBufferPointer<UInt8>
  private let frames: Int
  private let isStopping = Flag()
  private var thread: SystemThread?

  private struct Song {
    var transport: SongTransport
    var cursor: SongCursor
    var leftOut = 0
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
      while !isStopping.isRaised {
        ring.waitForRoom()
        fill()
      }
    }
  }

  func stop() {
    isStopping.raise()
    thread?.join()
    thread = nil
  }

  /// Changes what is played, from the next plan on.
  func tell<Result: Sendable>(_ change: (inout SongTransport) -> Result) -> Result {
    song.withLock { change(&$0.transport) }
  }

  /// Where the song is, a few cycles ahead of what is heard.
  var transport: SongTransport { song.withLock { $0.transport } }

  /// Events that were too many for one cycle.
  var leftOut: Int { song.withLock { $0.leftOut } }

  private func fill() {
    while let plan = ring.nextToMake {
      song.withLock { song in
        song.transport.advance(by: frames)
        let transport = song.transport
        var leftOut = 0
        song.cursor.withCycle(frames, transport.stretches) { cycle in
          leftOut = plan.pointee.fill(cycle, transport, sysEx: UnsafeBufferPointer(sysEx))
        }
        song.leftOut += leftOut
      }
      ring.finishMaking()
    }
  }
}

/// Raised once, on any thread.
private final class Flag: Sendable {
  private let value = Atomic(false)
  func raise() { value.store(true, ordering: .releasing) }
  var isRaised: Bool { value.load(ordering: .acquiring) }
}
