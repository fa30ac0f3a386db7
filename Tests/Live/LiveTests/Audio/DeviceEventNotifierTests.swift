import Glibc
import LiveAudio
import SoundTestSupport
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct DeviceEventNotifierTests {
  private let events = SoundEvents()

  private func reporter() throws -> DeviceEventNotifier {
    let reporter = DeviceEventNotifier({ "number \($0)" }, report: events.record)
    try reporter.start()
    return reporter
  }

  @Test func `xruns are reported together, at most once a second, and none is omitted`() throws {
    let reporter = try reporter()
    defer { reporter.stop() }
    let begin = ContinuousClock.now
    reporter.flags.countXrun()
    #expect(eventually { events.all == [.xruns(1)] })
    for _ in 1..<100 {
      reporter.flags.countXrun()
      usleep(1000)
    }
    #expect(eventually { events.xruns == 100 })
    let seconds = Int((ContinuousClock.now - begin) / .seconds(1))
    #expect((2...(2 + seconds)).contains(events.all.count))
  }

  @Test func `refused messages are reported with their number, and none is omitted`() throws {
    let reporter = try reporter()
    defer { reporter.stop() }
    reporter.flags.count(refusedMIDI: 3)
    #expect(eventually { events.all == [.refusedMIDI(3)] })
    for _ in 0..<10 { reporter.flags.count(refusedMIDI: 2) }
    let isComplete = eventually {
      let counts = events.all.map { if case .refusedMIDI(let count) = $0 { count } else { 0 } }
      return counts.reduce(0, +) == 23
    }
    #expect(isComplete)
    #expect(events.all.count <= 12)
  }

  @Test func `each resumption of a device is reported`() throws {
    let reporter = try reporter()
    defer { reporter.stop() }
    for count in 1...3 {
      reporter.flags.countResumption()
      #expect(eventually { events.all == Array(repeating: .resumed, count: count) })
    }
  }

  @Test func `interruptions right after a resumption are part of it, and later ones are reported`()
    throws
  {
    let reporter = try reporter()
    defer { reporter.stop() }
    reporter.flags.countResumption()
    #expect(eventually { events.all == [.resumed] })
    for _ in 0..<3 { reporter.flags.countXrun() }
    usleep(1_200_000)
    #expect(events.all == [.resumed])
    reporter.flags.countXrun()
    #expect(eventually { events.all == [.resumed, .xruns(1)] })
  }

  @Test func `a loss is reported last, with its reason, after all pending reports`() throws {
    let reporter = try reporter()
    reporter.flags.countXrun()
    #expect(eventually { events.all == [.xruns(1)] })
    for _ in 0..<4 { reporter.flags.countXrun() }
    reporter.flags.countResumption()
    reporter.flags.reportLoss(7)
    #expect(eventually { events.loss != nil })
    #expect(events.all.last == .lost(reason: "number 7"))
    #expect(events.xruns == 5)
    #expect(events.all.contains(.resumed))
  }

  @Test func `a thread that is not realtime reports immediately`() throws {
    let reporter = try reporter()
    reporter.send(.resumed)
    #expect(events.all == [.resumed])
    reporter.stop()
    reporter.send(.resumed)
    #expect(events.all == [.resumed])
  }

  @Test(arguments: [true, false])
  func `its thread ends with a loss, or when it is stopped`(isLost: Bool) throws {
    weak var thread: DeviceEventNotifier?
    do {
      let reporter = try reporter()
      thread = reporter
      if isLost { reporter.flags.reportLoss(1) } else { reporter.stop() }
    }
    #expect(eventually { thread == nil })
    #expect(events.all.count == (isLost ? 1 : 0))
  }

  @Test func `it may be stopped from within a report, and then reports nothing more`() throws {
    let owner = Owner()
    weak var thread: DeviceEventNotifier?
    do {
      let reporter = DeviceEventNotifier({ _ in "" }) { [events] event in
        events.record(event)
        owner.reporter.withLock { $0 }?.stop()
      }
      thread = reporter
      owner.reporter.withLock { $0 = reporter }
      reporter.flags.countResumption()
      reporter.flags.countXrun()
      reporter.flags.reportLoss(1)
      try reporter.start()
    }
    #expect(eventually { !events.all.isEmpty })
    owner.reporter.withLock { $0 = nil }
    #expect(eventually { thread == nil })
    #expect(events.all == [.resumed])
  }

  private final class Owner: Sendable {
    let reporter = Mutex<DeviceEventNotifier?>(nil)
  }
}
