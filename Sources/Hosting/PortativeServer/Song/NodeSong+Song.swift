import FluidSynthEngine
import LivePlayer
import MIDIFile
import NodeProtocol
import OfflineRenderer
import RenderCore

extension NodeSong {
  /// Describes a song of a server as it is played now.
  init(_ song: RunningSong, _ settings: SongSettings, revision: Int) {
    let (content, timeline, transport) = (song.content, song.timeline, song.remote.transport)
    self.init(
      name: content.name, kind: content.kind, revision: revision, length: timeline?.seconds ?? 0)
    if let transport, let timeline { describe(transport, timeline) }
    countIn = settings.countIn
    transposition = settings.transposition
    level = settings.level
    tempoPercent = settings.tempoPercent(of: content)
    wordCount = content.wordCount
    soundFont = content.soundFont?.path
    channels = content.channels.map { settings.channel($0, of: content) }
  }

  private mutating func describe(_ transport: SongTransport, _ timeline: Timeline) {
    let (map, frame) = (transport.map, transport.frame)
    position = Double(frame) / Double(map.sampleRate)
    isPlaying = transport.isPlaying
    if map.isNominal { return }
    bars = Int(map.bar(at: max(0, timeline.endFrame - 1)).number)
    // Files have whole microseconds.
    tempo = (map.tempo(at: frame) * 100).rounded() / 100
    let bar = map.bar(at: frame)
    let signature = bar.signature
    meter = "\(signature.numerator)/\(1 << Int(signature.denominatorPower))"
    if frame >= 0 {
      self.bar = Int(bar.number)
      let unit = 4 / Double(1 << Int(signature.denominatorPower))
      // A frame is not exactly on a beat.
      beat = Int(((map.beat(at: frame) - bar.start) / unit + 1e-4).rounded(.down)) + 1
    }
    if let loop = transport.loop {
      let last = map.bar(at: max(loop.frames.lowerBound, loop.frames.upperBound - 1))
      self.loop = SongLoopBars(
        first: Int(map.bar(at: loop.frames.lowerBound).number), last: Int(last.number))
    }
  }
}

extension SongSettings {
  /// The tempo in percent of that of the file.
  fileprivate func tempoPercent(of content: SongContent) -> Double {
    let factor: Double
    switch tempo {
    case .speed(let speed): factor = speed.factor
    case .beatsPerMinute(let beats):
      factor = content.file.firstTempo.map { beats * Double($0) / 60_000_000 } ?? 1
    }
    return (factor * 10_000).rounded() / 100
  }

  /// Describes a channel as it is played.
  fileprivate func channel(_ written: SongChannel, of content: SongContent) -> SongChannel {
    let place = Place(port: (written.port ?? 1) - 1, channel: written.channel - 1)
    guard let own = channels[place] else { return written }
    var channel = written
    (channel.isMuted, channel.isSoloed, channel.level) = (own.isMuted, own.isSoloed, own.level)
    if let preset = own.preset {
      (channel.bank, channel.program) = (written.isRhythm ? 128 : preset.bank, preset.program)
      channel.name = content.presetName(
        bank: preset.bank, program: preset.program, isRhythm: written.isRhythm)
      channel.isPresetChanged = true
    }
    return channel
  }
}

extension Timeline {
  /// The lyrics and markers.
  var songWords: [SongText] {
    words.filter { [.lyric, .marker, .cuePoint].contains($0.kind) }
  }
}

extension SongWord {
  /// Returns the lyrics and markers of a song.
  static func all(of timeline: Timeline) -> [SongWord] {
    timeline.songWords.map { word in
      let lineBreak: LineBreak? =
        switch word.lineBreak {
        case .line: .line
        case .paragraph: .paragraph
        case nil: nil
        }
      return SongWord(
        word.kind == .lyric ? .lyric : .marker,
        at: Double(word.frame) / Double(timeline.sampleRate), String(word.text.prefix(1000)),
        lineBreak: lineBreak)
    }
  }
}
