import FoundationEssentials
import Glibc
import MIDIFile
import ProgramTestSupport
import RenderCore
import TestSupport
import Testing

/// An evening on stage: two keyboards, pads, a foot switch, a sustain pedal and breath, with scenes and zones, while keyboards
/// are unplugged and plugged in again in every order.
@Suite(
  .timeLimit(Rig.timeLimit),
  .enabled(if: Rig.hasSockets && Rig.hasCard, "needs the rig: make test-alsa"),
  .serialized)
final class EveningTests {
  private static let configuration = """
    { midi: { names: [{ name: "Upper", is: "Stage Piano" }, { name: "Pads", is: "Drum Machine" }] },
      ports: [{ name: "Test: Stage", subtype: "stag", reverb: false, chorus: false }],
      scenes: [
        { name: "Verse", ports: { "Test: Stage": { zones: [
          { keyboards: ["Upper"], keys: "..B3", preset: "Finger Bass", controllers: "none" },
          { keyboards: ["Upper"], keys: "C4..", preset: "Violin", routes: [{ from: 2, to: 11 }] },
          { keyboards: ["Pads"], preset: { bank: 128, program: 0 }, controllers: "none" } ] } } },
        { name: "Chorus", ports: { "Test: Stage": { zones: [
          { keyboards: ["Upper"], preset: "Church Organ", routes: [{ from: 2, to: 11 }] },
          { keyboards: ["Pads"], preset: "Xylophone", controllers: "none" } ] } } },
      ],
      controls: [
        { controller: 80, keyboard: "Upper", does: "nextScene" },
        { controller: 81, keyboard: "Upper", does: "previousScene" },
      ] }
    """

  private enum Step: CaseIterable { case unplugUpper, unplugPads, plugUpper, plugPads }

  /// All orders in which each keyboard is unplugged before it is plugged in again.
  private static let orders: [[Step]] = {
    func permutations(_ steps: [Step]) -> [[Step]] {
      if steps.count < 2 { return [steps] }
      return steps.indices.flatMap { index in
        var rest = steps
        let first = rest.remove(at: index)
        return permutations(rest).map { [first] + $0 }
      }
    }
    return permutations(Step.allCases).filter { order in
      func place(_ step: Step) -> Int { order.firstIndex(of: step) ?? 0 }
      return place(.unplugUpper) < place(.plugUpper) && place(.unplugPads) < place(.plugPads)
    }
  }()

  private let user: TemporaryUser
  private let server: Program
  private let upper: EmulatedKeyboard
  private let pads: EmulatedKeyboard
  /// The notes and the breath messages that have been sent.
  private var (notes, breaths) = (0, 0)
  /// How often each keyboard has been plugged in.
  private var plugs = [0, 0]
  private var isPlugged = [false, false]

  init() throws {
    user = try TemporaryUser()
    try user.configure(Self.configuration)
    server = try user.serve(
      "--midi", "alsa", "--audio", "hw:Loopback,0", "--period", "8192", "--record",
      user.folder("evening.wav"))
    upper = try EmulatedKeyboard(socket: 0, name: "Stage Piano", serial: "0")
    pads = try EmulatedKeyboard(socket: 1, name: "Drum Machine", serial: "1")
  }

  private func plug(_ keyboard: Int) throws {
    try [upper, pads][keyboard].plug()
    plugs[keyboard] += 1
    isPlugged[keyboard] = true
    try server.says(": played by \(["Upper", "Pads"][keyboard])", times: plugs[keyboard])
  }

  private func unplug(_ keyboard: Int) throws {
    try [upper, pads][keyboard].unplug()
    isPlugged[keyboard] = false
    try server.says("no longer played by \(["Upper", "Pads"][keyboard])", times: plugs[keyboard])
  }

  /// Sends messages from a keyboard, if it is plugged in, and counts them.
  private func send(_ messages: String..., from keyboard: Int) throws {
    if !isPlugged[keyboard] { return }
    try [upper, pads][keyboard].send(messages.joined(separator: " "))
    notes += messages.count { $0.hasPrefix("9") }
    breaths += messages.count { $0.hasPrefix("B0 02") }
  }

  /// Plays both keyboards; what is struck is held.
  private func play(_ round: Int) throws {
    let key = String(0x3C + round, radix: 16)
    try send(
      "B0 40 7F", "90 2D 64", "90 \(key) 64", "B0 02 40", "B0 02 7F", "B0 02 00", from: 0)
    try send("99 24 64", "99 26 50", from: 1)
  }

  @Test
  func `every note and breath is in the take and in the recording, and nothing hangs`() throws {
    try plug(0)
    try plug(1)
    try server.says("sound: hw:Loopback,0: 48000 Hz")
    #expect(try user.run("scene", "verse").outputText == "Verse\n")
    for (number, order) in Self.orders.enumerated() {
      try play(number)
      for step in order {
        switch step {
        case .unplugUpper: try unplug(0)
        case .unplugPads: try unplug(1)
        case .plugUpper: try plug(0)
        case .plugPads: try plug(1)
        }
        // What is still plugged in goes on; with both unplugged, there is nothing to play.
        if isPlugged.contains(true) { try play(number) }
      }
      // A foot switch, with keys down; then everything is released.
      let isVerse = number % 2 == 0
      try send(isVerse ? "B0 50 7F B0 50 00" : "B0 51 7F B0 51 00", from: 0)
      try server.says(
        "scene: \(isVerse ? "Chorus" : "Verse")", times: number / 2 + (isVerse ? 1 : 2))
      try play(number)
      try send("80 2D 40", "80 \(String(0x3C + number, radix: 16)) 40", "B0 40 00", from: 0)
      try send("89 24 40", "89 26 40", from: 1)
    }
    let take = user.folder("take.mid")
    try wait {
      _ = try user.run("take", "--overwrite", "-o", take)
      return try messages(of: take).count(where: \.startsNote) >= notes ? () : nil
    }
    try compare(take)
    // Two seconds of silence, in the time of the recording, which is late on a busy machine.
    let size = { [user] in user.folder.size(of: ".evening.wav.") ?? 0 }
    let end = size() + 2 * 48_000 * MemoryLayout<Float>.size * 2
    try server.wait { size() >= end }
    server.send(SIGTERM)
    #expect(try server.result().exitCode == 0)
    try compare(user.folder("evening.mid"))
    let audio = leftChannel(of: user.folder("evening.wav"))
    #expect((audio.map(abs).max() ?? 0) > 0.01)
    #expect((audio.suffix(24_000).map(abs).max() ?? 1) < 1e-4)
  }

  private func messages(of file: String) throws -> [ChannelMessage] {
    let bytes = try [UInt8](Data(contentsOf: URL(filePath: file)))
    return try StandardMIDIFile(decoding: bytes).timeline(sampleRate: 48_000).events.compactMap {
      if case .channel(let message) = $0.message { message } else { nil }
    }
  }

  /// Compares a file with what has been sent.
  private func compare(_ file: String) throws {
    let messages = try messages(of: file)
    #expect(messages.count(where: \.startsNote) == notes, "\(file)")
    var held = HeldNotes()
    for message in messages { held.follow(message) }
    #expect(held.isEmpty, "\(file)")
    let breath = messages.filter { $0.kind == .controlChange && $0.data1 == 11 }
    #expect(breath.count { $0.data2 == 0x40 } == breaths / 3, "\(file)")
    #expect(breath.count { $0.data2 == 0x7F } >= breaths / 3, "\(file)")
  }
}
