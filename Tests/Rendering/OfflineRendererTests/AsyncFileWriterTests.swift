import AudioFile
import TestSupport
import Testing

@testable import OfflineRenderer

private func write(_ frames: Int, to pipe: AsyncFileWriter, framesPerCall: Int) {
  for start in stride(from: 0, to: frames, by: framesPerCall) {
    let indices = start..<min(start + framesPerCall, frames)
    let left = indices.map { Float($0) }
    let right = indices.map { -Float($0) }
    left.withUnsafeBufferPointer { left in
      right.withUnsafeBufferPointer { right in pipe.write([left, right]) }
    }
  }
}

@Test(arguments: [1, 100, 4096, 10_000, 100_000])
func `all frames arrive, in order, whatever the portions`(framesPerCall: Int) throws {
  let folder = try TemporaryFolder()
  let pipe = try AsyncFileWriter(try folder.file())
  write(50_000, to: pipe, framesPerCall: framesPerCall)
  #expect(try pipe.drain().frames == 50_000)
  #expect(folder.names != ["a.raw"])
  let figures = try pipe.finish().mix
  pipe.discard()
  #expect(figures.file.frames == 50_000 && figures.file.peak == 49_999)
  #expect(try folder.samples().elementsEqual((0..<50_000).flatMap { [Float($0), -Float($0)] }))
}

@Test func `a discarded file leaves nothing, drained or not`() throws {
  let folder = try TemporaryFolder()
  let pipe = try AsyncFileWriter(try folder.file())
  write(10_000, to: pipe, framesPerCall: 1000)
  #expect(folder.names.isEmpty)
  pipe.discard()
  #expect(folder.names == [])
  let drained = try AsyncFileWriter(try folder.file())
  write(10_000, to: drained, framesPerCall: 1000)
  _ = try drained.drain()
  drained.discard()
  #expect(folder.names == [])
}

@Test func `a write error is detected while the pipe is still written to`() throws {
  let file = try RenderedFile(
    to: .file("/dev/full"), format: AudioFormat(.raw), sampleRate: 48_000,
    measuresLoudness: false)
  let pipe = try AsyncFileWriter(file)
  #expect(!pipe.hasFailed)
  var calls = 0
  // At most four blocks are queued, so the failure of the first is reported soon.
  while !pipe.hasFailed, calls < 1000 {
    write(4096, to: pipe, framesPerCall: 4096)
    calls += 1
  }
  #expect(calls < 1000)
  #expect(throws: AudioFileError.cannotWrite(path: "/dev/full", code: 28)) { try pipe.drain() }
  pipe.discard()
}
