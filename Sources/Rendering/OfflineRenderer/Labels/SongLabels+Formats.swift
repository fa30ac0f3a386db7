import FluidSynthEngine
import LocalSystem
import MIDIFile

extension SongLabels {
  /// The name of the schema in each line.
  static let schema = "portative/labels/1"

  /// The labels as JSON Lines.
  var lines: String {
    var audio = Line("audio")
      .add("sampleRate", sampleRate).add("start", start)
      .add("frames", frames).add("notes", notes.count)
    if ports.count > 1 {
      audio = audio.add("ports", "[\(ports.map(Self.object).joined(separator: ","))]")
    }
    var text = audio.text
    for tempo in tempos {
      text +=
        Line("tempo").add("frame", Int(tempo.frame))
        .add("microsecondsPerQuarter", tempo.microsecondsPerQuarter).text
    }
    for beat in beats {
      text +=
        Line("beat").add("frame", Int(beat.frame)).add("bar", beat.bar).add("beat", beat.beat)
        .add("numerator", beat.numerator).add("denominator", beat.denominator).text
    }
    text += (keyLines + textLines).map { $0 + "\n" }.joined()
    for note in notes { text += line(note) }
    for message in messages {
      text +=
        Line("message").add("frame", message.frame).add("track", message.track)
        .add("port", message.port)
        .add("status", Int(message.status)).add("data1", Int(message.data1))
        .add("data2", Int(message.data2)).text
    }
    return text
  }

  /// The lines of the key signatures.
  package var keyLines: [String] {
    keys.map {
      Line("key").add("frame", Int($0.frame)).add("sharps", $0.sharps)
        .add("isMinor", "\($0.isMinor)").object
    }
  }

  /// The lines of lyrics, markers, names and texts.
  package var textLines: [String] {
    words.map { word in
      var line = Line("text").add("frame", Int(word.frame)).add("track", word.track)
        .add("kind", "\"\(word.kind.rawValue)\"").add("text", Self.quoted(word.text))
      if let lineBreak = word.lineBreak { line = line.add("break", "\"\(lineBreak.rawValue)\"") }
      return line.object
    }
  }

  private func line(_ note: NoteLabel) -> String {
    var line = Line("note").add("note", note.note).add("track", note.track)
      .add("port", note.port).add("channel", Int(note.channel)).add("bank", note.bank).add(
        "program", note.program
      )
      .add("key", Int(note.key)).add("velocity", Int(note.velocity)).add("onset", note.onset)
      .add("keyRelease", note.keyRelease).add("soundRelease", note.soundRelease)
    if let audible = note.audible { line = line.add("audible", audible) }
    if let silence = note.silence { line = line.add("silence", silence) }
    line = line.add("ending", "\"\(note.ending.name)\"")
    if let endedBy = note.endedBy { line = line.add("endedBy", endedBy) }
    if let returnOf = note.returnOf { line = line.add("returnOf", returnOf) }
    // Names of files of notes have letters, digits, spaces and dots only.
    if let file = note.file { line = line.add("file", "\"\(file)\"") }
    return line.text
  }

  private static func object(_ port: Timeline.Port) -> String {
    if let number = port.number { return "{\"number\":\(number)}" }
    return "{\"name\":\(quoted(port.name ?? ""))}"
  }

  /// Returns a text as a JSON string.
  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case "\n": quoted += "\\n"
      case _ where scalar.value < 0x20:
        quoted += "\\u" + String(scalar.value, digits: 4, radix: 16)
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }

  /// A JSON object in one line.
  private struct Line {
    private var fields: String

    init(_ type: String) { fields = "{\"schema\":\"\(SongLabels.schema)\",\"type\":\"\(type)\"" }

    func add(_ name: String, _ value: Int) -> Line { add(name, "\(value)") }

    func add(_ name: String, _ value: String) -> Line {
      var line = self
      line.fields += ",\"\(name)\":\(value)"
      return line
    }

    var object: String { fields + "}" }

    var text: String { object + "\n" }
  }
}

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

extension SongLabels {
  /// The labels as an archive of NumPy arrays. A missing value is −1; `audible` and `silence` are those of
  /// ``NoteLabel/soundFrames(within:)``.
  var arrays: [UInt8] {
    var archive = ZipArchive()
    archive.add("sample_rate.npy", NumPyArray(sampleRate).bytes)
    archive.add("start.npy", NumPyArray(start).bytes)
    archive.add("frames.npy", NumPyArray(frames).bytes)
    archive.add("notes.npy", noteArray.bytes)
    var tempos = NumPyArray(fields: [("frame", "<i8"), ("microseconds_per_quarter", "<i4")])
    for tempo in self.tempos {
      tempos.add(tempo.frame)
      tempos.add(Int32(tempo.microsecondsPerQuarter))
      tempos.endRow()
    }
    archive.add("tempos.npy", tempos.bytes)
    archive.add("beats.npy", beatArray.bytes)
    archive.add("messages.npy", messageArray.bytes)
    archive.add("endings.npy", NumPyArray(LoggedNote.Ending.allCases.map(\.name)).bytes)
    if hasFiles {
      archive.add("files.npy", NumPyArray(notes.map { $0.file ?? "" }).bytes)
    }
    return archive.finish()
  }

  private var noteArray: NumPyArray {
    var array = NumPyArray(fields: [
      ("note", "<i4"), ("track", "<i4"), ("bank", "<i4"), ("program", "<i4"), ("onset", "<i8"),
      ("key_release", "<i8"), ("sound_release", "<i8"), ("audible", "<i8"), ("silence", "<i8"),
      ("ended_by", "<i4"), ("channel", "|u1"), ("key", "|u1"), ("velocity", "|u1"),
      ("ending", "|u1"), ("port", "|u1"), ("return_of", "<i4"), ("instrument", "<i4"),
      ("index", "<i4"),
    ])
    for note in notes {
      for value in [note.note, note.track, note.bank, note.program] { array.add(Int32(value)) }
      let sound = note.soundFrames(within: frames)
      for value in [
        note.onset, note.keyRelease, note.soundRelease, sound.audible, sound.silence,
      ] { array.add(Int64(value)) }
      array.add(Int32(note.endedBy ?? -1))
      for value in [
        note.channel, note.key, note.velocity, note.ending.rawValue, UInt8(note.port),
      ] { array.add(value) }
      array.add(Int32(note.returnOf ?? -1))
      // Only objects of other programs have instruments.
      for value in [-1, note.writtenNote] { array.add(Int32(value)) }
      array.endRow()
    }
    return array
  }

  private var beatArray: NumPyArray {
    var array = NumPyArray(fields: [
      ("frame", "<i8"), ("bar", "<i4"), ("beat", "<i4"), ("numerator", "<i4"),
      ("denominator", "<i4"),
    ])
    for beat in beats {
      array.add(beat.frame)
      for value in [beat.bar, beat.beat, beat.numerator, beat.denominator] {
        array.add(Int32(value))
      }
      array.endRow()
    }
    return array
  }

  private var messageArray: NumPyArray {
    var array = NumPyArray(fields: [
      ("frame", "<i8"), ("track", "<i4"), ("status", "|u1"), ("data1", "|u1"), ("data2", "|u1"),
      ("port", "|u1"),
    ])
    for message in messages {
      array.add(Int64(message.frame))
      array.add(Int32(message.track))
      for value in [message.status, message.data1, message.data2, UInt8(message.port)] {
        array.add(value)
      }
      array.endRow()
    }
    return array
  }
}
