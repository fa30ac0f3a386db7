import AudioFile
import Foundation
import OfflineRenderer
import Testing

private func write(
  _ frames: Int, framesPerBlock: Int, to path: String, measuresLoudness: Bool = true
) throws -> AudioFigures {
  var file = try RenderedFile(
    to: .file(path), format: AudioFormat(.raw, bits: .b32f), sampleRate: 48000,
    measuresLoudness: measuresLoudness)
  for start in stride(from: 0, to: frames, by: framesPerBlock) {
    let range = start..<min(start + framesPerBlock, frames)
    let interleaved = range.flatMap {
      [Float(sin(Double($0) * 0.05)), Float(sin(Double($0) * 0.07)) / 2]
    }
    try file.write(interleaved: interleaved.span)
  }
  return try file.finish()
}

@Test func `the figures do not depend on the blocks, nor the hash on the file`() throws {
  let path = FileManager.default.temporaryDirectory.path() + "/portative-\(getpid()).raw"
  defer { try? FileManager.default.removeItem(atPath: path) }
  let figures = try write(48000, framesPerBlock: 480, to: path)
  #expect(figures.file.frames == 48000 && figures.seconds == 1)
  #expect(figures.file.peak > 0.999 && figures.file.clippedFrames == 0)
  #expect((figures.truePeak ?? 0) >= Double(figures.file.peak) * 0.999)
  #expect((figures.integratedLoudness ?? 0) < -2)
  #expect(try write(48000, framesPerBlock: 1000, to: path) == figures)
  let without = try write(48000, framesPerBlock: 64, to: path, measuresLoudness: false)
  #expect(without.hash == figures.hash && without.truePeak == nil)
  #expect(try write(47999, framesPerBlock: 480, to: path).hash != figures.hash)
}
