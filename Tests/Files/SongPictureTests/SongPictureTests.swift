import Glibc
import Synchronization
import Testing

@testable import SongPicture

struct MadeUpNotes: NoteSource {
  var notes: [RollNote] = []

  func forEachNote(_ body: (RollNote, UInt8) -> Void) { for note in notes { body(note, 24) } }
}

private let chord = MadeUpNotes(
  notes: [60, 64, 67].map {
    RollNote(start: -100, end: 9000, release: 12_000, key: $0, velocity: 90, channel: 3)
  } + [RollNote(start: 500, end: 600, release: 600, key: 38, velocity: 127, channel: 9)])

private func png(
  _ notes: MadeUpNotes = chord, title: String = "A song", frames: Int = 24_000, level: Float = 0.5,
  expected: Int = 24_000
) throws -> [UInt8] {
  var audio = WaveformAccumulator(sampleRate: 48_000, expectedFrames: expected)
  let samples = (0..<2 * frames).map { level * Float(sin(Double($0) * 0.03)) }
  audio.add(interleaved: samples.span)
  var bytes: [UInt8] = []
  let picture = SongPicture(title: title, subtitle: "0.5 s", audio: audio)
  try picture.write(notes) {
    bytes += $0
    return true
  }
  return bytes
}

@Test func `equal input gives equal bytes on any thread, and different input different bytes`()
  throws
{
  let one = try png()
  #expect(one.count > 10_000)
  let others = Mutex<[[UInt8]]>([])
  var threads: [pthread_t] = []
  withExtendedLifetime(others) {
    for _ in 0..<4 {
      var thread = pthread_t()
      let context = Unmanaged.passRetained(
        Drawer(others: { bytes in others.withLock { $0.append(bytes) } }))
      #expect(pthread_create(&thread, nil, runDrawer, context.toOpaque()) == 0)
      threads.append(thread)
    }
    for thread in threads { pthread_join(thread, nil) }
  }
  #expect(others.withLock { $0 } == Array(repeating: one, count: 4))
  var louder = chord
  louder.notes[0].velocity = 91
  #expect(try png(louder) != one)
  #expect(try png(title: "Another song") != one)
  #expect(try png(level: 0.51) != one)
}

private final class Drawer: Sendable {
  let others: @Sendable ([UInt8]) -> Void
  init(others: @escaping @Sendable ([UInt8]) -> Void) { self.others = others }
}

@c private func runDrawer(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let context else { return nil }
  Unmanaged<Drawer>.fromOpaque(context).takeRetainedValue().others((try? png()) ?? [])
  return nil
}

@Test(arguments: [0, 1, 47, 24_000, 500_000], [1, 24_000, 10_000_000])
func `any length is drawn, whatever length was expected`(frames: Int, expected: Int) throws {
  #expect(try png(frames: frames, expected: expected).count > 10_000)
}

@Test func `silence, no notes and all keys at once are drawn`() throws {
  #expect(try png(MadeUpNotes(), level: 0).count > 10_000)
  let all = (0..<16).flatMap { channel in
    (0..<128).map { key in
      RollNote(
        start: 0, end: 0, release: 24_000, key: UInt8(key), velocity: 1, channel: UInt8(channel))
    }
  }
  #expect(try png(MadeUpNotes(notes: all)).count > 10_000)
}

@Test(arguments: [
  "", "さくら、さくら", String(repeating: "long ", count: 1000), "مرحبا \u{202E}x", "a\nb\tc\u{0}d",
  "👩‍👩‍👧 & <b>no markup</b>",
])
func `any title is drawn`(title: String) throws {
  #expect(try png(title: title).count > 10_000)
}

@Test func `a failed write of the picture is reported`() throws {
  for limit in [0, 100, 20_000] {
    var left = limit
    #expect(throws: PictureError.notWritten) {
      let audio = WaveformAccumulator(sampleRate: 48_000, expectedFrames: 1)
      try SongPicture(title: "", subtitle: "", audio: audio).write(chord) {
        left -= $0.count
        return left >= 0
      }
    }
  }
}

@Test func `channels of one program are distinguished by their numbers`() {
  var notes = chord
  notes.notes.append(RollNote(start: 0, end: 9, release: 9, key: 60, velocity: 90, channel: 0))
  #expect(
    RollSummary(notes).parts.map(\.name) == [
      "\(GeneralMIDI.programs[24]) (ch. 1)", "\(GeneralMIDI.programs[24]) (ch. 4)", "Drums",
    ])
  #expect(RollSummary(chord).parts.map(\.name) == [GeneralMIDI.programs[24], "Drums"])
}

@Test func `the file is a PNG whose chunks have the right checksums and name the program`() throws {
  let file = try png()
  #expect(file.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
  var names: [String] = []
  var rest = file.dropFirst(8)
  while rest.count >= 12 {
    let size = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    let body = rest.dropFirst(4).prefix(4 + size)
    let sum = rest.dropFirst(8 + size).prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    names.append(String(decoding: body.prefix(4), as: UTF8.self))
    #expect(sum == checksum(body), "\(names)")
    if names.last == "tEXt" {
      #expect(String(decoding: body.dropFirst(4), as: UTF8.self) == "Software\0Portative")
    }
    rest = rest.dropFirst(12 + size)
  }
  #expect(names.first == "IHDR" && names.last == "IEND" && names.contains("tEXt") && rest.isEmpty)
}

/// CRC-32. Source: ISO/IEC 15948, *Portable Network Graphics*, annex D.
private func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
  ~bytes.reduce(~0) { sum, byte in
    (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum >> 1 ^ (sum & 1) * 0xEDB8_8320 }
  }
}
