import Glibc
import JACKTestSupport
import ProgramTestSupport
import TestSupport
import Testing

/// MIDI outputs of `serve --audio jack`, as another program receives them.
@Suite(
  .timeLimit(.minutes(5)),
  .enabled(if: TestJACKServer.isRequired, "install jackd2 for this: make test-packages"),
  .serialized)
struct JACKOutputTests {
  @Test func `a scene sends its settings to a module in JACK's graph, in their order`() throws {
    let (user, jack) = (try TemporaryUser(), try TestJACKServer())
    user.variables["JACK_DEFAULT_SERVER"] = jack.name
    user.variables["JACK_NO_AUDIO_RESERVATION"] = "1"
    try user.configure(
      """
      { ports: [{ name: "Test: Stage", subtype: "stag" }], outputs: [{ name: "Module" }],
        scenes: [{ name: "Verse", send: [
          { output: "Module", channel: 2, bank: [87, 64], program: 12, controllers: { "7": 100 } } ] }] }
      """)
    func run(_ program: String, _ arguments: [String]) throws -> Program {
      try Program(arguments, program: "/usr/bin/\(program)", variables: user.variables)
    }
    let server = try user.serve("--audio", "jack")
    defer { server.send(SIGKILL) }
    let module = try run("jack_midi_dump", ["Listener"])
    defer { module.send(SIGKILL) }
    let connection = ["Module:midi_out", "Listener:input"]
    try module.wait { (try? run("jack_connect", connection).result().exitCode) == 0 }
    #expect(try user.run("scene", "verse").outputText == "Verse\n")
    let messages = ["b1 00 57", "b1 20 40", "c1 0c", "b1 07 64"]
    func places(_ text: String) -> [String.Index] {
      messages.compactMap { text.lowercased().firstRange(of: $0)?.lowerBound }
    }
    // The listener writes in blocks, and the rest when it ends.
    usleep(200_000)
    module.send(SIGINT)
    let text = try module.result().outputText
    #expect(places(text).count == 4 && places(text) == places(text).sorted(), "\(text)")
  }
}
