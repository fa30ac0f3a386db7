import BatchRenderer
import Configuration
import FluidSynthEngine
import JACKAudio
import LocalSystem

/// The verb `play`: plays songs one after the other.
enum PlayCommand {
  /// - Parameter arguments: The arguments after `play`.
  static func run(_ arguments: [String]) throws -> ExitCode {
    var options = try PlayOptions(arguments: arguments)
    if options.display.wantsHelp { return try Command.write(Help.play) }
    PipeWireProperties.allowConcurrentCallbacks()
    Terminal.silenceGLib()
    let soundFonts = PlayedSoundFonts()
    var playlist = try Playlist(options.render.inputs, isShuffled: options.isShuffled)
    var result = ExitCode.done
    while let song = playlist.song {
      options.render.inputs = [song]
      var ending: PlayPanel.Ending?
      do {
        var playback = try SongPlayback(options, with: soundFonts)
        ending = try playback.run(label: playlist.label)
      } catch {
        let failure = Failure(error)
        let concernsOnlySong =
          error is SongPlayback.Unplayable || failure.kind == .inputUnusable
        guard playlist.isList, concernsOnlySong, failure.signal == nil else { throw failure }
        Terminal.complain(failure.message)
        result = failure.exitCode
      }
      switch ending {
      case .quit: return result
      case .previous: playlist.goBack()
      case .next, nil: playlist.advance()
      }
    }
    return result
  }
}

/// The songs that are played one after the other.
struct Playlist {
  private let songs: [String]
  private var index = 0
  /// Whether several songs or a folder were named.
  let isList: Bool

  /// - Parameter inputs: Songs, and folders whose songs are played in the order of their names.
  /// - Throws: ``Failure`` if there is no song.
  init(_ inputs: [String], isShuffled: Bool) throws(Failure) {
    var songs = try SongFinder.songs(of: inputs)
    isList = inputs.count > 1 || FileIdentity(inputs[0])?.isFolder == true
    if isShuffled { songs.shuffle() }
    self.songs = songs
  }

  /// The song to be played; `nil` after the last one.
  var song: String? { songs.indices.contains(index) ? songs[index] : nil }

  mutating func advance() { index += 1 }

  mutating func goBack() { index = max(0, index - 1) }

  /// Returns the title of the song with its place in the list, if there are several.
  func label(_ title: String) -> String {
    songs.count > 1 ? "\(index + 1)/\(songs.count) \(title)" : title
  }
}

/// The SoundFonts of songs that are played without nodes. Each is loaded once.
final class PlayedSoundFonts {
  private var fonts: [String?: SoundFont] = [:]

  /// - Parameter name: The value of `--soundfont`; `nil`: not given.
  func font(_ name: String?) throws -> SoundFont {
    if let font = fonts[name] { return font }
    let font = try SoundFont.open(SoundFontSearch().find(option: name).path)
    fonts[name] = font
    return font
  }
}

extension Help {
  static let play = HelpText(
    usage: [
      "portative play [OPTIONS] SONG.mid|FOLDER …"
    ],
    description: """
      Plays songs on the sound device, one after the other, each event on its exact
      frame. Folders are searched for songs. With --node, a song plays through ports
      of nodes instead of an instrument of its own; nodes that are not running are
      started. With --output, one song is written to a file. - is standard input.
      """,
    options: PlayOptions.table.entries,
    remarks: """
      On a terminal, keys control the transport; ? lists them. portative remote
      controls it through the nodes that play. If two nodes have ports with the same
      name, add the node: portative/Delay. Effects that accept MIDI receive that of
      the song. Late cycles are counted, and reported at the end.

      If a node or the sound device disappears during playback, the song continues
      without it, and uses it again when it is back. A node with a manifest is started
      again. After --timeout, playback ends. A recording keeps the song's time, with
      silence where a node was missing. If the device comes back with another rate,
      the recording ends and another one begins.
      """,
    exitCodes: ExitStatus.of(0, 1, 2, 3, 4, 5, 130),
    examples: """
      portative play song.mid
      portative play --shuffle ~/Songs
      portative play --only piano --tempo 80% --loop-bars 5-8 --metronome song.mid
      portative play --node "General MIDI" --effect delay song.mid
      portative play --node "General MIDI" --output song.wav song.mid
      """)
}
