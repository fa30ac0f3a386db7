import CSndFile
import Glibc
import TestSupport
import Testing

@testable import AudioFile

private func header(_ encoding: AudioFormat.Encoding, title: String? = nil) -> WaveHeader {
  WaveHeader(encoding: encoding, sampleRate: 48000, software: "Portative", title: title)
}

/// Writes a header and `dataBytes` bytes of silence as a sparse file.
private func sparseFile(_ path: String, _ header: [UInt8], dataBytes: Int) {
  let descriptor = open(path, O_WRONLY | O_CREAT, 0o600)
  #expect(write(descriptor, header, header.count) == header.count)
  #expect(ftruncate(descriptor, off_t(header.count + dataBytes)) == 0)
  close(descriptor)
}

@Test(arguments: [AudioFormat.Encoding.pcm16, .pcm24, .float32])
func `is WAV up to 4 GiB and RF64 beyond`(encoding: AudioFormat.Encoding) throws {
  let folder = try TemporaryFolder()
  let header = header(encoding, title: "Song")
  let overhead = header.bytes(dataBytes: 0).count - 8
  let perFrame = header.bytesPerFrame
  let last = (Int(UInt32.max) - 1 - overhead) / perFrame
  for (frames, container) in [
    (1, SF_FORMAT_WAV), (last, SF_FORMAT_WAV), (last + 1, SF_FORMAT_RF64),
    (3 << 30, SF_FORMAT_RF64),
  ] {
    let bytes = header.bytes(dataBytes: frames * perFrame)
    #expect(bytes.count == overhead + 8)
    sparseFile(folder("x"), bytes, dataBytes: frames * perFrame)
    let file = try #require(DecodedFile(folder("x"), decode: false))
    #expect(file.container == container, "\(frames)")
    #expect(file.frames == frames)
    unlink(folder("x"))
  }
}

@Test func `a short WAV file has the plain header`() {
  let bytes = header(.pcm16).bytes(dataBytes: 4)
  let format = bytes.firstRange(of: Array("fmt ".utf8))
  #expect(format != nil)
  #expect(format.map { Array(bytes[$0.upperBound..<$0.upperBound + 6]) } == [16, 0, 0, 0, 1, 0])
}

@Test func `a title of odd length keeps chunks on even offsets`() throws {
  let folder = try TemporaryFolder()
  for title in ["", "a", "ab", "Präludium"] {
    let bytes = header(.pcm16, title: title).bytes(dataBytes: 40)
    #expect(bytes.count % 2 == 0)
    sparseFile(folder("x"), bytes, dataBytes: 40)
    #expect(try #require(DecodedFile(folder("x"))).frames == 10)
    unlink(folder("x"))
  }
}
