import Testing

@testable import LocalSystem
@testable import portative

@Suite struct DoctorOptionsTests {
  private func options(_ text: String) throws -> DoctorOptions {
    try DoctorOptions(arguments: text.split(separator: " ").map(String.init))
  }

  @Test func `latency is measured where it is told, on what it is told`() throws {
    let options = try options("--latency hw:1 --audio hw:0 --rate 44100 --period 64 --json")
    #expect(options.latencyInput == "hw:1")
    #expect(options.sound == SoundChoice(device: .alsa("hw:0"), rate: 44_100, period: 64))
    #expect(options.isJSON)
    #expect(try self.options("--latency hw:1").sound == SoundChoice())
    #expect(try self.options("").latencyInput == nil)
  }

  @Test(arguments: [
    ("--period 64", "--period is for --latency only"),
    ("--audio hw:0", "--audio is for --latency only"),
    ("--latency hw:1 --audio jack", "--audio jack cannot be measured"),
    ("--latency hw:1 --audio none", "--audio none cannot be measured"),
    ("--latency", "--latency needs a value: --latency INPUT"),
    ("now", "doctor takes options only, but got 'now'"),
  ])
  func `what makes no sense is wrong usage`(arguments: String, sentence: String) {
    let failure = #expect(throws: Failure.self) { try options(arguments) }
    #expect(failure?.kind == .usage)
    #expect(failure?.message.hasPrefix(sentence) == true, "\(failure?.message ?? "")")
  }
}
