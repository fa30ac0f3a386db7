import AudioFile
import Testing

@Test(arguments: [
  ("song.wav", AudioFormat.Container.wav), ("SONG.FLAC", .flac), ("a/b.c/x.oga", .ogg),
  ("x.y.aif", .aiff), ("x.rf64", .rf64), ("x.opus", .opus), ("x.mp3", .mp3), ("x.raw", .raw),
])
func `chooses the container by the file name's extension`(
  name: String, container: AudioFormat.Container
) throws {
  #expect(try AudioFormat.Container(fileName: name) == container)
}

@Test(arguments: ["song", "song.mid", "wav", "folder.wav/song", "song.", ""])
func `refuses a file name without a known extension`(name: String) {
  #expect(throws: AudioFormatError.unknownExtension(name)) {
    try AudioFormat.Container(fileName: name)
  }
}

@Test func `accepts every bit depth of a container, and refuses the others`() {
  for container in AudioFormat.Container.allCases {
    for bits in AudioFormat.Bits.allCases {
      let isPossible = (try? AudioFormat(container, bits: bits)) != nil
      #expect(isPossible == container.bits.contains(bits), "\(container) \(bits)")
    }
  }
}

@Test func `names the next higher rate if a codec does not support the requested one`() throws {
  let opus = try AudioFormat(.opus)
  #expect(throws: AudioFormatError.rateNotPossible(.opus, 44100, nearest: 48000)) {
    try opus.check(sampleRate: 44100)
  }
  #expect(throws: AudioFormatError.rateNotPossible(.mp3, 96000, nearest: 48000)) {
    try AudioFormat(.mp3).check(sampleRate: 96000)
  }
  #expect(throws: AudioFormatError.rateNotPossible(.flac, 100_001, nearest: 100_010)) {
    try AudioFormat(.flac).check(sampleRate: 100_001)
  }
}

@Test func `states the limit, the value found and the remedy`() {
  #expect(
    AudioFormatError.bitsNotPossible(.flac, .b32f).description
      == "flac supports 16 or 24 bits, but --bits 32f was given: use one of those, or write wav")
  #expect(
    AudioFormatError.rateNotPossible(.opus, 44100, nearest: 48000).description
      == "opus does not support 44100 frames per second (only 8000, 12000, 16000, 24000, 48000): "
      + "use --rate 48000, or write wav")
}
