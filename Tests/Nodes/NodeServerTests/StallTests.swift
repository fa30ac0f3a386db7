import ConnectionTestSupport
import Glibc
import LocalSystem
import NodeHost
import NodeProtocol
import NodeServer
import RenderCore
import TestSupport
import Testing

/// Tests of an offline host whose node makes no progress.
@Suite(.timeLimit(.minutes(5))) struct StallTests {
  @Test func `an offline host gives up on a node that hangs, and may initialize it again`() throws {
    let server = try TestServer()
    let connection = try server.connect()
    connection.stallLimit = .milliseconds(100)
    try connection.initialize(Format(maximumFrames: 64), mode: .offline)
    let unit = server.unit
    unit.close()
    let begin = MonotonicClock.now
    let (status, left, right) = connection.rendered(64)
    #expect(MonotonicClock.now - begin >= 100_000_000)
    #expect(status == .late)
    #expect(left == right && left.allSatisfy { $0 == 0 })
    #expect(connection.status == .parked(.late))
    #expect(connection.statistics.lateCycles == 1)
    unit.open()
    try connection.initialize(Format(maximumFrames: 64), mode: .offline)
    #expect(connection.rendered(64).status == .rendered)
  }

  @Test func `a node that is stopped is given up on as well`() throws {
    let folder = try Folder()
    let node = try Child.node(folder("node"))
    let connection = try node.connect()
    connection.stallLimit = .milliseconds(200)
    try connection.initialize(Format(maximumFrames: 64), mode: .offline)
    #expect(connection.rendered(64).status == .rendered)
    node.stop()
    #expect(connection.rendered(64).status == .late)
    #expect(connection.status == .parked(.late))
    node.signal(SIGCONT)
  }

  @Test func `a unit that takes longer but gets on is waited for`() throws {
    let server = try TestServer()
    try server.server.publish(pulsePort(1), SlowSource(steps: 20, each: 30_000_000))
    let connection = try server.connect(pulses(1))
    // Many times the duration of a step, to allow for a busy machine; a third of the duration of the cycle.
    connection.stallLimit = .milliseconds(200)
    try connection.initialize(Format(maximumFrames: 64), mode: .offline)
    #expect(connection.rendered(64).status == .rendered)
    #expect(connection.statistics.lateCycles == 0)
  }

  @Test func `without a limit, an offline host waits until the connection is closed`() throws {
    let server = try TestServer()
    let connection = try server.connect()
    connection.stallLimit = nil
    try connection.initialize(Format(maximumFrames: 64), mode: .offline)
    let unit = server.unit
    unit.close()
    let closer = TestThread {
      _ = eventually { unit.cycles > 0 }
      connection.close()
    }
    #expect(connection.rendered(64).status == .connectionLost)
    closer.join()
    unit.open()
  }
}

/// Creates units that take long for a cycle and report progress meanwhile.
private struct SlowSource: RenderUnitSource {
  let steps: Int
  /// The duration of a step in nanoseconds.
  let each: Int64
  func makeUnit(_ format: Format) throws -> any RenderUnit { SlowUnit(steps, each) }
}

private final class SlowUnit: RenderUnit, @unchecked Sendable {
  fileprivate struct State {
    let steps: Int
    let each: Int64
    let never: SharedWord
  }
  private let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
  private let word = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)

  init(_ steps: Int, _ each: Int64) {
    word.initialize(to: 0)
    state.initialize(to: State(steps: steps, each: each, never: SharedWord(at: word)))
  }

  deinit {
    state.deallocate()
    word.deallocate()
  }

  var renderer: Renderer { Renderer(state: UnsafeMutableRawPointer(state), renderSlowly) }
}

@_noLocks private func renderSlowly(
  _ state: UnsafeMutableRawPointer, _ cycle: UnsafeRawPointer
) -> Bool {
  let state = state.assumingMemoryBound(to: SlowUnit.State.self).pointee
  let cycle = cycle.renderCycle
  for _ in 0..<state.steps {
    let end = MonotonicClock.now + state.each
    while MonotonicClock.now < end { state.never.wait(while: 0, until: end) }
    cycle.feedback.advance()
  }
  for channel in 0..<2 { cycle.output[channel].update(repeating: 0, count: cycle.frames) }
  return false
}
