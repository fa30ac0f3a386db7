/// Asks a node for the song that it plays beside the keyboards.
package struct GetSong: Request {
  package static let method = "song"
  package typealias Response = SongStatus

  package init() {}
}

/// Asks a node for the lyrics and markers of its song.
package struct GetSongWords: ListRequest {
  package static let method = "songWords"
  package typealias Response = ItemList<SongWord>
  /// The number of words to leave out, because earlier responses have listed them.
  package var offset: Int

  package init(offset: Int) { self.offset = offset }
}

/// Sends a node a part of the file of a song, or the path of the file. With the last part, the node plays that song
/// instead of the one before; it is stopped at first.
package struct LoadSong: Request {
  package static let method = "loadSong"
  package typealias Response = SongStatus
  /// The name for the user. With ``data``, its extension, if any, tells audio files apart.
  package var name: String
  /// The absolute path of the file; `nil`: see ``data``.
  package var path: String?
  /// Bytes of the file in Base64, at most 48 000 of them.
  package var data: String?
  /// The place of ``data`` in the file; 0 begins a file.
  package var offset: Int?
  /// The length of the file in bytes.
  package var total: Int?
  /// The absolute path of the SoundFont that plays the song; `nil` for that of the node.
  package var soundFont: String?
  /// The number of bars that are counted in before the song.
  package var countIn: Int?

  package init(name: String, path: String) {
    self.name = name
    self.path = path
  }

  package init(name: String, data: String, offset: Int, total: Int) {
    self.name = name
    (self.data, self.offset, self.total) = (data, offset, total)
  }

  /// The greatest length of a file, in bytes.
  package static let longestFile = 1 << 28
}

/// Removes the song of a node. What sounds fades out.
package struct UnloadSong: Request {
  package static let method = "unloadSong"
  package typealias Response = SongStatus

  package init() {}
}

/// Starts, stops or moves the song of a node.
package struct CommandSong: Request {
  package static let method = "commandSong"
  package typealias Response = SongStatus

  package enum Command: String, CaseIterable, Codable, Sendable {
    /// Plays from the start, after the count-in.
    case start
    case stop
    /// Plays from where the song is.
    case `continue`
    case togglePlay
    /// Moves to ``CommandSong/position`` or ``CommandSong/bar``.
    case jump
    /// Repeats the bars from ``CommandSong/bar`` to ``CommandSong/lastBar``; without them, the whole song.
    case loop
    case endLoop
  }

  package var command: Command
  /// In seconds of the song as it is played.
  package var position: Double?
  /// Counted from 1.
  package var bar: Int?
  package var lastBar: Int?

  package init(_ command: Command) { self.command = command }
}

/// Changes how a node plays its song. Fields without a value remain.
package struct ChangeSong: Request {
  package static let method = "changeSong"
  package typealias Response = SongStatus
  /// The tempo in percent of that of the file.
  package var tempoPercent: Double?
  /// The tempo of the first note, in quarter notes per minute; other tempos are in proportion.
  package var tempo: Double?
  /// In semitones, drums excepted.
  package var transposition: Int?
  /// In decibels.
  package var level: Double?
  /// Whether the metronome clicks.
  package var isClicking: Bool?
  /// The number of bars that are counted in before the song.
  package var countIn: Int?
  package var channels: [SongChannelChange]?

  package init() {}
}

/// A change of a channel of a song. Fields without a value remain.
package struct SongChannelChange: Codable, Equatable, Sendable {
  /// The number of the port, from 1; `nil`: the song has one.
  package var port: Int?
  /// 1…16.
  package var channel: Int
  package var isMuted: Bool?
  package var isSoloed: Bool?
  /// In decibels, by which the volume of the file is changed, as far as the volume reaches.
  package var level: Double?
  /// What the channel plays instead of the presets of the file; both or none.
  package var bank: Int?
  package var program: Int?
  /// Whether the channel plays the presets of the file again.
  package var usesFilePreset: Bool?

  package init(channel: Int) { self.channel = channel }
}

/// The song of a node, and its metronome.
package struct SongStatus: Codable, Equatable, Sendable {
  /// `nil`: none is loaded.
  package var song: NodeSong?
  /// Whether the metronome clicks.
  package var isClicking: Bool
  /// Why the song that was wanted last is not played; `nil` if it is.
  package var problem: String?

  package init(song: NodeSong? = nil, isClicking: Bool = false, problem: String? = nil) {
    (self.song, self.isClicking, self.problem) = (song, isClicking, problem)
  }
}

/// A song that a node plays beside the keyboards.
package struct NodeSong: Codable, Equatable, Sendable {
  package enum Kind: String, CaseIterable, Codable, Sendable {
    case midi, audio
    /// The metronome alone.
    case click
  }

  package var name: String
  package var kind: Kind
  /// Another number after a song was loaded, and after its length or words have changed.
  package var revision: Int
  /// In seconds, as it is played.
  package var length: Double
  /// The number of bars; `nil` for a song without beats.
  package var bars: Int?
  /// In seconds, as it is played; negative in a count-in.
  package var position: Double = 0
  /// The bar and the beat at the position, counted from 1; `nil` in a count-in, and for a song without beats.
  package var bar: Int?
  package var beat: Int?
  /// The tempo at the position in quarter notes per minute; `nil` for a song without beats.
  package var tempo: Double?
  /// The time signature at the position, such as `6/8`.
  package var meter: String?
  package var isPlaying = false
  /// The bars that are repeated.
  package var loop: SongLoopBars?
  /// The number of bars that are counted in before the song.
  package var countIn = 0
  /// The tempo in percent of that of the file.
  package var tempoPercent: Double = 100
  /// In semitones.
  package var transposition = 0
  /// In decibels.
  package var level: Double = 0
  /// The path of the SoundFont; `nil` for audio.
  package var soundFont: String?
  /// The number of lyrics and markers, which ``GetSongWords`` lists.
  package var wordCount = 0
  /// The channels with notes.
  package var channels: [SongChannel] = []

  package init(name: String, kind: Kind, revision: Int, length: Double) {
    (self.name, self.kind, self.revision, self.length) = (name, kind, revision, length)
  }
}

/// The bars that a song repeats, counted from 1.
package struct SongLoopBars: Codable, Equatable, Sendable {
  package var first: Int
  package var last: Int

  package init(first: Int, last: Int) { (self.first, self.last) = (first, last) }
}

/// A channel of a song that has notes.
package struct SongChannel: Codable, Equatable, Sendable {
  /// The number of the port, from 1; `nil`: the song has one.
  package var port: Int?
  /// 1…16.
  package var channel: Int
  /// The name of the preset that the channel's first note plays.
  package var name: String
  package var bank: Int
  package var program: Int
  package var isRhythm: Bool
  /// The number of notes.
  package var notes: Int
  package var isMuted = false
  package var isSoloed = false
  /// In decibels, by which the volume of the file is changed.
  package var level: Double = 0
  /// Whether the preset is another one than that of the file.
  package var isPresetChanged = false

  package init(
    port: Int?, channel: Int, name: String, bank: Int, program: Int, isRhythm: Bool, notes: Int
  ) {
    (self.port, self.channel, self.name) = (port, channel, name)
    (self.bank, self.program, self.isRhythm, self.notes) = (bank, program, isRhythm, notes)
  }
}

/// A syllable or a marker of a song.
package struct SongWord: Codable, Equatable, Sendable {
  package enum Kind: String, CaseIterable, Codable, Sendable { case lyric, marker }

  package enum LineBreak: String, CaseIterable, Codable, Sendable { case line, paragraph }

  package var kind: Kind
  /// In seconds of the song as it is played.
  package var position: Double
  package var text: String
  /// The break before a syllable.
  package var lineBreak: LineBreak?

  package init(_ kind: Kind, at position: Double, _ text: String, lineBreak: LineBreak? = nil) {
    (self.kind, self.position, self.text, self.lineBreak) = (kind, position, text, lineBreak)
  }
}
