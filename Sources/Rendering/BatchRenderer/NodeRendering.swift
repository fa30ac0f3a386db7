package import FluidSynthEngine
package import LocalSystem
package import MIDIFile
package import OfflineRenderer

/// Renders songs for which ``SongOptions/instrument`` or ``SongOptions/effects`` name ports or plugins.
///
/// Threads: any, several at a time.
package protocol NodeRendering: Sendable {
  /// Returns what identifies the plugins that the options name, so that results of other versions of them are not taken for the
  /// same: hashes by URIs.
  func identities(of options: SongOptions) -> [String: String]

  /// Renders one song.
  ///
  /// - Parameters:
  ///   - input: The path of the song, for messages.
  ///   - soundFont: What plays the song if the options name no instrument.
  ///   - open: Opens the file, which is finished on success, and removed on failure.
  ///   - begin: Called with the approximate number of seconds of audio, before rendering starts.
  ///   - progress: Called with the number of seconds rendered since the last call.
  ///   - accept: Called at the end. The file is removed if it throws.
  func render(
    _ song: StandardMIDIFile, input: String, _ options: SongOptions, _ soundFont: SoundFont,
    to open: () throws(RenderError) -> RenderedFile, begin: (Double) -> Void,
    progress: (Double) -> Void, accept: (SongReport) throws -> Void
  ) throws(Failure) -> SongReport
}
