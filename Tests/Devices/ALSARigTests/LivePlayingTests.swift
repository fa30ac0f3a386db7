import Foundation
import Glibc
import ProgramTestSupport
import TestSupport
import Testing

/// Tests of `portative serve` as a musician uses it, with keyboards that are plugged in.
///
/// Reverb and chorus are off because they are time-variant: so the captured sound can be compared bit for bit
/// with `portative render` of the same notes. Periods are long because an emulated machine is slow.
@Suite(
  .timeLimit(Rig.timeLimit),
  .enabled(if: Rig.hasKeyboards && Rig.hasLoopback, "needs the rig, in real time: make test-alsa"),
  .serialized)
struct LivePlayingTests {
  let user: TemporaryUser
  let server: Program

  init() throws {
    user = try .withKeys(
      and: """
        { name: "Test: Other", subtype: "othr", reverb: false, chorus: false,
          keyboards: ["Second*"] }
        """)
    server = try user.serve("--midi", "alsa", "--audio", "hw:Loopback,0", "--period", "8192")
  }

  private func said(_ text: String) throws {
    try server.says(text)
  }

  /// The state of the card's playback from the kernel, such as "closed".
  private var playback: String {
    get throws {
      try String(contentsOfFile: "/proc/asound/Loopback/pcm0p/sub0/status", encoding: .utf8)
    }
  }

  private func plugged(_ name: String, socket: Int) throws -> EmulatedKeyboard {
    let keyboard = try EmulatedKeyboard(socket: socket, name: name, serial: "\(socket)")
    try keyboard.plug()
    try said("played by \(name)")
    try said("sound: hw:Loopback,0: 48000 Hz")
    return keyboard
  }

  /// Returns `count` frames from the first sound on.
  private func sound(_ samples: [Float], _ count: Int) throws -> [Float] {
    let first = try #require(samples.firstIndex { $0 != 0 }, "nothing was heard")
    try #require(samples.count >= first + count)
    return Array(samples[first..<first + count])
  }

  /// Returns the output of `portative render` for keys that are pressed together.
  private func rendered(_ keys: [UInt8]) throws -> [Float] {
    let song = try user.folder.put(
      songBytes(keys.map { Note(tick: 0, key: $0, length: 2000) }), "chord.mid")
    let file = user.folder("chord.wav")
    let result = try user.run(
      "render", "--reverb", "off", "--chorus", "off", "--bits", "32f", "-o", file, song)
    #expect(result.exitCode == 0, "\(result.errors)")
    return leftChannel(of: file)
  }

  @Test func `one sound: a note that is played has the bits of one that is rendered`() throws {
    let keyboard = try plugged("Test Piano", socket: 0)
    let recorder = try Recorder(in: user.folder, seconds: 4)
    try keyboard.send("90 3C 64")
    let heard = try sound(recorder.left(), 48_000)
    #expect(try heard == sound(rendered([60]), 48_000))
  }

  @Test func `a played chord has the bits of a rendered one`() throws {
    let keyboard = try plugged("Test Piano", socket: 0)
    let recorder = try Recorder(in: user.folder, seconds: 4)
    try keyboard.send("90 3C 64 90 40 64 90 43 64")
    let heard = try sound(recorder.left(), 48_000)
    let rendered = try sound(rendered([60, 64, 67]), 48_000)
    for frequency in [130.8, 261.6, 277.2, 329.6, 349.2, 392, 440] {
      let (played, expected) = (
        level(of: frequency, in: heard, from: 9600), level(of: frequency, in: rendered, from: 9600)
      )
      #expect(abs(played - expected) < 0.003, "\(frequency) Hz")
    }
    #expect(level(of: 329.6, in: heard, from: 9600) > 0.003)
  }

  @Test func `a keyboard unplugged with keys down becomes silent, and another continues`() throws {
    let first = try plugged("First Organ", socket: 0)
    let second = try plugged("Second Organ", socket: 1)
    let recorder = try Recorder(in: user.folder, seconds: 12)
    // Church organ: it sounds as long as a key is down.
    try first.send("C0 13 90 45 64")
    // A key that is not an overtone of the other.
    try second.send("C0 13 90 56 64")
    try recorder.wait(frames: 96_000)
    let unplugged = recorder.frames
    try first.unplug()
    try said("no longer played by First Organ")
    let heard = recorder.left()
    let (low, high) = (
      { level(of: 220, in: heard, from: $0) }, { level(of: 1174.7, in: heard, from: $0) }
    )
    #expect(low(unplugged - 24_000) > 0.003)
    let silent = stride(from: unplugged, to: heard.count - 4800, by: 4800).first { low($0) < 1e-4 }
    let seconds = try Double(#require(silent) - unplugged) / 48_000
    // The recorder's unwritten audio, the device's buffer, and one more second.
    #expect(seconds < (Rig.current == .native ? 2.1 : 4), "it took \(seconds) s")
    // An xrun, which may occur on a busy machine, costs the length of the buffer: half a second.
    let isWhole = !server.errors.contains("xrun")
    for frame in stride(
      from: isWhole ? unplugged : heard.count - 48_000, to: heard.count - 9600, by: 4800)
    {
      #expect(high(frame) > 0.003)
    }
  }

  @Test func `a keyboard that is plugged in again plays the same port, without its old notes`()
    throws
  {
    let keyboard = try plugged("Test Organ", socket: 0)
    try keyboard.send("C0 13 90 45 64")
    try keyboard.unplug()
    try said("no longer played by Test Organ")
    try keyboard.plug()
    try server.says("Keys: played by Test Organ", times: 2)
    try wait { try playback.hasPrefix("state: RUNNING") ? () : nil }
    let recorder = try Recorder(in: user.folder, seconds: 4)
    try keyboard.send("90 51 64")
    let heard = recorder.left()
    let end = heard.count - 9600
    #expect(level(of: 220, in: heard, from: end) < 1e-4)
    #expect(level(of: 880, in: heard, from: end) > 0.003)
  }

  @Test func `with nothing connected the device is closed, and no thread wakes`() throws {
    // An idle thread of the system's pool may end after five seconds.
    func sleeps() throws {
      try wait { server.sleepsFor(seconds: 3) ? () : nil }
    }
    try sleeps()
    let keyboard = try plugged("Test Piano", socket: 0)
    #expect(!server.sleepsFor(seconds: 1))
    try keyboard.unplug()
    try said("sound: closed")
    #expect(try playback == "closed\n")
    try sleeps()
  }

  @Test func `other programs see the ports by their names, and aplaymidi plays them`() throws {
    let list = Process()
    let output = Pipe()
    list.executableURL = URL(filePath: "/usr/bin/aconnect")
    list.arguments = ["-l"]
    list.standardOutput = output
    try list.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    #expect(text.contains("'Portative' [type=user"))
    #expect(text.contains("'Test: Keys"))
    #expect(text.contains("'Test: Other"))
    let song = try user.folder.put(songBytes([Note(tick: 960, key: 69, length: 4000)]), "a.mid")
    let player = Process()
    player.executableURL = URL(filePath: "/usr/bin/aplaymidi")
    player.arguments = ["-p", "Portative:1", song]
    try player.run()
    try said("sound: hw:Loopback,0")
    let heard = try Recorder(in: user.folder, seconds: 4).left()
    player.waitUntilExit()
    #expect(player.terminationStatus == 0)
    let loudest =
      stride(from: 0, to: heard.count - 4800, by: 4800)
      .map { level(of: 440, in: heard, from: $0) }.max() ?? 0
    #expect(loudest > 0.003)
  }
}

extension Program {
  /// Returns whether no thread of the program was scheduled for `seconds` seconds.
  fileprivate func sleepsFor(seconds: UInt32) -> Bool {
    let before = switches
    sleep(seconds)
    return switches == before
  }

  /// The number of context switches of each thread.
  private var switches: [String: String] {
    let folder = "/proc/\(process.processIdentifier)/task"
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    var switches: [String: String] = [:]
    for thread in threads {
      let status =
        (try? String(contentsOfFile: "\(folder)/\(thread)/status", encoding: .utf8)) ?? ""
      switches[thread] = status.split(separator: "\n").filter { $0.contains("ctxt_switches") }
        .joined()
    }
    return switches
  }
}
