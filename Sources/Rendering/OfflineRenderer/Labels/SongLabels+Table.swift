extension SongLabels {
  /// The notes as comma-separated values, with a line of names. A missing value is empty.
  var table: String {
    var text =
      "note,track,channel,bank,program,key,velocity,onset,keyRelease,soundRelease,audible,silence,"
      + "ending,endedBy,port,returnOf\(hasFiles ? ",file" : "")\n"
    for note in notes {
      let numbers = [
        note.note, note.track, Int(note.channel), note.bank, note.program, Int(note.key),
        Int(note.velocity), note.onset, note.keyRelease, note.soundRelease,
      ]
      let last = [note.audible, note.silence].map { $0.map { "\($0)" } ?? "" }
      var end = [note.ending.name, note.endedBy.map { "\($0)" } ?? "", "\(note.port)"]
      end.append(note.returnOf.map { "\($0)" } ?? "")
      if hasFiles { end.append(note.file ?? "") }
      text += (numbers.map { "\($0)" } + last + end).joined(separator: ",") + "\n"
    }
    return text
  }
}
