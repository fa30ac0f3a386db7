import Glibc
import JACKTestSupport
import ProgramTestSupport
import SoundTestSupport
import TestSupport
import Testing

/// Tests of `portative serve` when its sound device is removed and returns: hosts are not affected, keyboards
/// stay connected, notes end, and the sound returns automatically.
@Suite(
  .timeLimit(Rig.timeLimit),
  .enabled(if: Rig.hasKeyboards, "needs the rig, in real time: make test-alsa"), .serialized)
struct LostDeviceTests {
  private let user: TemporaryUser
  /// Church organ: it sounds as long as a key is down.
  private let organ = "C0 13"

  init() throws {
    user = try .withKeys()
  }

  private func plugged(_ server: Program) throws -> EmulatedKeyboard {
    let keyboard = try EmulatedKeyboard(socket: 0, name: "Test Organ", serial: "1")
    try keyboard.plug()
    try server.says("Test: Keys: played by Test Organ")
    return keyboard
  }

  /// Plays a song on the port from an offline host.
  private func checkHost() throws {
    let song = try user.folder.put(shortSong())
    let result = try user.run("play", "--node", "Test: Keys", "-o", user.folder("host.wav"), song)
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(peak(leftChannel(of: user.folder("host.wav"))) > 0.01)
  }

  @Test(.enabled(if: TestJACKServer.isRequired, "needs jackd: apt-get install jackd2"))
  func `the crash of a JACK server is reported, and a new server is used`() throws {
    let first = try TestJACKServer(frames: 8192)
    user.variables["JACK_DEFAULT_SERVER"] = first.name
    let server = try user.serve("--midi", "alsa", "--audio", "jack")
    let keyboard = try plugged(server)
    try server.says("sound: jack: 48000 Hz, 8192 frames, as 'Test Keys'")
    try keyboard.send("\(organ) 90 45 64")
    let heard = try listen(to: first)
    #expect(level(of: 220, in: heard, from: heard.count - 9600) > 0.003)

    // The port may have been published before the first server was ready.
    let absence = "no sound from 'jack': no JACK server is running for this user; start one, with "
    let complaints = server.count(of: absence)
    first.end(SIGKILL)
    try server.says(
      "the sound device is lost: the JACK server has ended or disconnected this client")
    try server.says(absence, times: complaints + 1)
    try checkHost()

    let second = try TestJACKServer(after: first, frames: 8192)
    try server.says("the sound device has returned: jack: 48000 Hz")
    try keyboard.send("\(organ) 90 51 64")
    let again = try listen(to: second)
    // The key is still held.
    #expect(level(of: 220, in: again, from: again.count - 9600) > 0.003)
    #expect(level(of: 880, in: again, from: again.count - 9600) > 0.003)
    // Each is reported once, regardless of the number of attempts.
    #expect(server.count(of: absence) == complaints + 1, "\(server.errors)")
    #expect(server.count(of: "played by") == 1)
  }

  @Test(.enabled(if: TestJACKServer.isRequired, "needs jackd: apt-get install jackd2"))
  func `a JACK server that restarts with another rate is used at that rate`() throws {
    let first = try TestJACKServer(rate: 48_000, frames: 8192)
    user.variables["JACK_DEFAULT_SERVER"] = first.name
    let server = try user.serve("--midi", "alsa", "--audio", "jack")
    let keyboard = try plugged(server)
    try server.says("sound: jack: 48000 Hz, 8192 frames")
    try keyboard.send("\(organ) 90 45 64")
    first.end()
    try server.says(
      "the sound device is lost: the JACK server has ended or disconnected this client")

    let second = try TestJACKServer(after: first, rate: 44_100, frames: 4096)
    try server.says("the sound device has returned: jack: 44100 Hz, 4096 frames")
    try keyboard.send("90 51 64")
    let heard = try listen(to: second)
    // The program and the key that is held are kept, and the pitch is correct.
    #expect(level(of: 880 * 48_000 / 44_100, in: heard, from: heard.count - 9600) > 0.003)
    #expect(level(of: 220 * 48_000 / 44_100, in: heard, from: heard.count - 9600) > 0.003)
    let status = try user.run("list", "--status", "--json")
    #expect(status.outputText.contains("jack: 44100 Hz"))
    #expect(server.count(of: "played by") == 1)
  }

  /// Returns a second of the left channel, from its first sound on.
  private func listen(to server: TestJACKServer) throws -> [Float] {
    let listener = try RecordingClient(server: server.name)
    listener.connect(to: ["Test Keys:out_left", "Test Keys:out_right"])
    return try wait {
      let left = listener.left
      guard let first = left.firstIndex(where: { $0 != 0 }), left.count >= first + 48_000 else {
        return nil
      }
      return Array(left[first..<first + 48_000])
    }
  }

  @Test(.enabled(if: Rig.hasRemovableCard, "needs a second card of snd-aloop, as root"))
  func `the loss of a card is reported, and it is used when it returns`() throws {
    let server = try user.serve(
      "--midi", "alsa", "--audio", "hw:Removable", "--period", "8192")
    let keyboard = try plugged(server)
    try server.says("sound: hw:Removable: 48000 Hz")
    let before = try Recorder(in: user.folder, card: "Removable", seconds: 3)
    try keyboard.send("\(organ) 90 45 64")
    let heard = before.left()
    #expect(level(of: 220, in: heard, from: heard.count - 9600) > 0.003)

    let unplugging = RemovableCard.unplug()
    try server.says("the sound device is lost: the device was unplugged, or its sound server ended")
    unplugging.join()
    try server.says("no sound from 'hw:Removable': there is no such device: plug it in")
    try checkHost()

    RemovableCard.plug()
    try server.says("the sound device has returned: hw:Removable: 48000 Hz")
    let after = try Recorder(in: user.folder, card: "Removable", seconds: 3)
    try keyboard.send("\(organ) 90 51 64")
    let again = after.left()
    // The key is still held.
    #expect(level(of: 220, in: again, from: again.count - 9600) > 0.003)
    #expect(level(of: 880, in: again, from: again.count - 9600) > 0.003)
    #expect(server.count(of: "played by") == 1)
  }
}
