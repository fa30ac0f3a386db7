import ConnectionTestSupport
import Dispatch
import Glibc
import NodeHost
import NodeProtocol
import RenderCore
import Synchronization
import TestSupport
import Testing

/// Tests of hosts whose node sends messages without pause.
@Suite(.timeLimit(.minutes(5))) struct ControlLinkTests {
  @Test func `commands beyond the host's capacity are dropped, and later ones arrive`() throws {
    let flood = (0..<300).flatMap { _ -> [FakeMessage] in
      [.command(.start), .notification(ShowWindow())]
    }
    let node = try FakeNode { method, _ in
      if method == UsePreset.method { return [.command(.stop), .response(Done())] }
      return flood + [.response(ItemList<Preset>(items: [], total: 0))]
    }
    let connection = try node.connect()
    let gate = DispatchSemaphore(value: 0)
    let heard = Mutex<[RemoteCommand]>([])
    let clock = ContinuousClock()
    let begin = clock.now
    connection.acceptCommands([.start, .stop]) { command in
      if heard.withLock({ $0.isEmpty }) { gate.wait() }
      heard.withLock { $0.append(command) }
      return true
    }
    // The node's answer comes after all of its commands.
    #expect(try connection.presets().isEmpty)
    gate.signal()
    // A node that sends on is not heard; after a pause it is.
    try connection.usePreset(0)
    // 64 in each second; a busy machine may need several for the flood.
    let seconds = Int((clock.now - begin) / .seconds(1)) + 1
    #expect((1...301 - 64).contains(connection.refusedCommands))
    #expect(connection.refusedCommands >= 301 - 64 * seconds)
    usleep(1_100_000)
    #expect(
      eventually {
        try? connection.usePreset(0)
        return heard.withLock { $0.last } == .stop
      })
    let starts = heard.withLock { $0.count { $0 == .start } }
    #expect((1...64 * seconds).contains(starts))
    #expect(connection.status == .open)
  }

  @Test func `of a latency that changes continuously, a slow host receives the last value`() throws
  {
    let flood = (1...300).map { FakeMessage.notification(TimingChanged(latency: $0, tail: nil)) }
    let node = try FakeNode { _, _ in
      flood + [.response(ItemList<Preset>(items: [], total: 0))]
    }
    let connection = try node.connect()
    let gate = DispatchSemaphore(value: 0)
    let heard = Mutex<[ConnectionNotice]>([])
    connection.onNotice = { notice in
      if heard.withLock({ $0.isEmpty }) { gate.wait() }
      heard.withLock { $0.append(notice) }
    }
    #expect(try connection.presets().isEmpty)
    #expect(connection.latency == 300)
    gate.signal()
    #expect(eventually { heard.withLock { $0.last } == .latency(300) })
    #expect(heard.withLock { $0.count } <= 2)
  }
}
