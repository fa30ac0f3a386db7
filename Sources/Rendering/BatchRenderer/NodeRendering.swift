package import FluidSynthEngine
package import LocalSystem
package import MIDIFile
package import OfflineRenderer

/// Renders songs with the ports, plugins and SoundFonts that ``SongOptions/instruments`` and ``SongOptions/effects`` name.
///
/// Threads: any, several at a time.
package protocol NodeRendering: Sendable {
  /// Returns what identifies the plugins that the options name, so that results of other versions of them are not taken for the
  /// same: hashes by URIs.
  func identities(of options: SongOptions) -> [String: String]

  /// Returns what pictures and stems call a port: the name of a plugin, with its preset.
  func title(ofPort name: String) -> String

  /// Renders one song.
  ///
  /// - Parameters:
  ///   - input: The path of the song, for messages.
  ///   - soundFonts: The SoundFonts that play, by their names; `nil` is the name of the one that was found.
  ///   - stems: The destination of the stems, and the names for them; `nil` for none.
  ///   - labels: The destination of the labels; `nil` for none.
  ///   - open: Opens the file, which is finished on success, and removed on failure.
  ///   - begin: Called with the approximate number of seconds of audio, before rendering starts.
  ///   - progress: Called with the number of seconds rendered since the last call.
  ///   - accept: Called at the end. The file is removed if it throws.
  func render(
    _ song: StandardMIDIFile, input: String, _ options: SongOptions,
    _ soundFonts: [String?: SoundFont],
    stems: (StemSettings, PlayedSounds)?, labels: LabelFile?,
    to open: () throws(RenderError) -> RenderedFile, begin: (Double) -> Void,
    progress: (Double) -> Void, accept: (SongReport) throws -> Void
  ) throws(Failure) -> SongReport
}
