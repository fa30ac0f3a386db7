import Glibc
import SoundTestSupport
import Synchronization
import Testing

@testable import LiveAudio

@Suite struct SoundDeviceTellerTests {
  private let events = SoundEvents()

  private func teller() throws -> SoundDeviceTeller {
    let teller = SoundDeviceTeller({ "number \($0)" }, tell: events.tell)
    try teller.start()
    return teller
  }

  @Test func `xruns are told together, at most once a second, and none is left out`() throws {
    let teller = try teller()
    defer { teller.stop() }
    let begin = ContinuousClock.now
    teller.news.countXrun()
    #expect(comesTrue { events.all == [.xruns(1)] })
    for _ in 1..<100 {
      teller.news.countXrun()
      usleep(1000)
    }
    #expect(comesTrue { events.xruns == 100 })
    let seconds = Int((ContinuousClock.now - begin) / .seconds(1))
    #expect((2...(2 + seconds)).contains(events.all.count))
  }

  @Test func `a device that goes on after a sleep says so each time`() throws {
    let teller = try teller()
    defer { teller.stop() }
    for count in 1...3 {
      teller.news.countResumption()
      #expect(comesTrue { events.all == Array(repeating: .resumed, count: count) })
    }
  }

  @Test func `a loss is told last, with its sentence and what was held back`() throws {
    let teller = try teller()
    teller.news.countXrun()
    #expect(comesTrue { events.all == [.xruns(1)] })
    for _ in 0..<4 { teller.news.countXrun() }
    teller.news.countResumption()
    teller.news.lose(7)
    #expect(comesTrue { events.loss != nil })
    #expect(events.all.last == .lost(reason: "number 7"))
    #expect(events.xruns == 5)
    #expect(events.all.contains(.resumed))
  }

  @Test func `what a thread knows that is not realtime is told at once`() throws {
    let teller = try teller()
    teller.say(.resumed)
    #expect(events.all == [.resumed])
    teller.stop()
    teller.say(.resumed)
    #expect(events.all == [.resumed])
  }

  @Test(arguments: [true, false])
  func `its thread ends with a loss, or when it is stopped`(isLost: Bool) throws {
    weak var thread: SoundDeviceTeller?
    do {
      let teller = try teller()
      thread = teller
      if isLost { teller.news.lose(1) } else { teller.stop() }
    }
    #expect(comesTrue { thread == nil })
    #expect(events.all.count == (isLost ? 1 : 0))
  }

  @Test func `it may be stopped by what it tells, and then tells nothing more`() throws {
    let owner = Owner()
    weak var thread: SoundDeviceTeller?
    do {
      let teller = SoundDeviceTeller({ _ in "" }) { [events] event in
        events.tell(event)
        owner.teller.withLock { $0 }?.stop()
      }
      thread = teller
      owner.teller.withLock { $0 = teller }
      teller.news.countResumption()
      teller.news.countXrun()
      teller.news.lose(1)
      try teller.start()
    }
    #expect(comesTrue { !events.all.isEmpty })
    owner.teller.withLock { $0 = nil }
    #expect(comesTrue { thread == nil })
    #expect(events.all == [.resumed])
  }

  private final class Owner: Sendable {
    let teller = Mutex<SoundDeviceTeller?>(nil)
  }
}
