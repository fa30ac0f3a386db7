import ProgramTestSupport
import TestSupport
import Testing

/// A host connects to a port that a keyboard plays through the sound device, and disconnects.
@Suite(
  .timeLimit(Rig.timeLimit),
  .enabled(if: Rig.hasKeyboards && Rig.hasLoopback, "needs the rig, in real time: make test-alsa"),
  .serialized)
struct TakenPortTests {
  private let user: TemporaryUser

  init() throws {
    user = try .withKeys()
  }

  @Test func `sounding notes fade out without a click, and later notes are heard`() throws {
    let server = try user.serve(
      "--midi", "alsa", "--audio", "hw:Loopback", "--period", "8192")
    let keyboard = try EmulatedKeyboard(socket: 0, name: "Test Organ", serial: "1")
    try keyboard.plug()
    try server.says("sound: hw:Loopback: 48000 Hz")
    // Repeat if the machine was too slow.
    let fading = try wait {
      let xruns = server.count(of: "xrun")
      let heard = try taken(from: keyboard)
      return server.count(of: "xrun") == xruns ? heard : nil
    }
    try checkFade(of: fading)

    let back = try Recorder(in: user.folder, seconds: 4)
    try keyboard.send("90 51 64")
    let heard = back.left()
    #expect(level(of: 220, in: heard, from: heard.count - 9600) < 1e-4)
    #expect(level(of: 880, in: heard, from: heard.count - 9600) > 0.003)
  }

  /// Returns the device's output while a host connects to the port, plays a song and disconnects.
  private func taken(from keyboard: EmulatedKeyboard) throws -> [Float] {
    let song = try user.folder.put(songBytes([Note(tick: 0, key: 60, length: 2000)]))
    let recorder = try Recorder(in: user.folder, seconds: 15)
    // Church organ: it sounds as long as a key is down.
    try keyboard.send("C0 13 90 45 64")
    try recorder.wait(frames: 96_000)
    let host = try user.start(
      "play", "--audio", "none", "--cycle", "1024", "--node", "Test: Keys", song)
    let result = try host.result(within: 120)
    #expect(result.exitCode == 0, "\(result.errors)")
    return recorder.left()
  }

  /// Checks that the tone is constant until it fades within some tens of milliseconds, without a step between
  /// two samples that is greater than the tone's own.
  private func checkFade(of heard: [Float]) throws {
    let end = try #require(heard.lastIndex { $0 != 0 }, "nothing was heard")
    #expect(end < heard.count - 24_000, "it did not go away")
    let (tone, fade) = (heard[(end - 24_000)..<(end - 4800)], heard[(end - 4800)...])
    #expect(level(of: 220, in: heard, from: end - 9600) > 0.003)
    let loudness = peak(tone)
    let last = try #require(fade.lastIndex { abs($0) > loudness / 2 })
    #expect(end - last < 4800, "it took \(end - last) frames")
    #expect(largestStep(fade) <= largestStep(tone) * 1.1)
  }

  private func largestStep(_ samples: ArraySlice<Float>) -> Float {
    zip(samples, samples.dropFirst()).reduce(0) { max($0, abs($1.1 - $1.0)) }
  }
}
