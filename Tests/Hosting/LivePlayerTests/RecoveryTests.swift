import LocalSystem
import TestSupport
import Testing

@testable import LivePlayer

@Suite(.timeLimit(.minutes(5))) struct RecoveryTests {
  private let begin = ContinuousClock.now
  private func after(_ seconds: Double) -> ContinuousClock.Instant { begin + .seconds(seconds) }

  private struct Refusal: Error {}

  private func start(_ value: Int?) -> Recovery<Int>.Starter {
    { _, predecessor in
      try RepeatedAttempt(after: 0, pauses: 0.001...0.001, following: predecessor) {
        guard let value else { throw Refusal() }
        return value
      }
    }
  }

  /// Waits for a result.
  private func result(
    of recovery: inout Recovery<Int>, at seconds: Double
  ) throws -> (value: Int, absentSeconds: Double)? {
    var result: (value: Int, absentSeconds: Double)?
    _ = try eventually {
      result = try recovery.result(at: after(seconds), limit: .seconds(60))
      return result != nil
    }
    return result
  }

  @Test func `what returns is reported once, with the length of the absence`() throws {
    var recovery = Recovery<Int>()
    #expect(recovery.isOver && !recovery.isInProgress)
    try recovery.begin(because: "it is lost", at: begin, start(7))
    #expect(!recovery.isOver && recovery.isInProgress)
    let result = try #require(try result(of: &recovery, at: 3))
    #expect(result.value == 7 && result.absentSeconds == 3)
    #expect(!recovery.isInProgress && !recovery.isOver)
    let isEmpty = try recovery.result(at: after(3 + Absence.trial), limit: .seconds(60)) == nil
    #expect(isEmpty && recovery.isOver)
  }

  @Test func `an absence longer than the limit is an error with the reason`() throws {
    var recovery = Recovery<Int>()
    try recovery.begin(because: "it is lost", at: begin, start(nil))
    defer { recovery.cancel() }
    let isEmpty = try recovery.result(at: after(60), limit: .seconds(60)) == nil
    #expect(isEmpty)
    let failure = #expect(throws: Failure.self) {
      _ = try recovery.result(at: after(60.1), limit: .seconds(60))
    }
    #expect(failure == Failure(.failed, "it is lost"))
  }

  @Test func `short returns belong to one absence`() throws {
    var recovery = Recovery<Int>()
    try recovery.begin(because: "first", at: begin, start(1))
    _ = try result(of: &recovery, at: 50)
    try recovery.begin(because: "second", at: after(55), start(nil))
    defer { recovery.cancel() }
    let failure = #expect(throws: Failure.self) {
      _ = try recovery.result(at: after(61), limit: .seconds(60))
    }
    #expect(failure?.message == "second")
  }

  @Test func `a restart without a loss has no absence and no limit`() throws {
    var recovery = Recovery<Int>()
    try recovery.restart(start(nil))
    let isEmpty = try recovery.result(at: after(1000), limit: .seconds(60)) == nil
    #expect(isEmpty && recovery.isInProgress && recovery.isOver)
    try recovery.restart(start(4))
    let result = try #require(try result(of: &recovery, at: 2000))
    #expect(result.value == 4 && result.absentSeconds == 0)
  }
}
