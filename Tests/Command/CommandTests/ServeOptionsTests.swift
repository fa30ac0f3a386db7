import PortativeServer
import Testing

@testable import LocalSystem
@testable import portative

@Suite(.timeLimit(.minutes(5))) struct ServeOptionsTests {
  private func options(_ words: String) throws -> ServeOptions {
    try ServeOptions(arguments: words.split(separator: " ").map(String.init))
  }

  @Test func `keyboards and the default sound device are used by default`() throws {
    let options = try options("")
    #expect(options.settings.usesKeyboards)
    let sound = options.settings.sound
    #expect(sound == SoundChoice(device: .alsa("default"), rate: 48_000, period: 256))
  }

  @Test(arguments: [
    ("none", SoundChoice.Device.none), ("jack", .jack), ("hw:0", .alsa("hw:0")),
  ])
  func `--audio selects the sound device`(text: String, device: SoundChoice.Device) throws {
    #expect(try options("--audio \(text)").settings.sound.device == device)
    #expect(device.text == text)
  }

  @Test func `the arguments of settings parse to the same settings`() throws {
    let words = "--audio hw:1 --rate 44100 --period 64 --midi none --name x"
    let settings = try options(words).settings
    #expect(try ServeOptions(arguments: settings.arguments).settings == settings)
  }

  @Test(arguments: [
    ("--rate 4", "--rate must be a whole number from 8000 to 96000, but was '4'"),
    ("--period 8", "--period must be a whole number from 16 to 8192, but was '8'"),
    ("--midi usb", "--midi must be one of alsa, none, but was 'usb'"),
    ("song.mid", "serve takes no file, but got 'song.mid'"),
  ])
  func `an invalid value is refused with a message`(words: String, message: String) {
    let failure = #expect(throws: Failure.self) { try options(words) }
    #expect(failure?.message.contains(message) == true)
    #expect(failure?.kind == .usage)
  }
}
