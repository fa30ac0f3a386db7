import Glibc
import RenderCore
import Synchronization
import Testing

@testable import OfflineRenderer

struct MadeUpNotes: NoteSource {
  var notes: [RollNote] = []

  var names: [RollPreset: String] = [:]

  func forEachNote(_ body: (RollNote, RollPreset) -> Void) {
    for note in notes {
      body(note, RollPreset(bank: note.channel == 9 ? 128 : 0, program: 24))
    }
  }

  func name(of preset: RollPreset) -> String? { names[preset] }
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

private func runDrawer(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
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

@Test func `channels of one preset are distinguished by their numbers`() {
  var notes = chord
  notes.notes.append(RollNote(start: 0, end: 9, release: 9, key: 60, velocity: 90, channel: 0))
  #expect(
    RollSummary(notes).parts.map(\.name) == [
      "\(GeneralMIDI.programs[24]) (ch. 1)", "\(GeneralMIDI.programs[24]) (ch. 4)", "Drums",
    ])
  #expect(RollSummary(chord).parts.map(\.name) == [GeneralMIDI.programs[24], "Drums"])
}

@Test func `channels of one preset on several ports are distinguished by port, and by colour`() {
  var notes = chord
  notes.notes.append(
    RollNote(start: 0, end: 9, release: 9, key: 60, velocity: 90, channel: 3, port: 1))
  let parts = RollSummary(notes).parts
  let name = GeneralMIDI.programs[24]
  #expect(
    parts.map(\.name) == ["\(name) (port 1, ch. 4)", "Drums", "\(name) (port 2, ch. 4)"])
  let colors = parts.map { Palette(.dark).channel($0.channel, port: $0.port).pixel }
  #expect(colors[0] != colors[2])
}

@Test func `presets have the names of the SoundFont`() {
  var notes = chord
  notes.names = [
    RollPreset(bank: 0, program: 24): "Gut Strings", RollPreset(bank: 128, program: 24): "Brushes",
  ]
  #expect(RollSummary(notes).parts.map(\.name) == ["Gut Strings", "Drums: Brushes"])
}

@Test(arguments: PictureStyle.allCases) func `each instrument on a key is visible`(
  style: PictureStyle
) throws {
  // A long note, of which two others play a part, and one that is not on the same key.
  let notes = [
    (0, 0, 24_000, 60), (1, 6000, 12_000, 60), (2, 6000, 12_000, 60), (3, 6000, 12_000, 62),
  ]
  .map { channel, start, end, key in
    RollNote(
      start: start, end: end, release: end, key: UInt8(key), velocity: 127,
      channel: UInt8(channel))
  }
  let drawn = try svg(MadeUpNotes(notes: notes), style: style)
  let parts = (0..<4).map { drawn.areas(Palette(style).channel(UInt8($0))) }
  // Before, in and behind the unison.
  #expect(parts.map { $0.count } == [3, 1, 1, 1])
  let whole = parts[3][0].height
  #expect(whole > 4)
  #expect(parts[0].map { ($0.height / whole * 3).rounded() } == [3, 1, 3])
  let unison = [parts[0][1], parts[1][0], parts[2][0]]
  for (upper, lower) in zip(unison, unison.dropFirst()) {
    #expect(abs(upper.bottom - lower.y) < 0.02 && abs(lower.height / whole - 1 / 3) < 0.01)
  }
  #expect(abs(parts[0][1].x - parts[0][0].right) < 0.02)
}

@Test func `a legend has whole names as long as there is room`() throws {
  var notes = MadeUpNotes()
  notes.names = [RollPreset(bank: 0, program: 24): "A Preset with a Name of Some Length"]
  notes.notes = (0..<8).map {
    RollNote(start: 0, end: 9, release: 9, key: 60, velocity: 90, channel: $0)
  }
  let drawn = try svg(notes)
  for channel in 1...8 {
    #expect(drawn.text.contains(">A Preset with a Name of Some Length (ch. \(channel))<"))
  }
}

@Test func `bars, tempos and time signatures are where they change`() throws {
  var beats = RollBeats()
  beats.beats = (0..<16).map {
    .init(frame: $0 * 1500, bar: $0 / 4 + 1, meter: $0 % 4 == 0 ? ($0 < 8 ? "4/4" : "3/4") : nil)
  }
  beats.tempos = [
    .init(frame: -9000, tempo: 60), .init(frame: 0, tempo: 120), .init(frame: 18_000, tempo: 97.5),
  ]
  let drawn = try svg(chord, beats: beats)
  for text in [">♩ = 120   4/4<", ">3/4<", ">♩ = 97.5<", ">1<", ">2<", ">3<", ">4<"] {
    #expect(drawn.text.contains(text), "\(text)")
  }
  #expect(!drawn.text.contains("♩ = 60"))
  #expect(!(try svg(chord)).text.contains("Tempo"))
}

@Test func `an SVG is the same every time, and has the title as text`() throws {
  let title = "A & B <i>\u{1B}[31m\u{0}"
  let drawn = try svg(chord, title: title)
  #expect(drawn.text == (try svg(chord, title: title)).text)
  #expect(drawn.text.hasPrefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg "))
  #expect(drawn.text.hasSuffix("</svg>\n"))
  #expect(drawn.text.contains(">A &amp; B &lt;i&gt;\u{FFFD}[31m\u{FFFD}<"))
  // The spectrum and its scale.
  #expect(drawn.text.split(separator: "data:image/png;base64,iVBORw0KGgo").count == 3)
  let long = try svg(chord, title: String(repeating: "long ", count: 1000))
  #expect(long.text.contains("…<"))
  #expect(try svg(chord, style: .light).text != (try svg(chord)).text)
}

/// A picture as SVG.
private struct DrawnPicture {
  let text: String

  /// Returns the rectangles of a colour, from left to right, without that of the legend.
  func areas(_ color: Color) -> [Area] {
    let digits = String(color.pixel & 0xFF_FFFF, radix: 16)
    let name = "fill=\"#" + String(repeating: "0", count: 6 - digits.count) + digits + "\" d=\""
    let paths = text.split(separator: name).dropFirst().compactMap {
      $0.split(separator: "\"").first
    }
    let areas = paths.flatMap { $0.split(separator: "z") }.map { part in
      let numbers = part.split { !"-.0123456789".contains($0) }.compactMap { Double($0) }
      return Area(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }
    return areas.filter { $0.width != 12 || $0.height != 10 }.sorted { $0.x < $1.x }
  }
}

private func svg(
  _ notes: MadeUpNotes, title: String = "A song", style: PictureStyle = .dark,
  beats: RollBeats = RollBeats()
) throws -> DrawnPicture {
  var audio = WaveformAccumulator(sampleRate: 48_000, expectedFrames: 24_000)
  let samples = (0..<48_000).map { 0.5 * Float(sin(Double($0) * 0.03)) }
  audio.add(interleaved: samples.span)
  var bytes: [UInt8] = []
  var picture = SongPicture(title: title, subtitle: "0.5 s", audio: audio)
  (picture.style, picture.beats) = (style, beats)
  try picture.write(notes, as: .svg) {
    bytes += $0
    return true
  }
  return DrawnPicture(text: String(decoding: bytes, as: UTF8.self))
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
