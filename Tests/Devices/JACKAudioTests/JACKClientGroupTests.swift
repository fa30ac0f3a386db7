import Synchronization
import Testing

@testable import JACKAudio

@Suite(.timeLimit(.minutes(5))) struct JACKClientGroupTests {
  private let group = JACKClientGroup()
  private let reports = Reports()

  private final class Reports: Sendable {
    let all = Mutex<[String]>([])
  }

  private func add(_ name: String) -> Int {
    let client = group.add()
    group.setReport({ [reports] in reports.all.withLock { $0.append(name) } }, of: client)
    return client
  }

  private var reported: [String] { reports.all.withLock { $0.sorted() } }
  private var mayOpen: Bool { group.waitForLostClients(within: 0) }

  @Test func `the end of the server is a loss of all clients, once`() {
    _ = (add("A"), add("B"))
    group.loseAll()
    #expect(reported == ["A", "B"])
    group.loseAll()
    #expect(reported == ["A", "B"])
  }

  @Test func `no client is opened until the lost ones are closed`() {
    let (first, second) = (add("A"), add("B"))
    #expect(mayOpen)
    group.loseAll()
    #expect(!mayOpen)
    group.remove(first)
    #expect(!mayOpen)
    group.remove(second)
    #expect(mayOpen)
  }

  @Test func `an end that is not reported yet is a loss of all clients before one is opened`() {
    let group = JACKClientGroup()
    let client = group.add()
    group.noteEnd()
    #expect(group.open(within: 0.01) { true } == nil)
    #expect(group.isLost(client))
    group.remove(client)
    #expect(group.open(within: 0.01) { true } == true)
    // The same end is not a loss of later clients.
    let later = group.add()
    #expect(group.open(within: 0.01) { true } == true)
    #expect(!group.isLost(later))
  }

  @Test func `clients whose server ends while one is opened are lost, with the new one`() {
    let group = JACKClientGroup()
    let older = group.add()
    let newer = group.open(within: 0.01) {
      group.noteEnd()
      return group.add()
    }
    #expect(group.isLost(older) && newer.map(group.isLost) == true)
    // They must be closed: the library keeps the semaphores of the server until the last client is.
    #expect(!group.isAbandoned(older))
    #expect(newer.map(group.isAbandoned) == false)
  }

  @Test func `clients that the library has freed are not used any more`() {
    let group = JACKClientGroup()
    let older = group.add()
    var cleanups: UInt32 = 0
    let newer = group.open(within: 0.01, cleanups: { cleanups }) {
      cleanups += 1
      return group.add()
    }
    #expect(group.isAbandoned(older))
    #expect(group.isLost(older))
    #expect(newer.map(group.isAbandoned) == false)
  }

  @Test func `all clients are lost if the server does not hear one before another is opened`() {
    let (first, second) = (add("A"), add("B"))
    let answer = Mutex<Bool?>(true)
    let limit = Mutex(0.0)
    group.setCheck(
      { seconds in
        limit.withLock { $0 = seconds }
        return answer.withLock { $0 }
      }, of: second)
    #expect(group.open(within: 5) { true } == true)
    // A busy machine has as long as opening may take.
    #expect(limit.withLock { $0 } > 4)
    // A server that does not answer may go on.
    answer.withLock { $0 = nil }
    #expect(group.open(within: 0) { true } == true)
    #expect(reported.isEmpty)
    answer.withLock { $0 = false }
    #expect(group.open(within: 0) { true } == nil)
    #expect(reported == ["A", "B"])
    group.remove(first)
    group.remove(second)
    #expect(group.open(within: 0) { true } == true)
  }

  @Test func `a client that is opened later is not lost`() {
    let first = add("A")
    group.loseAll()
    group.remove(first)
    let second = add("B")
    #expect(mayOpen)
    #expect(reported == ["A"])
    group.remove(second)
    #expect(mayOpen)
  }

  @Test func `a client that is lost before it is started reports that when it is`() {
    let client = group.add()
    group.loseAll()
    group.setReport({ [reports] in reports.all.withLock { $0.append("A") } }, of: client)
    #expect(reported == ["A"])
  }
}
