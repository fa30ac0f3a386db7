import FluidSynthInstrument
import Glibc
import RenderCore

/// Renders an exact instrument's lanes on several threads, with the bits of one.
///
/// The calling thread plans each cycle, renders the first pool while the others render theirs, and
/// adds up. Realtime: no, it waits for its threads.
final class LaneCrew {
  private let instrument: ExactInstrument
  private var members: [Member] = []

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
    instrument.plan(cycle)
    for member in members { member.begin(frames: cycle.frames) }
    instrument.renderPool(0, frames: cycle.frames)
    for member in members { member.wait() }
    instrument.finish(frames: cycle.frames, left: left, right: right)
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
