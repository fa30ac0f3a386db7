import NodeProtocol

extension MessageExample {
  private static let status: SongStatus = {
    var song = NodeSong(name: "Waltz", kind: .midi, revision: 3, length: 61.5)
    (song.bars, song.position, song.bar, song.beat) = (32, 12.5, 7, 2)
    (song.tempo, song.meter, song.isPlaying) = (90, "3/4", true)
    song.loop = SongLoopBars(first: 5, last: 8)
    (song.countIn, song.tempoPercent, song.transposition, song.level) = (1, 75, -2, -6)
    (song.soundFont, song.wordCount) = ("/a.sf2", 9)
    var channel = SongChannel(
      port: 1, channel: 10, name: "Standard", bank: 128, program: 0, isRhythm: true, notes: 5)
    (channel.isMuted, channel.level) = (true, -12)
    song.channels = [channel]
    return SongStatus(song: song, isClicking: true, problem: "no")
  }()

  private static let statusText = #"""
    {"song": {"name": "Waltz", "kind": "midi", "revision": 3, "length": 61.5, "bars": 32,
    "position": 12.5, "bar": 7, "beat": 2, "tempo": 90, "meter": "3/4", "isPlaying": true,
    "loop": {"first": 5, "last": 8}, "countIn": 1, "tempoPercent": 75, "transposition": -2,
    "level": -6, "soundFont": "/a.sf2", "wordCount": 9, "channels": [{"port": 1, "channel": 10,
    "name": "Standard", "bank": 128, "program": 0, "isRhythm": true, "notes": 5, "isMuted": true,
    "isSoloed": false, "level": -12, "isPresetChanged": false}]}, "isClicking": true, "problem": "no"}
    """#

  /// Requests for the song of a node.
  static var songs: [MessageExample] {
    var examples = make(GetSong(), "{}", status, statusText)
    examples += make(
      GetSongWords(offset: 1), #"{"offset": 1}"#,
      ItemList(items: [SongWord(.lyric, at: 1.5, "la", lineBreak: .line)], total: 2),
      #"{"items": [{"kind": "lyric", "position": 1.5, "text": "la", "lineBreak": "line"}], "total": 2}"#
    )
    var load = LoadSong(name: "a.mid", data: "TVRoZA==", offset: 0, total: 9)
    (load.path, load.soundFont, load.countIn) = ("/a.mid", "/a.sf2", 2)
    examples += make(
      load,
      #"""
      {"name": "a.mid", "path": "/a.mid", "data": "TVRoZA==", "offset": 0, "total": 9,
      "soundFont": "/a.sf2", "countIn": 2}
      """#, SongStatus(), #"{"isClicking": false}"#)
    examples += make(UnloadSong(), "{}", SongStatus(), #"{"isClicking": false}"#)
    var command = CommandSong(.loop)
    (command.position, command.bar, command.lastBar) = (0.5, 5, 8)
    examples += make(
      command, #"{"command": "loop", "position": 0.5, "bar": 5, "lastBar": 8}"#, SongStatus(),
      #"{"isClicking": false}"#)
    return examples + changes
  }

  private static var changes: [MessageExample] {
    var change = ChangeSong()
    (change.tempoPercent, change.tempo, change.transposition) = (75, 90, -2)
    (change.level, change.isClicking, change.countIn) = (-6, true, 1)
    var channel = SongChannelChange(channel: 10)
    (channel.port, channel.isMuted, channel.isSoloed, channel.level) = (1, true, false, -12)
    (channel.bank, channel.program, channel.usesFilePreset) = (0, 4, false)
    change.channels = [channel]
    return make(
      change,
      #"""
      {"tempoPercent": 75, "tempo": 90, "transposition": -2, "level": -6, "isClicking": true,
      "countIn": 1, "channels": [{"port": 1, "channel": 10, "isMuted": true, "isSoloed": false,
      "level": -12, "bank": 0, "program": 4, "usesFilePreset": false}]}
      """#, SongStatus(), #"{"isClicking": false}"#)
  }
}
