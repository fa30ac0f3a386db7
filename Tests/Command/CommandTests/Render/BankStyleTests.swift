import Foundation
import ProgramTestSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct BankStyleTests {
  /// Returns a file of one track, whose events are given in hexadecimal with their delta times.
  private func song(_ track: String) -> Data {
    let events = (track + " 00 FF 2F 00").split(separator: " ").map { UInt8($0, radix: 16)! }
    let head: [UInt8] = Array("MThd".utf8) + [0, 0, 0, 6, 0, 0, 0, 1, 1, 0xE0]
    return Data(head + Array("MTrk".utf8) + [0, 0, 0, UInt8(events.count)] + events)
  }

  private let gsReset = "00 F0 0A 41 10 42 12 40 00 7F 00 41 F7"
  private let note = "00 90 26 64 87 40 80 26 40"

  /// Returns the samples of a song with FluidR3.
  private func play(_ track: String, _ options: String...) throws -> [Float] {
    let folder = try TemporaryFolder()
    let result = try Program(
      [
        "render", "-s", "/usr/share/sounds/sf2/FluidR3_GM.sf2", "--strict", "--bits", "32f",
        try folder.put(song(track)),
      ] + options
    ).result()
    #expect(result.exitCode == 0, "\(result.errors)")
    return samples(folder("song.wav"))
  }

  // Without effects, because a reset restarts their modulation.
  @Test func `a GS rhythm part plays its kit, in both timings`() throws {
    let kit = "00 C9 10 00 99 26 64 87 40 89 26 40"
    let part = "\(gsReset) 00 F0 0A 41 10 42 12 40 11 15 01 19 F7 00 C0 10 \(note)"
    for timing in ["exact", "stock"] {
      #expect(
        try play(part, "--timing", timing, "--reverb", "off", "--chorus", "off")
          == play(kit, "--timing", timing, "--reverb", "off", "--chorus", "off"))
    }
  }

  @Test func `a bank select after the program change is not reported as a missing preset`() throws {
    #expect(try play("00 C0 04 00 B0 00 08 \(note)") == play("00 C0 04 \(note)"))
  }

  @Test func `the style of banks can be chosen`() throws {
    let variation = try play("00 B0 00 08 00 C0 04 \(note)")
    let byFine = "00 B0 20 08 00 C0 04 \(note)"
    #expect(try play(byFine, "--bank-style", "xg") == variation)
    #expect(try play(byFine, "--bank-style", "gs") != variation)
    #expect(try play(byFine) != variation)
    let result = try render("song.mid", "--bank-style", "gsx")
    #expect(result.exitCode == 2)
    #expect(result.errors.contains("--bank-style"))
  }
}
