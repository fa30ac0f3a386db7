import FluidSynthEngine
import Foundation
import MIDIFile
import RenderCore
import TestSupport
import Testing
import noisefont

@testable import OfflineRenderer

/// Parts of songs whose past is not rendered, because nothing of it is heard.
@Suite(.timeLimit(.minutes(5))) struct SkippedSoundTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: 0..<24)
  func `a part without effects has the frames and labels of the whole song`(seed: Int) throws {
    var random = Seeded(UInt64(seed))
    let music = randomSong(&random)
    let font = try font(seed % 4)
    var settings = RenderSettings()
    settings.effects = Effects(reverb: false, chorus: false)
    settings.tail = .exact
    settings.sampleRate = [48_000, 44_100, 96_000][seed % 3]
    settings.polyphony = seed % 5 == 0 ? 6 : 256
    for _ in 0..<3 {
      let start = Double.random(in: 0.3..<9, using: &random)
      settings.end = .seconds(start + .random(in: 0.05..<1, using: &random))
      settings.start = 0
      let whole = try render(music, font, settings)
      settings.start = .seconds(start)
      let part = try render(music, font, settings)
      let labels = try #require(part.labels)
      let place = "seed \(seed), from \(start)"
      let isEqual = part.samples == whole.samples.map { Array($0[labels.start...]) }
      #expect(isEqual, "\(place)")
      #expect(labels.notes == notes(of: whole.labels, in: labels), "\(place)")
    }
  }

  /// The labels of the notes that sound in a part, from those of the song until its end.
  private func notes(of labels: SongLabels?, in part: SongLabels) -> [NoteLabel] {
    let start = part.start
    return (labels?.notes ?? []).filter { note in
      // Its sound was not measured.
      if note.ending == .shared { return max(note.soundRelease, note.onset) >= start }
      return max(note.silence.map { $0 - 1 } ?? start, note.onset) >= start
    }.map { note in
      var note = note
      note.onset -= start
      note.keyRelease -= start
      note.soundRelease -= start
      note.audible = note.audible.map { $0 - start }
      note.silence = note.silence.map { $0 - start }
      return note
    }
  }

  @Test func `notes that must be silent before a part are not rendered`() throws {
    let events = (0..<200).flatMap { [on(Int64($0) * 4800, 60), off(Int64($0) * 4800 + 2400, 60)] }
    let rendered = try renderedNotes(of: song(events), from: 19) {
      $0.effects = Effects(reverb: false, chorus: false)
    }
    #expect(rendered.count < 60 && rendered.contains(199) && !rendered.contains(100))
    // Reverb and chorus need the sound of all notes, unless they may begin later.
    #expect(try renderedNotes(of: song(events), from: 19) { _ in }.count == 200)
    #expect(try renderedNotes(of: song(events), from: 19) { $0.lead = 2 }.count < 80)
  }

  /// The numbers of the notes of which anything was rendered.
  private func renderedNotes(
    of music: StandardMIDIFile, from start: Double, _ change: (inout RenderSettings) -> Void
  ) throws -> Set<Int> {
    var settings = RenderSettings()
    settings.start = .seconds(start)
    change(&settings)
    let range = try FrameRange(music, settings)
    let player = try InstrumentPlayer(range, soundFont: .open(bundledSoundFont), settings: settings)
    player.keepLog(notes: range.timeline.noteCount)
    var work = SongWork(range: range, player: player, settings: settings)
    while work.hasFrames { _ = try work.renderCycle { _ in } }
    return Set(player.loggedNotes.enumerated().filter { $1.lastAudible >= 0 }.map(\.offset))
  }

  @Test func `with a lead, effects hear only what is in it, and dry sound is that of the song`()
    throws
  {
    let keys: [UInt8] = [48, 52, 55, 60]
    let chord = keys.map { on(96_000, $0) } + keys.map { off(144_000, $0) }
    let (music, font) = (song(chord + [on(220_000, 72), off(240_000, 72)]), try font(0))
    var settings = RenderSettings()
    settings.tail = .exact
    settings.start = 4.2
    let exact = try render(music, font, settings, stems: .channel).samples
    settings.lead = 4.2
    #expect(try render(music, font, settings, stems: .channel).samples == exact)
    /// The energy of reverb and chorus in the first 50 ms.
    func energy(_ samples: [[Float]]) -> Float {
      samples.suffix(2).joined().prefix(2400).reduce(0) { $0 + $1 * $1 }
    }
    for (lead, range) in [(0, 0..<0.1), (4, 0.5..<2)] as [(Double, Range<Float>)] {
      settings.lead = lead
      let samples = try render(music, font, settings, stems: .channel).samples
      // The stems, without the mix and what the effects return.
      #expect(samples.dropFirst(2).dropLast(2) == exact.dropFirst(2).dropLast(2))
      #expect(range.contains(energy(samples) / energy(exact)), "lead \(lead)")
    }
  }

  private func render(
    _ music: StandardMIDIFile, _ font: SoundFont, _ settings: RenderSettings,
    stems: StemGrouping? = nil
  ) throws -> (samples: [[Float]], labels: SongLabels?) {
    let stream = try SongStream(
      music, soundFont: font, settings: settings, stems: stems, hasLabels: true,
      resources: SharedRenderResources(concurrencyLimit: 1, cacheBytes: settings.cacheBytes))
    var samples = [[Float]](repeating: [], count: stream.channels)
    while try stream.next({ for (index, channel) in $0.enumerated() { samples[index] += channel } })
    {}
    return (samples, stream.labels())
  }

  /// A SoundFont whose notes end soon after their release, late, or as velocity says.
  private func font(_ number: Int) throws -> SoundFont {
    let noise: NoiseSoundFont
    switch number {
    case 0: return try .open(bundledSoundFont)
    case 1: noise = NoiseSoundFont(presets: 4, generators: [(38, 1900)])
    case 2: noise = NoiseSoundFont(presets: 4, modulatorDestination: 38, generators: [(38, -1200)])
    default:
      noise = NoiseSoundFont(
        presets: 4, frames: 200_000, generators: [(34, 1200), (38, 0), (57, 3)])
    }
    return try .open(folder.put(Data(noise.bytes()), "noise.sf2"))
  }

  /// Ten seconds with all that decides how long notes sound.
  private func randomSong(_ random: inout Seeded) -> StandardMIDIFile {
    var events: [Event] = []
    for channel in [0, 1, 2, 9] as [UInt8] {
      var tick = Int64.random(in: 0..<20_000, using: &random)
      while tick < 480_000 {
        let key = UInt8.random(in: 36...84, using: &random)
        let length = Int64.random(in: 100..<60_000, using: &random)
        events += [on(tick, key, channel: channel), off(tick + length, key, channel: channel)]
        if Int.random(in: 0..<2, using: &random) == 0 {
          events.append(message(at: tick, channel, &random))
        }
        tick += .random(in: 0..<12_000, using: &random)
      }
    }
    let sysEx =
      [
        [0x7E, 0x7F, 9, 1], [0x7F, 0x7F, 4, 1, 0, 90],
        [0x7F, 0x7F, 4, 1, 0, 127],
      ] as [[UInt8]]
    for bytes in sysEx where Int.random(in: 0..<3, using: &random) == 0 {
      let tick = Int64.random(in: 0..<400_000, using: &random)
      events.append(Event(tick: tick, .sysEx(bytes)))
    }
    events.sort { $0.tick < $1.tick }
    return song(events, end: 560_000)
  }

  private func message(at tick: Int64, _ channel: UInt8, _ random: inout Seeded) -> Event {
    let value = UInt8.random(in: 0..<128, using: &random)
    let numbers: [UInt8] = [
      1, 7, 10, 11, 64, 64, 64, 64, 66, 66, 65, 5, 68, 71, 72, 98, 99, 6, 100, 101, 84, 120, 121,
      123, 126, 127,
    ]
    switch Int.random(in: 0..<12, using: &random) {
    case 0:
      return Event(
        tick: tick, .channel(ChannelMessage(.programChange, channel: channel, value % 4, 0)))
    case 1:
      return Event(tick: tick, .channel(ChannelMessage(.pitchBend, channel: channel, 0, value)))
    // The release of the volume envelope, by NRPN.
    case 2:
      return control(
        tick, [120, 99, 98, 6][Int(value) % 4] as UInt8, value % 2 == 0 ? 120 : 38, channel: channel
      )
    default:
      return control(tick, numbers.randomElement(using: &random) ?? 64, value, channel: channel)
    }
  }
}
