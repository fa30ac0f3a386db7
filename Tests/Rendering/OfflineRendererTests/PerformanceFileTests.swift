import AudioFile
import FluidSynthEngine
import Foundation
import MIDIFile
import OfflineRenderer
import RenderCore
import TestSupport
import Testing

/// Renders a song, and returns its labels and the MIDI file of its performance.
private func perform(
  _ song: StandardMIDIFile, _ change: (inout RenderSettings) -> Void = { _ in }
) throws -> (notes: [[String: Any]], file: StandardMIDIFile) {
  let folder = try TemporaryFolder()
  var settings = RenderSettings()
  change(&settings)
  let renderer = SongRenderer(soundFont: try .open(bundledSoundFont), settings: settings)
  func render(_ format: LabelFormat) throws -> String {
    let path = "\(folder.path)/a.\(format.rawValue)"
    let file = try RenderedFile(
      to: .file("\(folder.path)/a.raw"), format: AudioFormat(.raw, bits: .b32f),
      sampleRate: settings.sampleRate, measuresLoudness: false)
    _ = try renderer.render(song, to: file, labels: LabelFile(path: path, format: format))
    return path
  }
  let lines = try String(contentsOfFile: try render(.jsonl), encoding: .utf8).split(separator: "\n")
  let notes = try lines.map {
    try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
  }.filter { $0["type"] as? String == "note" }
  let data = try Data(contentsOf: URL(filePath: try render(.mid)))
  return (notes, try StandardMIDIFile(decoding: Array(data)))
}

extension StandardMIDIFile {
  fileprivate func events(rate: Int = 48_000) throws -> [String] {
    let timeline = try timeline(sampleRate: rate)
    return timeline.events.compactMap { event in
      guard case .channel(let message) = event.message else { return nil }
      return "\(event.frame) \(message.kind) \(message.channel) \(message.data1)"
    }
  }
}

@Suite("PerformanceFile", .timeLimit(.minutes(5))) struct PerformanceFileTests {
  @Test func `notes end where pedals release them or their key is struck again`() throws {
    let events = [
      control(0, 7, 90), on(100, 60), control(5000, 64, 127), on(6001, 64), off(9000, 60),
      off(9500, 64), on(10_000, 64), control(20_000, 64, 0), off(25_000, 64),
    ]
    let (_, file) = try perform(song(events, end: 30_000))
    #expect(
      try file.events() == [
        "0 controlChange 0 7", "100 noteOn 0 60", "6001 noteOn 0 64", "10000 noteOff 0 64",
        "10000 noteOn 0 64", "20000 noteOff 0 60", "25000 noteOff 0 64",
      ])
    #expect(file.repairs.isEmpty)
  }

  @Test func `a note that a monophonic channel returns to is struck again`() throws {
    let events = [
      control(0, 126, 1), on(4800, 60), on(9600, 64), off(14_400, 64), off(24_000, 60),
    ]
    let (_, file) = try perform(song(events, end: 30_000))
    #expect(
      try file.events() == [
        "0 controlChange 0 126", "4800 noteOn 0 60", "9600 noteOff 0 60", "9600 noteOn 0 64",
        "14400 noteOff 0 64", "14400 noteOn 0 60", "24000 noteOff 0 60",
      ])
  }

  @Test func `choked notes end where they are choked, and silent ones are left out`() throws {
    let events = [
      on(0, 46, channel: 9), on(4000, 42, channel: 9), control(5000, 124, 0),
      control(5000, 126, 1), on(7000, 60, channel: 1), off(8000, 60, channel: 1),
    ]
    let (_, file) = try perform(song(events, end: 9000))
    let played = try file.events()
    #expect(played.prefix(2) == ["0 noteOn 9 46", "4000 noteOff 9 46"])
    #expect(played.contains("4000 noteOn 9 42") && !played.contains { $0.contains(" 1 60") })
  }

  @Test func `notes of one key and frame end together`() throws {
    let (notes, file) = try perform(song([on(100, 60), on(100, 60), off(900, 60)], end: 2000))
    #expect(notes.count == 2)
    #expect(
      try file.events() == [
        "100 noteOn 0 60", "100 noteOn 0 60", "900 noteOff 0 60", "900 noteOff 0 60",
      ])
  }

  /// 44 101 is prime, so that no tick has the length of a frame.
  @Test(arguments: [8000, 22_050, 44_100, 44_101, 48_000, 96_000])
  func `onset: the performance of a performance has the same notes on the same frames`(
    rate: Int
  ) throws {
    var events: [Event] = []
    for number in 0..<60 {
      let begin = Int64(number * 7919 % 60_000)
      let (key, channel) = (UInt8(40 + number * 37 % 30), UInt8(number % 3))
      events.append(on(begin, key, channel: channel))
      events.append(off(begin + 3001, key, channel: channel))
      if channel == 1 { events.append(control(begin, 64, number % 2 == 0 ? 127 : 0, channel: 1)) }
    }
    let (notes, file) = try perform(song(events.sorted { $0.tick < $1.tick }, end: 70_000)) {
      $0.sampleRate = rate
    }
    let (again, copy) = try perform(file) { $0.sampleRate = rate }
    #expect(try copy.events(rate: rate) == file.events(rate: rate))
    let names = ["onset", "channel", "key", "velocity", "program"]
    for name in names {
      #expect(again.map { $0[name] as? Int } == notes.map { $0[name] as? Int })
    }
    #expect(notes.count == 60)
  }

  @Test func `in a part of a song, notes that sound at its beginning begin there`() throws {
    let events = [on(0, 60), off(1000, 60), on(20_000, 64), off(60_000, 64), on(30_000, 67)]
    let (_, file) = try perform(song(events.sorted { $0.tick < $1.tick }, end: 96_000)) {
      $0.start = 0.5
      $0.end = 1
      $0.tail = .exact
    }
    #expect(
      try file.events() == [
        "0 noteOn 0 64", "6000 noteOn 0 67", "24000 noteOff 0 64", "24000 noteOff 0 67",
      ])
  }
}
