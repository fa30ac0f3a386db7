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
    for key in keys {
      text +=
        Line("key").add("frame", Int(key.frame)).add("sharps", key.sharps)
        .add("isMinor", "\(key.isMinor)").text
    }
    for word in words {
      var line = Line("text").add("frame", Int(word.frame)).add("track", word.track)
        .add("kind", "\"\(word.kind.rawValue)\"").add("text", Self.quoted(word.text))
      if let lineBreak = word.lineBreak { line = line.add("break", "\"\(lineBreak.rawValue)\"") }
      text += line.text
    }
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
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
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

    var text: String { fields + "}\n" }
  }
}
