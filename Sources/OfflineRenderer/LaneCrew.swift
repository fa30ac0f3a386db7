import FluidSynthInstrument
import Glibc
import RenderCore

/// Renders an exact instrument's lanes on several threads, with the bits of one.
///
/// The calling thread plans each cycle, renders the first pool while the others render theirs, and
/// adds up; so that it is not late for that, it gets fewer notes than the others, by as many as the
/// last cycles have shown. Realtime: no, it waits for its threads.
final class LaneCrew {
  private let instrument: ExactInstrument
  private var members: [Member] = []
  /// Lanes that the calling thread's own work counts as.
  private var ownWork = 0.0

  /// Starts a thread for each pool of the instrument but the first.
  init(_ instrument: ExactInstrument) {
    self.instrument = instrument
    for pool in 1..<max(1, instrument.settings.threads) {
      members.append(Member(instrument: instrument, pool: pool))
    }
  }

  deinit {
    for member in members { member.stop() }
  }

  /// Renders one cycle: as ``ExactInstrument/render(_:left:right:)``.
  func render(
    _ cycle: Cycle, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
  ) {
    let begin = ContinuousClock.now
    instrument.plan(cycle)
    for member in members { member.begin(frames: cycle.frames) }
    let planned = ContinuousClock.now
    instrument.renderPool(0, frames: cycle.frames)
    let rendered = ContinuousClock.now
    for member in members { member.wait() }
    let joined = ContinuousClock.now
    instrument.finish(frames: cycle.frames, left: left, right: right)
    if !members.isEmpty {
      balance(
        own: (planned - begin) + (ContinuousClock.now - joined), rendering: rendered - planned)
    }
  }

  /// Moves the calling thread's share towards what would have left nobody waiting.
  private func balance(own: Duration, rendering: Duration) {
    let lanes = Double(instrument.soundingLanes(inPool: 0))
    guard lanes > 0, rendering > .zero else { return }
    let perLane = (rendering / .seconds(1)) / lanes
    let target = (own / .seconds(1)) / perLane
    ownWork += (min(target, 64) - ownWork) * 0.1
    instrument.setHandicap(Int(ownWork.rounded()), ofPool: 0)
  }
}

/// A thread that renders one pool whenever it is told to.
///
/// `@unchecked Sendable`: `frames` is written before `start` is posted and read after it was waited
/// for; the semaphores order everything else in the same way.
private final class Member: @unchecked Sendable {
  private let instrument: ExactInstrument
  private let pool: Int
  private var frames = 0
  private var thread = pthread_t()
  private let start = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
  private let done = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  init(instrument: ExactInstrument, pool: Int) {
    self.instrument = instrument
    self.pool = pool
    sem_init(start, 0, 0)
    sem_init(done, 0, 0)
    let context = Unmanaged.passRetained(self).toOpaque()
    precondition(pthread_create(&thread, nil, runMember, context) == 0, "no thread to be had")
  }

  deinit {
    sem_destroy(start)
    sem_destroy(done)
    start.deallocate()
    done.deallocate()
  }

  func begin(frames: Int) {
    self.frames = frames
    sem_post(start)
  }

  func wait() {
    while sem_wait(done) != 0 {}
  }

  /// Ends the thread and waits for it.
  func stop() {
    begin(frames: 0)
    pthread_join(thread, nil)
  }

  fileprivate func run() {
    while true {
      while sem_wait(start) != 0 {}
      if frames == 0 { return }
      instrument.renderPool(pool, frames: frames)
      sem_post(done)
    }
  }
}

@c private func runMember(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let context { Unmanaged<Member>.fromOpaque(context).takeRetainedValue().run() }
  return nil
}
