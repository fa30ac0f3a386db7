import AudioFile
import BatchRenderer
import Configuration
import FluidSynthEngine
import LivePlayer
import LocalSystem
import MIDIFile
import NodeProtocol
import OfflineRenderer
import RenderCore

/// A song that a server can play, with what plays it.
struct SongContent: Sendable {
  let name: String
  let kind: NodeSong.Kind
  let file: StandardMIDIFile
  /// What plays the notes; `nil`: the song is audio, or only the metronome.
  let soundFont: SoundFont?
  /// What plays instead of notes; `nil` with a SoundFont.
  let source: (any RenderUnitSource)?
  /// The channels with notes, as the file has them.
  let channels: [SongChannel]
  /// The number of lyrics and markers.
  let wordCount: Int
  /// The number of the song's ports.
  let portCount: Int
  private let presets: PresetNames
  /// The greatest length of audio in seconds, because it is in memory.
  private static let longestAudio = 1200.0

  /// Makes a metronome: a day without notes, at 120 quarter notes per minute.
  init() {
    (name, kind, soundFont) = ("metronome", .click, nil)
    source = AudioTrackSource.silence
    file = Self.file(tempo: 120, seconds: 86_400)
    (channels, wordCount, portCount, presets) = ([], 0, 1, PresetNames([]))
  }

  /// Whether a file is a MIDI file; otherwise it may be audio.
  static func isMIDI(_ bytes: [UInt8]) -> Bool {
    let isWave =
      bytes.starts(with: Array("RIFF".utf8)) && bytes.dropFirst(8).starts(with: Array("WAVE".utf8))
    return !isWave
      && StandardMIDIFile.mayBegin(with: Array(bytes.prefix(StandardMIDIFile.beginning)))
  }

  /// Reads an audio file.
  ///
  /// - Parameters:
  ///   - name: The name for the user.
  ///   - tempo: That of the metronome, in quarter notes per minute; `nil`: the song has no beats.
  /// - Throws: ``Failure`` if it cannot be read.
  init(audio bytes: [UInt8], name: String, tempo: Double?) throws(Failure) {
    let audio: AudioSamples
    do throws(AudioSamples.Failure) {
      audio = try AudioSamples(decoding: bytes, longest: Self.longestAudio)
    } catch {
      throw Failure(.inputUnusable, "'\(name)' cannot be played: \(error)")
    }
    self.name = Self.shortened(name)
    (kind, soundFont) = (.audio, nil)
    source = AudioTrackSource(audio)
    file = Self.file(
      tempo: tempo, seconds: Double(audio.frames) / Double(audio.sampleRate))
    (channels, wordCount, portCount, presets) = ([], 0, 1, PresetNames([]))
  }

  /// The greatest number of channels that are listed, because a packet is limited.
  private static let mostChannels = 128

  /// Returns a name that fits into a packet.
  private static func shortened(_ name: String) -> String { String(name.prefix(100)) }

  /// Returns a song without notes.
  ///
  /// - Parameter tempo: In quarter notes per minute; `nil`: the song has no beats.
  private static func file(tempo: Double?, seconds: Double) -> StandardMIDIFile {
    guard let tempo else {
      // 25 frames per second, of 200 ticks each.
      let ticks = (seconds * 5000).rounded(.up)
      return StandardMIDIFile(
        format: .singleTrack, division: .timeCode(.fps25, ticksPerFrame: 200),
        tracks: [.init([], endTick: Int64(ticks))])
    }
    let duration = (60_000_000 / tempo).rounded()
    let ticks = (seconds * 1_000_000 / duration * 960).rounded(.up)
    return StandardMIDIFile(
      format: .singleTrack, division: .ticksPerQuarter(960),
      tracks: [
        .init([.init(tick: 0, .meta(.tempo(UInt32(duration))))], endTick: Int64(ticks))
      ])
  }

  /// Reads a MIDI file.
  ///
  /// - Parameters:
  ///   - name: The name for the user.
  ///   - bytes: The bytes of the file.
  ///   - soundFont: The path of the SoundFont.
  /// - Throws: ``Failure`` if the song cannot be played.
  init(midi bytes: [UInt8], name: String, soundFont: () throws -> String) throws(Failure) {
    let song = try SongFile.decode(bytes, name)
    self.name = Self.shortened(song.title ?? name)
    kind = .midi
    file = song
    source = nil
    let inspection: SongInspection
    let font: SoundFont
    do {
      let settings = RenderSettings()
      font =
        SongRenderer(soundFont: try SoundFont.open(soundFont()), settings: settings)
        .font(for: song.embeddedSoundFont).font
      inspection = try SongInspection(song, settings.bankStyle, nil)
      presets = PresetNames(try font.presets())
    } catch let error as RenderError {
      throw Failure(error, input: name)
    } catch {
      throw Failure(error)
    }
    self.soundFont = font
    portCount = inspection.timeline.ports.count
    wordCount = inspection.timeline.songWords.count
    let (presets, portCount) = (presets, portCount)
    channels = inspection.parts.prefix(Self.mostChannels).map {
      SongChannel($0, ofPorts: portCount, presets)
    }
  }

  /// Reads a file.
  ///
  /// - Throws: ``Failure`` if it cannot be read.
  static func read(_ path: String) throws(Failure) -> [UInt8] {
    let bytes: [UInt8]?
    do throws(WholeFile.Failure) {
      bytes = try WholeFile.read(path, limit: LoadSong.longestFile)
    } catch {
      throw Failure(.inputUnusable, "cannot read the song '\(path)': \(error)")
    }
    guard let bytes else { throw Failure(.inputUnusable, "there is no song '\(path)'") }
    return bytes
  }

  /// Returns the name of a preset of the SoundFont.
  func presetName(bank: Int, program: Int, isRhythm: Bool) -> String {
    presets.played(bank: isRhythm ? 128 : bank, program: program)?.name ?? ""
  }

  /// Checks that the song can be played with changes.
  ///
  /// - Throws: ``Failure`` that says why not.
  func check(_ changes: SongChanges) throws(Failure) {
    var settings = RenderSettings()
    settings.changes = changes
    do throws(RenderError) {
      _ = try FrameRange(file, settings)
    } catch {
      throw Failure(error, input: name)
    }
  }

  /// Makes what plays the song.
  ///
  /// - Throws: `InstrumentError`, `SystemError`.
  func makeInstrument() throws -> SongInstrument {
    if let soundFont { return try SongInstrument(soundFont, RenderSettings()) }
    guard let source else { preconditionFailure("a song without a SoundFont has a source") }
    return try SongInstrument(playing: source)
  }
}

extension SongChannel {
  fileprivate init(_ part: SongInspection.Part, ofPorts ports: Int, _ presets: PresetNames) {
    let sound = part.sounds[0].preset
    self.init(
      port: ports > 1 ? part.port + 1 : nil, channel: Int(part.channel) + 1,
      name: presets.played(sound)?.name ?? "", bank: sound.bank, program: sound.program,
      isRhythm: sound.isRhythm, notes: part.notes)
  }
}
