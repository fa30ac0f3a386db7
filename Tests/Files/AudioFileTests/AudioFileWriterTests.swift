import CSndFile
import Glibc
import TestSupport
import Testing

@testable import AudioFile

private let everyFormat: [AudioFormat] = AudioFormat.Container.allCases.flatMap { container in
  container.isCoded
    ? [try! AudioFormat(container)]
    : container.bits.map { try! AudioFormat(container, bits: $0) }
}
private let losslessWithHeader = everyFormat.filter {
  !$0.container.isCoded && $0.container != .raw
}

@Test(arguments: losslessWithHeader)
func `decodes to the samples within half a quantization step`(format: AudioFormat) throws {
  let folder = try TemporaryFolder()
  let samples = tones(frames: 5000)
  let summary = try writeFile(folder("x"), format, samples)
  let file = try #require(DecodedFile(folder("x")))
  #expect(summary.frames == 5000)
  #expect(summary.bytes == fileBytes(folder("x")).count)
  #expect(file.frames == 5000)
  #expect(file.information.channels == 2)
  #expect(file.information.samplerate == 48000)
  let worst = zip(samples, file.samples).map { abs($0 - $1) }.max() ?? 1
  switch format.encoding {
  case .pcm16: #expect(worst <= 1.5 / 32768 && worst > 0.5 / 32768)
  case .pcm24: #expect(worst <= 0.5001 / 8_388_608)
  default: #expect(worst == 0)
  }
}

@Test(arguments: everyFormat.filter(\.container.isCoded))
func `a lossy file decodes to the tones`(format: AudioFormat) throws {
  let folder = try TemporaryFolder()
  let samples = tones(frames: 48000)
  try writeFile(folder("x"), format, samples)
  let file = try #require(DecodedFile(folder("x")))
  #expect(file.information.samplerate == 48000)
  // The delay and padding of the codecs differ; the power of a steady tone does not.
  #expect(file.samples.count >= samples.count && file.samples.count <= samples.count + 4 * 1152 * 2)
  func power(_ block: [Float]) -> Float {
    let middle = block[block.count / 4..<block.count / 4 + 40000]
    return middle.reduce(0) { $0 + $1 * $1 } / 40000
  }
  #expect(abs(power(file.samples) / power(samples) - 1) < 0.05)
}

@Test(arguments: everyFormat)
func `equal samples give equal bytes, whatever the length of the blocks`(format: AudioFormat) throws
{
  let folder = try TemporaryFolder()
  let samples = tones(frames: 6000, level: 1.1)
  try writeFile(folder("a"), format, samples, framesPerBlock: 6000)
  let whole = fileBytes(folder("a"))
  #expect(whole.count > 100)
  for framesPerBlock in [64, 1023] {
    try writeFile(folder("b"), format, samples, framesPerBlock: framesPerBlock)
    // Compared outside the expectation, which would print all bytes.
    let isSame = fileBytes(folder("b")) == whole
    #expect(isSame, "in blocks of \(framesPerBlock)")
  }
}

@Test func `interleaved and separate channels give equal files`() throws {
  let folder = try TemporaryFolder()
  let format = try AudioFormat(.wav)
  let samples = tones(frames: 500)
  try writeFile(folder("a"), format, samples)
  var writer = try AudioFileWriter(to: .file(folder("b")), format: format, sampleRate: 48000)
  let left = stride(from: 0, to: 1000, by: 2).map { samples[$0] }
  let right = stride(from: 1, to: 1000, by: 2).map { samples[$0] }
  try writer.write(left: left.span, right: right.span)
  _ = try writer.finish()
  let isSame = fileBytes(folder("a")) == fileBytes(folder("b"))
  #expect(isSame)
}

@Test func `counts the frames that clip, and limits them to full scale`() throws {
  let folder = try TemporaryFolder()
  let samples: [Float] = [1.5, 0, 0, -2, 1, -1, 1.01, 1.01, 0.5, 0.5]
  for bits in AudioFormat.Bits.allCases {
    let summary = try writeFile(folder("x"), AudioFormat(.wav, bits: bits), samples)
    #expect(summary.clippedFrames == 3)
    #expect(summary.peak == 2)
    let decoded = try #require(DecodedFile(folder("x"))).samples
    #expect((decoded[3] == -1) == (bits != .b32f))
    #expect(bits == .b32f ? decoded == samples : decoded[0] > 0.9999 && decoded[0] < 1)
  }
}

@Test func `writes a file for an empty song`() throws {
  let folder = try TemporaryFolder()
  for format in losslessWithHeader {
    #expect(try writeFile(folder("x"), format, []).frames == 0)
    // Decode the file, because a length of 0 in FLAC means unknown.
    #expect(DecodedFile(folder("x"))?.samples == [], "\(format)")
  }
}

@Test(arguments: [Float.nan, .infinity, -.infinity])
func `refuses infinite and NaN samples, and leaves no file`(value: Float) throws {
  let folder = try TemporaryFolder()
  var samples = tones(frames: 100)
  samples[161] = value
  #expect(throws: AudioFileError.notFinite(frame: 80)) {
    try writeFile(folder("x.wav"), AudioFormat(.wav), samples, framesPerBlock: 7)
  }
  #expect(folder.names == [])
}

/// The file is sparse: only its ends are on the disk.
@Test func `a WAV file becomes RF64 when it passes 4 GiB, also while it is recorded`() throws {
  let folder = try TemporaryFolder()
  let format = try AudioFormat(.wav, bits: .b32f)
  var writer = try AudioFileWriter(
    to: .recording(folder("x")), format: format, sampleRate: 48_000)
  let samples = tones(frames: 4096)
  try writer.write(interleaved: samples.span)
  try writer.updateHeader()
  let temporary = try #require(folder.names.first)
  #expect(DecodedFile(folder(temporary), decode: false)?.container == SF_FORMAT_WAV)
  let gap = 1 << 29
  // Without the constant, the compiler of Swift 6.3 aborts when it builds for ThreadSanitizer.
  let output = writer.output
  output.position += 8 * gap
  try writer.write(interleaved: samples.span)
  try writer.updateHeader()
  func check(_ path: String) throws {
    let file = try #require(DecodedFile(path, decode: false))
    #expect(file.container == SF_FORMAT_RF64 && file.frames == gap + 2 * 4096)
    let descriptor = open(path, O_RDONLY)
    defer { close(descriptor) }
    var end = [Float](repeating: 0, count: samples.count)
    let bytes = 4 * end.count
    #expect(pread(descriptor, &end, bytes, lseek(descriptor, 0, SEEK_END) - bytes) == bytes)
    #expect(end == samples)
  }
  try check(folder(temporary))
  _ = try writer.finish()
  try check(folder("x"))
}

@Test func `writes the program's name into the tags`() throws {
  let folder = try TemporaryFolder()
  for container in [AudioFormat.Container.wav, .rf64, .flac, .ogg, .opus, .aiff] {
    try writeFile(folder("x"), AudioFormat(container), tones(frames: 3000))
    let software = try #require(DecodedFile(folder("x"), decode: false)).software
    #expect(software?.hasPrefix("Portative") == true, "\(container): \(software ?? "none")")
  }
}

@Test(arguments: AudioFormat.Container.allCases.filter(\.canStream))
func `a pipe carries a file that decodes`(container: AudioFormat.Container) throws {
  let folder = try TemporaryFolder()
  let format = try AudioFormat(container)
  let samples = tones(frames: 4000)
  var ends: [CInt] = [0, 0]
  #expect(pipe(&ends) == 0)
  var writer = try AudioFileWriter(
    to: .descriptor(ends[1], name: "pipe"), format: format, sampleRate: 48000)
  try writer.write(interleaved: samples.span)
  let summary = try writer.finish()
  close(ends[1])
  var bytes = [UInt8](repeating: 0, count: 1 << 20)
  bytes.removeLast(bytes.count - read(ends[0], &bytes, bytes.count))
  close(ends[0])
  #expect(bytes.count == summary.bytes)
  if container == .raw {
    #expect(bytes.count == 16000)
    return
  }
  let copy = open(folder("x"), O_WRONLY | O_CREAT, 0o600)
  #expect(write(copy, bytes, bytes.count) == bytes.count)
  close(copy)
  let file = try #require(DecodedFile(folder("x")))
  #expect(file.samples.count >= samples.count)
}

@Test func `refuses to stream a format whose header is completed at the end`() throws {
  for container in AudioFormat.Container.allCases where !container.canStream {
    #expect(throws: AudioFileError.format(.cannotStream(container))) {
      _ = try AudioFileWriter(
        to: .descriptor(1, name: "standard output"), format: AudioFormat(container),
        sampleRate: 48000
      ).discard()
    }
  }
}
