import Synchronization
import Testing

@testable import LV2Host

@Suite(.timeLimit(.minutes(1))) struct PluginLogTests {
  private final class Lines: Sendable { let all = Mutex<[String]>([]) }

  private let shown = Lines()

  private func makeLog() -> PluginLog {
    PluginLog("Organ") { [shown] line in shown.all.withLock { $0.append(line) } }
  }

  @Test func `no line is shown twice, and one sentence counts those that were left out`() {
    let log = makeLog()
    for line in ["first", "second", "first"] { log.write(line) }
    log.end()
    for number in 0..<100 { log.write("line \(number)") }
    log.end()
    let lines = shown.all.withLock { $0 }
    #expect(lines[..<2] == ["Organ: first\n", "Organ: second\n"])
    #expect(lines[2] == "Organ: left out 1 more line that the plugin has written\n")
    #expect(lines.count == PluginLog.limit + 1)
  }

  @Test func `long lines are cut, and hidden characters are shown`() {
    let log = makeLog()
    log.write(String(repeating: "x", count: 10_000))
    log.write("\u{1B}[31mred")
    let lines = shown.all.withLock { $0 }
    #expect(lines[0].count == "Organ: \n".count + 300)
    #expect(lines[1] == #"Organ: \u{1B}[31mred"# + "\n")
  }
}
