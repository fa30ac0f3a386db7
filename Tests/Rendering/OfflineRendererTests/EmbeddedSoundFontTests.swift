import AudioFile
import Foundation
import MIDIFile
import RenderCore
import TestSupport
import Testing
import noisefont

@testable import FluidSynthEngine
@testable import OfflineRenderer

private func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
  let size = UInt32(content.count)
  return Array(name.utf8) + [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: size >> $0) } + content
    + (content.count % 2 == 0 ? [] : [0])
}

/// Returns an RMID file whose song plays a program of a bank.
private func file(_ font: [UInt8], bank: UInt8, program: UInt8, offset: UInt8) throws
  -> StandardMIDIFile
{
  let events = [
    control(0, 0, bank),
    Event(tick: 0, .channel(ChannelMessage(.programChange, channel: 0, program))),
    on(0, 60), off(9_000, 60),
  ]
  let information = chunk("LIST", Array("INFO".utf8) + chunk("DBNK", [offset, 0]))
  return try StandardMIDIFile(
    decoding: chunk(
      "RIFF",
      Array("RMID".utf8) + chunk("data", song(events, end: 10_000).encoded()) + information + font))
}

private let noise = NoiseSoundFont(presets: 2).bytes()

private func render(
  _ song: StandardMIDIFile, soundFont: SoundFont? = nil,
  _ change: (inout RenderSettings) -> Void = { _ in }
) throws -> SongReport {
  let folder = try TemporaryFolder()
  var settings = RenderSettings()
  settings.tail = .exact
  change(&settings)
  return try SongRenderer(soundFont: soundFont ?? .open(bundledSoundFont), settings: settings)
    .render(song, to: folder.file())
}

@Test func `a file plays with the SoundFont in it, at its bank`() throws {
  let folder = try TemporaryFolder()
  try Data(noise).write(to: URL(filePath: folder("noise.sf2")))
  let alone = try render(
    file([], bank: 0, program: 1, offset: 0), soundFont: .open(folder("noise.sf2")))
  let embedded = try render(file(noise, bank: 3, program: 1, offset: 3))
  #expect(embedded.audio.hash == alone.audio.hash)
  #expect(embedded.embeddedSoundFont == .init(isUsed: true, bankOffset: 3))
  #expect(embedded.substitutions.isEmpty)
}

@Test func `what it does not have is played with the other SoundFont`() throws {
  let plain = try render(file([], bank: 0, program: 40, offset: 0))
  let embedded = try render(file(noise, bank: 0, program: 40, offset: 0))
  #expect(embedded.audio.hash == plain.audio.hash && embedded.audio.file.peak > 0)
  #expect(embedded.embeddedSoundFont?.isUsed == true)
}

@Test func `the font beneath may load its samples as they are needed`() throws {
  let lower = try SoundFont.open(bundledSoundFont, smallest: 0)
  let plain = try render(file([], bank: 0, program: 40, offset: 0))
  #expect(
    try render(file(noise, bank: 0, program: 40, offset: 0), soundFont: lower).audio.hash
      == plain.audio.hash)
}

@Test func `it can be ignored, and one that is unusable is reported`() throws {
  let plain = try render(file([], bank: 0, program: 0, offset: 0))
  let ignored = try render(file(noise, bank: 0, program: 0, offset: 0)) {
    $0.usesEmbeddedSoundFont = false
  }
  #expect(ignored.audio.hash == plain.audio.hash)
  #expect(ignored.embeddedSoundFont == .init(isUsed: false, bankOffset: 0))
  var damaged = noise
  damaged.removeLast(400)
  let size = UInt32(damaged.count - 8)
  for byte in 0..<4 { damaged[4 + byte] = UInt8(truncatingIfNeeded: size >> (8 * byte)) }
  let repaired = try render(file(damaged, bank: 0, program: 0, offset: 0))
  #expect(repaired.audio.hash == plain.audio.hash)
  #expect(repaired.embeddedSoundFont?.isUsed == false && repaired.embeddedSoundFont?.fault != nil)
}

@Test func `each of many songs has its own`() throws {
  let other = NoiseSoundFont(presets: 1, frames: 5_000).bytes()
  let renderer = SongRenderer(soundFont: try .open(bundledSoundFont), settings: RenderSettings())
  let folder = try TemporaryFolder()
  func hash(_ font: [UInt8]) throws -> String {
    try renderer.render(file(font, bank: 0, program: 0, offset: 0), to: folder.file()).audio.hash
  }
  let (first, second) = (try hash(noise), try hash(other))
  #expect(first != second)
  #expect(try hash(noise) == first && hash(other) == second)
}
