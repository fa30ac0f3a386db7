import FluidSynthEngine
import MIDIFile
import RenderCore

/// The notes of a song for its picture: those that sound in the rendered range, with the end of key and pedal.
struct PlayedNotes: NoteSource {
  private let range: FrameRange
  private let sounds: PlayedSounds
  /// The presets of the SoundFont.
  private let presets: [SoundFontPreset]

  init(_ range: FrameRange, _ sounds: PlayedSounds = PlayedSounds(presets: [])) {
    self.range = range
    self.sounds = sounds
    presets = sounds.presets
  }

  func name(of preset: RollPreset) -> String? {
    if let instrument = preset.instrument { return sounds.name(ofInstrument: instrument) }
    return presets.name(of: PresetSelection(bank: preset.bank, program: preset.program))
  }

  /// The frame of the song at which the audio starts.
  var start: Int { range.start }

  /// The time in the song at which the audio starts, in seconds.
  var startSeconds: Double { Double(range.start) / Double(range.timeline.sampleRate) }

  func forEachNote(_ body: (RollNote, RollPreset) -> Void) {
    let instruments = (0..<16 * range.timeline.ports.count).map { place in
      sounds.instrument(ofPlace: place).map {
        RollPreset(instrument: $0, isRhythm: place % 16 == 9)
      }
    }
    forEach { _, note, preset in body(note, instruments[note.place] ?? preset) }
  }

  /// Calls `body` for each note that has not ended before the audio, with the number of its note-on in the song.
  func forEach(_ body: (_ number: Int, RollNote, RollPreset) -> Void) {
    var channels = (0..<16 * range.timeline.ports.count).map { Channel($0 % 16) }
    var number = 0
    /// Passes ended notes to `body`, with frames relative to the audio.
    func emit(_ ended: [Held], from channel: Int, at frame: Int) {
      for held in ended where frame > range.start {
        let note = RollNote(
          start: held.start - range.start, end: (held.end ?? frame) - range.start,
          release: frame - range.start, key: held.key, velocity: held.velocity,
          channel: UInt8(channel % 16), port: UInt8(channel / 16))
        body(held.number, note, held.preset)
      }
    }
    for event in range.timeline.events {
      let frame = Int(event.frame)
      if frame > range.end { break }
      switch event.message {
      // Other messages at the end only end notes that end there anyway.
      case .channel(let message) where frame == range.end && !message.startsNote: continue
      case .channel where frame == range.end && !range.endsWithSong: continue
      case .sysEx where frame == range.end: continue
      case .channel(let message):
        let channel = Int(event.port) * 16 + Int(message.channel)
        emit(channels[channel].handle(message, at: frame, number), from: channel, at: frame)
        if message.startsNote { number += 1 }
      case .sysEx(let sysExRange):
        let resets = range.timeline.bytes(of: sysExRange).withUnsafeBufferPointer {
          SystemExclusive.resets($0)
        }
        if !resets { continue }
        for channel in Int(event.port) * 16..<Int(event.port + 1) * 16 {
          emit(channels[channel].held, from: channel, at: frame)
          channels[channel] = Channel(channel % 16)
        }
      }
    }
    for channel in channels.indices { emit(channels[channel].held, from: channel, at: range.end) }
  }

  /// A sounding note.
  private struct Held {
    /// The number of the note-on in the song.
    var number: Int
    var start: Int
    /// The frame at which its key was released, if the pedal still holds it.
    var end: Int?
    var key: UInt8
    var velocity: UInt8
    var preset: RollPreset
  }

  private struct Channel {
    var held: [Held] = []
    var isPedalDown = false
    private let isDrums: Bool
    private var bank = 0
    private var preset: RollPreset

    init(_ number: Int) {
      isDrums = number == 9
      preset = RollPreset(bank: isDrums ? 128 : 0, program: 0)
    }

    /// Handles a message.
    ///
    /// - Parameter number: The number of the next note.
    /// - Returns: The notes that the message ends.
    mutating func handle(_ message: ChannelMessage, at frame: Int, _ number: Int) -> [Held] {
      if message.startsNote {
        // A key struck again ends its previous note.
        let ended = remove { $0.key == message.data1 }
        held.append(
          Held(
            number: number, start: frame, key: message.data1, velocity: message.data2,
            preset: preset))
        return ended
      }
      if message.endsNote { return release(frame) { $0.key == message.data1 } }
      if message.kind == .programChange {
        preset = RollPreset(bank: isDrums ? 128 : bank, program: Int(message.data1))
      }
      return message.kind == .controlChange ? control(message, at: frame) : []
    }

    private mutating func control(_ message: ChannelMessage, at frame: Int) -> [Held] {
      switch message.data1 {
      case 0:
        bank = Int(message.data2)
        return []
      case 64:
        isPedalDown = message.data2 >= 64
        return isPedalDown ? [] : remove { $0.end != nil }
      case 120:
        return remove { _ in true }
      case 121:
        isPedalDown = false
        return remove { $0.end != nil }
      case 123...127:
        return release(frame) { _ in true }
      default:
        return []
      }
    }

    /// Releases keys: their notes end, or the pedal holds them.
    private mutating func release(_ frame: Int, _ matches: (Held) -> Bool) -> [Held] {
      if !isPedalDown { return remove(matches) }
      for index in held.indices where held[index].end == nil && matches(held[index]) {
        held[index].end = frame
      }
      return []
    }

    private mutating func remove(_ matches: (Held) -> Bool) -> [Held] {
      let ended = held.filter(matches)
      if !ended.isEmpty { held.removeAll(where: matches) }
      return ended
    }
  }
}
