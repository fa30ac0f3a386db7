import SoundDevices
import Testing

@testable import LocalSystem
@testable import portative

@Suite struct ServeOptionsTests {
  private func options(_ words: String) throws -> ServeOptions {
    try ServeOptions(arguments: words.split(separator: " ").map(String.init))
  }

  @Test func `keyboards and the default sound device are used if nothing else is said`() throws {
    let options = try options("")
    #expect(options.keyboards == .alsa)
    #expect(options.sound == SoundChoice(device: .alsa("default"), rate: 48_000, period: 256))
  }

  @Test(arguments: [
    ("none", SoundChoice.Device.none), ("jack", .jack), ("hw:0", .alsa("hw:0")),
  ])
  func `sound goes where it is told`(text: String, device: SoundChoice.Device) throws {
    #expect(try options("--audio \(text)").sound.device == device)
    #expect(device.text == text)
  }

  @Test func `what was asked for can be asked for again`() throws {
    let asked = try options("--audio hw:1 --rate 44100 --period 64 --midi none").sound
    #expect(try ServeOptions(arguments: asked.words).sound == asked)
  }

  @Test(arguments: [
    ("--rate 4", "--rate must be a whole number from 8000 to 96000, but was '4'"),
    ("--period 8", "--period must be a whole number from 16 to 8192, but was '8'"),
    ("--midi usb", "--midi must be one of alsa, none, but was 'usb'"),
    ("song.mid", "serve takes no file, but got 'song.mid'"),
  ])
  func `what makes no sense is said in a sentence`(words: String, sentence: String) {
    let failure = #expect(throws: Failure.self) { try options(words) }
    #expect(failure?.message.contains(sentence) == true)
    #expect(failure?.kind == .usage)
  }
}
