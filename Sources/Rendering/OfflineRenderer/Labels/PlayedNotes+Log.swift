import FluidSynthEngine

extension PlayedNotes {
  /// The notes of a song that no instrument of this process has recorded, in the order of their note-ons. What has ended before the
  /// audio is empty.
  var logged: [LoggedNote] {
    var log: [LoggedNote] = []
    forEach { number, note, _ in
      while log.count <= number { log.append(LoggedNote()) }
      func frame(_ relative: Int) -> Int64 { Int64(relative + start) }
      log[number] = LoggedNote(
        onset: frame(note.start), channel: note.channel, key: note.key, velocity: note.velocity,
        keyRelease: frame(note.end), soundRelease: frame(note.release))
    }
    return log
  }
}
