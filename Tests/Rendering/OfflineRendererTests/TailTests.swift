import AudioFile
import Foundation
import MIDIFile
import RenderCore
import TestSupport
import Testing
import noisefont

@testable import FluidSynthEngine
@testable import OfflineRenderer

/// A SoundFont of one preset whose sample has a pause of 1.38 s after 0.23 s.
private func pausedFont(in folder: TemporaryFolder) throws -> SoundFont {
  var bytes = NoiseSoundFont(presets: 1, frames: 110_250).bytes()
  let data = try #require(bytes.firstRange(of: Array("smpl".utf8))?.upperBound) + 4
  let sampleBytes = 2 * (110_250 + 46)
  for sample in 0..<2 {
    let start = data + sample * sampleBytes
    for index in start + 2 * 11_025..<start + 2 * 77_175 { bytes[index] = 0 }
  }
  let path = folder("paused.sf2")
  try Data(bytes).write(to: URL(filePath: path))
  return try .open(path)
}

@Test(arguments: [Timing.exact, .stock])
func `silence is not the end while a voice is active`(timing: Timing) throws {
  let folder = try TemporaryFolder()
  // The release time by a non-registered parameter, as long as it can be.
  let note = [
    control(0, 99, 120), control(0, 98, 38), control(0, 38, 127), control(0, 6, 127), on(0, 60),
    off(100, 60),
  ]
  var settings = RenderSettings()
  settings.timing = timing
  settings.effects = Effects(reverb: false, chorus: false)
  func frames(_ tail: RenderSettings.Tail) throws -> Int {
    settings.tail = tail
    return try SongRenderer(soundFont: pausedFont(in: folder), settings: settings)
      .render(song(note, end: 4_800), to: folder.file()).audio.file.frames
  }
  // The sound returns after the pause, and ends.
  #expect(try frames(.silence) > 90_000)
  let samples = try folder.samples()
  _ = try frames(.seconds(20))
  let whole = try folder.samples()
  #expect(whole[..<samples.count].elementsEqual(samples))
  #expect(whole[samples.count...].allSatisfy { abs($0) <= SilenceTrimmer.threshold })
}
