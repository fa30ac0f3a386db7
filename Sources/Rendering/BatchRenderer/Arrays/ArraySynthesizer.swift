import AudioFile
package import Configuration
import FluidSynthEngine
package import LocalSystem
package import MIDIFile
package import OfflineRenderer

/// Renders songs into memory with the options of `portative render`.
///
/// The SoundFont is loaded once, and shared with every other synthesizer that plays it. No thread is started. Realtime:
/// no. Threads: any; each stream by one at a time.
package final class ArraySynthesizer: Sendable {
  private let options: SongOptions
  private let font: SoundFont
  private let resources: SharedRenderResources
  /// The SoundFont, and how it was found.
  package let found: FoundSoundFont

  /// The memory for recurring notes of all songs together.
  private static let cacheBytes = 64 << 20

  /// - Parameter arguments: Options as in ``SongOptions/table``, without those that concern files.
  /// - Throws: ``Failure``, as the command.
  package init(arguments: [String]) throws(Failure) {
    var options = SongOptions()
    let others = try SongOptions.table.parse(arguments, into: &options)
    if let other = others.first { throw .usage("'\(other)' is not an option of a song") }
    try options.validate()
    try Self.refuseFiles(options)
    self.options = options
    do {
      found = try SoundFontSearch().find(option: options.soundFont)
      font = try SoundFont.open(found.path)
      _ = try font.presets()
    } catch {
      throw Failure(error)
    }
    resources = SharedRenderResources(
      concurrencyLimit: 4, cacheBytes: Self.cacheBytes, holdsLanes: true)
  }

  private static func refuseFiles(_ options: SongOptions) throws(Failure) {
    let refused = [
      options.container != nil || options.isRaw ? "--format" : nil,
      options.bits == nil ? nil : "--bits", options.image != nil ? "--image" : nil,
      options.labels == nil ? nil : "--labels",
      options.normalization == nil ? nil : "--normalize",
    ].compactMap(\.self)
    if let name = refused.first {
      throw .usage("\(name) is an option for files: samples in memory are 32-bit floats")
    }
  }

  /// Frames per second.
  package var sampleRate: Int { options.sampleRate }

  /// Starts to render a song.
  ///
  /// - Parameters:
  ///   - name: What messages call it.
  ///   - hasLabels: Whether to record when notes begin and end.
  package func stream(
    _ song: StandardMIDIFile, name: String, hasLabels: Bool
  ) throws(Failure) -> SongStream {
    do throws(RenderError) {
      return try SongStream(
        song, soundFont: font, settings: options.settings, stems: options.stems,
        hasLabels: hasLabels && options.timing == .exact, resources: resources)
    } catch {
      throw Failure(error, input: name)
    }
  }

  /// Returns the report on a song that was rendered, as in the reports of the command, in JSON.
  package func report(_ stream: SongStream, name: String) throws(Failure) -> String {
    let report = stream.report
    let format: AudioFormat
    do throws(AudioFormatError) {
      format = try AudioFormat(.wav, bits: .b32f)
    } catch {
      throw Failure(error)
    }
    let song = RenderReport.Song(
      input: name, output: "", report, warnings: Warnings.of(report, options, format))
    return RenderReport.encode(song, [])
  }
}
