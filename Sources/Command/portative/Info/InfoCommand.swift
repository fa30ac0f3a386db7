import BatchRenderer
import Configuration
import FluidSynthEngine
import LocalSystem
import MIDIFile
import OfflineRenderer
import PluginNodes

/// The verb `info`: what is in songs, SoundFonts and ports.
enum InfoCommand {
  /// - Parameter arguments: The arguments after `info`.
  static func run(_ arguments: [String]) throws -> ExitCode {
    let options = try InfoOptions(arguments: arguments)
    if options.wantsHelp { return try Command.write(Help.info) }
    switch options.subject {
    case .files(let paths): return try show(paths, options)
    case .port(let name, let settings):
      let port = try PluginSelection(prefixed: name).map { try PortInfo($0) } ?? PortInfo(name)
      if options.isJSON { return try Command.write(port.json) }
      if options.listsSettings {
        return try Command.write(port.settings.map { "\($0.name)=\($0.value)\n" }.joined())
      }
      return try Command.write(settings.isEmpty ? port.text : port.values(of: settings))
    case .presets:
      let list = try PresetList(options)
      return try Command.write(options.isJSON ? list.json : list.text())
    }
  }

  private static func show(_ paths: [String], _ options: InfoOptions) throws -> ExitCode {
    Terminal.silenceGLib()
    let files = try SongFinder.songs(of: paths)
    var result = ExitCode.done
    var reader = InfoReader(options)
    var table = InfoTable()
    for file in files {
      do {
        let info = try reader.read(file)
        if options.isJSON {
          try Command.write(info.json)
        } else if files.count == 1 {
          try Command.write(info.text)
        } else {
          try Command.write(table.lines(of: info))
        }
      } catch {
        let failure = Failure(error)
        if failure.signal != nil { throw failure }
        result = failure.exitCode
        Terminal.complain(failure.message)
        if options.isJSON {
          let error = RenderReport.SongError(input: file, failure)
          try Command.write(JSONOutput.info.line(["error": error]))
        }
      }
    }
    return result
  }
}

/// Reads files of both kinds.
struct InfoReader {
  private let options: InfoOptions
  /// The SoundFont that songs would be played with; `nil` if there is none.
  private var soundFont: Result<(path: String, font: SoundFont, names: PresetNames), Failure>?

  init(_ options: InfoOptions) { self.options = options }

  mutating func read(_ path: String) throws -> FileInfo {
    if SoundFontFile.isNamed(path) { return .soundFont(try SoundFontInfo(path)) }
    let song = try SongFile.decode(path)
    let found = try playedSoundFont()
    do throws(RenderError) {
      let inspection = try SongInspection(song, options.style ?? .auto, found?.font)
      return .song(
        SongInfo(
          path, song.title, inspection, soundFont: found?.path,
          song.embeddedSoundFont == nil ? found?.names : nil))
    } catch {
      throw Failure(error, input: path)
    }
  }

  /// - Throws: If `--soundfont` names an unusable one.
  private mutating func playedSoundFont() throws(Failure)
    -> (path: String, font: SoundFont, names: PresetNames)?
  {
    let result =
      soundFont
      ?? Result { () throws(Failure) in
        do {
          let path = try SoundFontSearch().find(option: options.soundFont).path
          let font = try SoundFont.open(path)
          return (path, font, PresetNames(try font.presets()))
        } catch {
          throw Failure(error)
        }
      }
    soundFont = result
    if options.soundFont != nil { return try result.get() }
    return try? result.get()
  }
}

/// What is in a file.
enum FileInfo {
  case song(SongInfo)
  case soundFont(SoundFontInfo)

  var json: OutputText {
    switch self {
    case .song(let song): JSONOutput.info.line(["song": song])
    case .soundFont(let font): JSONOutput.info.line(["soundFont": font])
    }
  }

  var text: OutputText {
    switch self {
    case .song(let song): song.text
    case .soundFont(let font): font.text
    }
  }
}

/// A line for each of many files.
struct InfoTable {
  private var columns = Columns()
  private var hasHead = false

  mutating func lines(of info: FileInfo) -> OutputText {
    var rows = hasHead ? [] : [["LENGTH", "TEMPO", "NOTES", "PARTS", "MISSING", "FILE"]]
    hasHead = true
    switch info {
    case .song(let song):
      rows.append([
        clockText(song.seconds), song.tempoText, "\(song.notes)", "\(song.parts.count)",
        "\(song.missing.count)", song.head,
      ])
    case .soundFont(let font):
      rows.append(["", "", "", "", "", font.head])
    }
    return columns.lines(rows).map { "\($0)\n" }.joined()
  }
}
