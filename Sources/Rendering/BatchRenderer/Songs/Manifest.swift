import Configuration
import FoundationEssentials
import LocalSystem

/// A list of songs with individual options: one JSON object per line.
///
/// `input` and `output` are paths. The other fields are options of `render` for this song, by their long names, as in
/// `{"input": "a.mid", "gain": -3, "timing": "stock", "raw": true}`. Options that may be given more than once have one value,
/// a list, or an object for values such as `1=NAME`: `{"instrument": {"1": "lv2:…"}}`. Options that a line does not contain
/// are those of the command line. Blank lines are skipped.
enum Manifest {
  /// The greatest length of a line, in bytes.
  private static let maximumLine = 1 << 20

  /// Reads a manifest.
  ///
  /// - Parameters:
  ///   - path: `-` is standard input.
  ///   - options: The options of the command line.
  /// - Returns: One request per line; an invalid line is a request with a problem.
  /// - Throws: ``Failure/Kind/inputUnusable`` if the manifest cannot be read.
  static func read(_ path: String, _ options: SongOptions) throws(Failure) -> [SongRequest] {
    let bytes = try InputFile.read(path, isSong: false)
    let name = path == "-" ? "the manifest" : "'\(path)'"
    var songs: [SongRequest] = []
    for (number, line) in bytes.split(separator: 10, omittingEmptySubsequences: false).enumerated()
    {
      if line.allSatisfy({ $0 == 32 || $0 == 9 || $0 == 13 }) { continue }
      let place = "line \(number + 1) of \(name)"
      songs.append(song(line, place, options))
    }
    return songs
  }

  private static func song(
    _ line: ArraySlice<UInt8>, _ place: String, _ options: SongOptions
  ) -> SongRequest {
    var song = SongRequest(place, options)
    do {
      let fields = try fields(line)
      if case .text(let input)? = fields["input"] {
        song.input = input
        song.name = SongPath.isContained(input) ? input : SongPath.lastPart(input)
      }
      try Self.read(fields, into: &song)
    } catch {
      let failure = Failure(error)
      song.problem = Failure(failure.kind, "\(place): \(failure.message)")
    }
    return song
  }

  private static func fields(_ line: ArraySlice<UInt8>) throws(Failure) -> [String: ManifestValue] {
    guard line.count <= maximumLine else {
      throw .usage("it must have at most \(maximumLine) bytes, but has \(line.count)")
    }
    guard let fields = try? JSONDecoder().decode([String: ManifestValue].self, from: Data(line))
    else {
      throw .usage(
        #"it must be a JSON object with values of options, such as {"input": "song.mid"}"#
      )
    }
    return fields
  }

  private static func read(
    _ fields: [String: ManifestValue], into song: inout SongRequest
  ) throws {
    var fields = fields
    guard case .text(let input)? = fields.removeValue(forKey: "input"), !input.isEmpty else {
      throw Failure.usage(#"it has no song: "input" must be a path"#)
    }
    if input == "-" {
      throw Failure.usage(#""input" must be a path, but was '-', which is standard input"#)
    }
    if let output = fields.removeValue(forKey: "output") {
      guard case .text(let path) = output, !path.isEmpty, path != "-" else {
        throw Failure.usage(#""output" must be the path of a file, but was \#(output)"#)
      }
      song.output = path
    }
    // Sorted, so that the same line always yields the same error.
    for (key, value) in fields.sorted(by: { $0.key < $1.key }) {
      try SongOptions.table.set(key, to: value, in: &song.options)
    }
    try song.options.validate()
    // A file that is named could be anywhere, also outside the folder of the run.
    if case .file(let path, _) = song.options.labels {
      throw Failure.usage(
        "\"labels\" must be jsonl, csv, npz or mid, for a file beside the audio, but was '\(path)'")
    }
    if case .file(let path, _) = song.options.image {
      throw Failure.usage(
        "\"image\" must be true, png or svg, for a picture beside the audio, but was '\(path)'")
    }
    if let output = song.output { try song.options.validateEnding(of: output) }
  }
}

extension OptionTable {
  /// Sets an option by its long name, as on the command line.
  fileprivate func set(_ key: String, to value: ManifestValue, in options: inout Options) throws {
    guard let row = rows.first(where: { $0.names.contains("--\(key)") }) else {
      let keys = ["input", "output"] + rows.map { String($0.name.dropFirst(2)) }
      let hint = closest(to: key, among: keys).map { "did you mean '\($0)'?" }
      throw Failure.usage(
        "'\(key)' is not an option of a song: \(hint ?? "see portative render --help")")
    }
    let words = try value.words
    if let clear = row.clear, value != .null { clear(&options) }
    guard row.repeats || words == nil else {
      throw Failure.usage("'\(key)' must be one value, but was \(value)")
    }
    if let words {
      for word in words { try row.apply(&options, word) }
      return
    }
    switch (value, row.value) {
    case (.null, _), (.boolean(false), nil): return
    case (.boolean(true), nil): try row.apply(&options, "")
    case (.boolean(true), _) where row.takes != nil: try row.apply(&options, "")
    case (.boolean(false), _) where row.takes != nil: return
    case (.boolean(let isOn), _): try row.apply(&options, isOn ? "on" : "off")
    case (_, nil): throw Failure.usage("'\(key)' must be true or false, but was \(value)")
    case (.text(let text), _): try row.apply(&options, text)
    case (.number(let number), _): try row.apply(&options, OptionValue.brief(number))
    case (.list, _), (.object, _): preconditionFailure("they have words")
    }
  }
}

/// The value of a field of a line.
enum ManifestValue: Decodable, Equatable, CustomStringConvertible {
  case text(String)
  case number(Double)
  case boolean(Bool)
  case null
  case list([ManifestValue])
  case object([String: ManifestValue])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let isOn = try? container.decode(Bool.self) {
      self = .boolean(isOn)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else if let list = try? container.decode([ManifestValue].self) {
      self = .list(list)
    } else {
      self = .object(try container.decode([String: ManifestValue].self))
    }
  }

  /// The values of a list, or of an object as `key=value`; `nil` for one value.
  ///
  /// - Throws: ``Failure/Kind/usage`` if one of them is no text or number.
  fileprivate var words: [String]? {
    get throws(Failure) {
      switch self {
      case .list(let list): return try list.map { (value) throws(Failure) in try value.word }
      case .object(let object):
        return try object.sorted { $0.key < $1.key }.map { (field) throws(Failure) in
          "\(field.key)=\(try field.value.word)"
        }
      default: return nil
      }
    }
  }

  private var word: String {
    get throws(Failure) {
      switch self {
      case .text(let text): return text
      case .number(let number): return OptionValue.brief(number)
      default: throw .usage("a value in a list must be a text or a number, but was \(self)")
      }
    }
  }

  var description: String {
    switch self {
    case .text(let text): "'\(text)'"
    case .number(let number): OptionValue.brief(number)
    case .boolean(let isOn): "\(isOn)"
    case .null: "null"
    case .list: "a list"
    case .object: "an object"
    }
  }
}
