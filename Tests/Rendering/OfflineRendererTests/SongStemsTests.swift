import AudioFile
import FluidSynthEngine
import Foundation
import MIDIFile
import TestSupport
import Testing

@testable import OfflineRenderer

/// Two tracks, three channels, and notes that another track releases.
private let band = StandardMIDIFile(
  format: .simultaneous, division: .ticksPerQuarter(24_000),
  tracks: [
    .init(
      [
        Event(tick: 0, .meta(.text("Keys", .trackName))), on(0, 60), on(1000, 64),
        off(9000, 60), off(9000, 64), on(12_345, 72), off(20_000, 72),
      ], endTick: 30_000),
    .init(
      [
        Event(tick: 0, .meta(.text("Beat", .trackName))), on(2001, 38, channel: 9),
        on(2500, 42, channel: 9), on(5000, 46, channel: 9), on(9000, 36, channel: 4),
        off(12_000, 36, channel: 4),
      ], endTick: 30_000),
  ])

private func render(
  _ song: StandardMIDIFile = band, in folder: TemporaryFolder, _ grouping: StemGrouping? = .channel,
  _ format: AudioFormat, _ change: (inout RenderSettings) -> Void = { _ in },
  isCancelled: () -> Bool = { false }, accept: (SongReport) -> Bool = { _ in true }
) throws -> SongReport {
  var settings = RenderSettings()
  change(&settings)
  let file = try RenderedFile(
    to: .file("\(folder.path)/a.raw"), format: format, sampleRate: 48_000, measuresLoudness: false)
  return try SongRenderer(soundFont: .open(bundledSoundFont), settings: settings).render(
    song, to: file,
    stems: grouping.map {
      StemSettings(grouping: $0, folder: "\(folder.path)/a.stems", format: format)
    },
    isCancelled: isCancelled, accept: accept)
}

/// Returns a file's 16-bit samples.
private func integers(_ path: String) throws -> [Int] {
  try Data(contentsOf: URL(filePath: path)).withUnsafeBytes {
    $0.bindMemory(to: Int16.self).map(Int.init)
  }
}

private func floats(_ path: String) throws -> [Float] {
  try Data(contentsOf: URL(filePath: path)).withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
}

extension TemporaryFolder {
  var stems: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path + "/a.stems")) ?? []).sorted()
  }
}

@Test(arguments: [
  (StemGrouping.channel, ["01 Keys.raw", "05 Channel 5.raw", "10 Channel 10.raw"]),
  (.track, ["01 Keys.raw", "02 Beat.raw"]),
])
func `the files of the stems add up to that of the mix, integer by integer`(
  grouping: StemGrouping, names: [String]
) throws {
  for effects in [Effects(), Effects(reverb: false, chorus: false)] {
    let folder = try TemporaryFolder()
    let report = try render(in: folder, grouping, AudioFormat(.raw)) {
      $0.effects = effects
      $0.threads = 2
    }
    let expected = names + (effects.reverb ? ["wet.raw"] : [])
    // The rest of the name depends on the SoundFont's preset names.
    #expect(folder.stems.map { $0.prefix(2) } == expected.map { $0.prefix(2) })
    #expect(folder.stems.count == expected.count)
    let mix = try integers("\(folder.path)/a.raw")
    var sum = [Int](repeating: 0, count: mix.count)
    for stem in try #require(report.stems).stems {
      let part = try integers(stem.path)
      #expect(part.count == mix.count && part.contains { abs($0) > 10 })
      #expect(stem.audio.file.frames == report.audio.file.frames && stem.audio.hash.count == 32)
      for i in part.indices { sum[i] += part[i] }
    }
    #expect(sum == mix)
  }
}

/// Rounding in float: each stem and the dry mix once, and once more where the effects are added.
@Test(arguments: [StemGrouping.channel, .track], [true, false])
func `in float the stems add up to the mix except for its rounding`(
  grouping: StemGrouping, hasEffects: Bool
) throws {
  let folder = try TemporaryFolder()
  let report = try render(in: folder, grouping, AudioFormat(.raw, bits: .b32f)) {
    $0.effects = Effects(reverb: hasEffects, chorus: hasEffects)
    $0.gain = 1
  }
  let mix = try floats("\(folder.path)/a.raw")
  var (sum, size) = (mix.map { _ in 0.0 }, mix.map { abs(Double($0)) })
  for stem in try #require(report.stems).stems {
    let part = try floats(stem.path)
    for i in part.indices {
      sum[i] += Double(part[i])
      // The stem's own rounding and its share of the dry mix's rounding.
      if stem.name != "wet" { size[i] += 2 * abs(Double(part[i])) }
    }
  }
  #expect(mix.indices.allSatisfy { abs(sum[$0] - Double(mix[$0])) <= 0x1.001p-24 * size[$0] })
  #expect(mix.contains { $0 != 0 })
}

@Test func `the mix is the same with stems and without`() throws {
  let folder = try TemporaryFolder()
  for (format, threads) in [(try AudioFormat(.raw), 1), (try AudioFormat(.raw, bits: .b24), 3)] {
    let plain = try render(in: folder, nil, format).audio
    for grouping in StemGrouping.allCases {
      #expect(try render(in: folder, grouping, format) { $0.threads = threads }.audio == plain)
    }
    #expect(try render(in: folder, nil, format).stems == nil)
  }
}

@Test func `a dry stem has the bits of its part rendered alone, without effects`() throws {
  let folder = try TemporaryFolder()
  let format = try AudioFormat(.raw, bits: .b32f)
  let report = try render(in: folder, .track, format)
  let alone = StandardMIDIFile(
    format: .simultaneous, division: band.division,
    tracks: [band.tracks[0], .init([], endTick: 30_000)])
  let other = try TemporaryFolder()
  _ = try render(alone, in: other, nil, format) { $0.effects = .init(reverb: false, chorus: false) }
  let part = try floats("\(other.path)/a.raw")
  let stem = try floats(try #require(report.stems).stems[0].path)
  let common = min(part.count, stem.count)
  #expect(common > 40_000 && stem[..<common] == part[..<common])
}

@Test func `stems have the frames of the requested part`() throws {
  let folder = try TemporaryFolder()
  let format = try AudioFormat(.raw, bits: .b32f)
  let whole = try render(in: folder, .channel, format) { $0.tail = .exact }
  let stems = try #require(whole.stems).stems
  let samples = try stems.map { try floats($0.path) }
  let part = try render(in: folder, .channel, format) {
    $0.tail = .exact
    $0.start = .seconds(5000.0 / 48_000)
    $0.end = .seconds(20_000.0 / 48_000)
  }
  for (stem, samples) in zip(try #require(part.stems).stems, samples) {
    #expect(try floats(stem.path)[...] == samples[10_000..<40_000])
  }
}

@Test func `a clipped mix is the clipped sum of its stems, and clipped stems are counted`() throws {
  let folder = try TemporaryFolder()
  var counts: [Int] = []
  for gain in [1.5, 10] {
    let report = try render(in: folder, .channel, AudioFormat(.raw)) { $0.gain = gain }
    let stems = try #require(report.stems)
    counts.append(stems.clippedSamples)
    #expect(report.audio.file.clippedFrames > 0)
    guard stems.clippedSamples == 0 else { continue }
    let mix = try integers("\(folder.path)/a.raw")
    let parts = try stems.stems.map { try integers($0.path) }
    #expect(
      mix.indices.allSatisfy { i in
        max(-32768, min(32767, parts.reduce(0) { $0 + $1[i] })) == mix[i]
      })
  }
  #expect(counts[0] == 0 && counts[1] > 0)
}

@Test func `a song without notes has no stems`() throws {
  let folder = try TemporaryFolder()
  let report = try render(song([], end: 9000), in: folder, .track, AudioFormat(.raw))
  #expect(report.stems == nil && folder.names == ["a.raw"])
}

@Test func `a cancelled, refused or failed render leaves neither files nor the folder`()
  throws
{
  let folder = try TemporaryFolder()
  let format = try AudioFormat(.raw)
  #expect(throws: RenderError.self) {
    try render(in: folder, .channel, format, isCancelled: { true })
  }
  #expect(folder.names == [])
  #expect(throws: RenderError.self) {
    try render(in: folder, .channel, format, accept: { $0.stems?.stems.count == 0 })
  }
  #expect(folder.names == [])
  // A folder that appears at the path of the mix after the stems have been renamed.
  #expect(throws: RenderError.self) {
    try render(
      in: folder, .channel, format,
      accept: { _ in
        try? FileManager.default.createDirectory(
          atPath: "\(folder.path)/a.raw/x", withIntermediateDirectories: true)
        return true
      })
  }
  #expect(folder.names == ["a.raw"])
}

@Test func `an existing folder stays, with its files`() throws {
  let folder = try TemporaryFolder()
  try FileManager.default.createDirectory(
    atPath: "\(folder.path)/a.stems", withIntermediateDirectories: true)
  try Data([1]).write(to: URL(filePath: "\(folder.path)/a.stems/mine"))
  #expect(throws: RenderError.self) {
    try render(in: folder, .channel, AudioFormat(.raw), isCancelled: { true })
  }
  #expect(folder.stems == ["mine"])
  #expect(try render(in: folder, .track, AudioFormat(.raw)).stems?.otherFiles == 1)
  #expect(try render(in: folder, .track, AudioFormat(.raw)).stems?.otherFiles == 1)
  #expect(folder.stems == ["01 Keys.raw", "02 Beat.raw", "mine", "wet.raw"])
}

@Test func `a file in the folder's place is an error that names it`() throws {
  let folder = try TemporaryFolder()
  try Data([1]).write(to: URL(filePath: "\(folder.path)/a.stems"))
  let error = #expect(throws: RenderError.self) {
    try render(in: folder, .track, AudioFormat(.raw))
  }
  #expect(error?.description.contains("a.stems") == true)
  #expect(folder.names == ["a.stems"])
}

@Test func `notes without a lane have their own file if there is none for the effects`() throws {
  let folder = try TemporaryFolder()
  // More simultaneous notes than the maximum number of lanes.
  let crowd = (0..<16).flatMap { channel in
    (30..<80).map { on(0, $0, channel: UInt8(channel), velocity: 20) }
  }
  for effects in [false, true] {
    let report = try render(song(crowd, end: 4800), in: folder, .channel, AudioFormat(.raw)) {
      $0.effects = Effects(reverb: effects, chorus: effects)
      $0.tail = .exact
    }
    #expect(report.statistics.inexactOnsets > 0)
    let stems = try #require(report.stems)
    #expect(stems.stems.count == 17 && stems.stems[16].name == (effects ? "wet" : "rest"))
    #expect(stems.stems[16].audio.file.peak > 0.001 && stems.clippedSamples == 0)
    let parts = try stems.stems.map { try integers($0.path) }
    let mix = try integers("\(folder.path)/a.raw")
    #expect(
      mix.indices.allSatisfy { i in
        max(-32768, min(32767, parts.reduce(0) { $0 + $1[i] })) == mix[i]
      })
  }
}

@Test func `stems of a normalized song have the mix's gain, and still add up to it`() throws {
  let plain = try TemporaryFolder()
  let before = try render(in: plain, .channel, AudioFormat(.raw, bits: .b32f))
  let folder = try TemporaryFolder()
  let report = try render(in: folder, .channel, AudioFormat(.raw, bits: .b32f)) {
    $0.normalization = .truePeak(-1)
  }
  let factor = try #require(report.normalization).factor
  #expect(factor > 1)
  let stems = try #require(report.stems).stems
  for (stem, old) in zip(stems, try #require(before.stems).stems) {
    #expect(stem.name == old.name)
    #expect(try floats(stem.path) == floats(old.path).map { $0 * factor })
  }
  let whole = try TemporaryFolder()
  let rounded = try render(in: whole, .channel, AudioFormat(.raw)) {
    $0.normalization = .truePeak(-1)
  }
  let mix = try integers("\(whole.path)/a.raw")
  var sum = [Int](repeating: 0, count: mix.count)
  for stem in try #require(rounded.stems).stems {
    for (i, sample) in try integers(stem.path).enumerated() { sum[i] += sample }
  }
  #expect(sum == mix && mix.contains { abs($0) > 20_000 })
}
