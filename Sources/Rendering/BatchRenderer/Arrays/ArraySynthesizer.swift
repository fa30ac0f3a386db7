import AudioFile
package import Configuration
import FluidSynthEngine
package import LocalSystem
package import MIDIFile
import OfflineRenderer

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

  /// - Parameter arguments: Options of ``SongOptions/table``, without those that concern files.
  /// - Throws: ``Failure``, as the command.
  package init(arguments: [String]) throws(Failure) {
    options = try Self.options(SongOptions(), with: arguments)
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

  /// Returns options with others that are given later.
  private static func options(
    _ options: SongOptions, with arguments: [String]
  ) throws(Failure) -> SongOptions {
    var options = options
    let others = try SongOptions.table.parse(arguments, into: &options)
    if let other = others.first { throw .usage("'\(other)' is not an option of a song") }
    try options.validate()
    try refuseFiles(options)
    return options
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

  /// Returns what determines the samples besides the songs, in JSON: the head of a report of the command.
  package func provenance() throws(Failure) -> String {
    do {
      let format = try AudioFormat(.wav, bits: .b32f)
      var head = RenderReport(settings: RenderReport.Settings(options, format: format))
      head.soundFont = RenderReport.SoundFont(found, hash: try InputFile.hash(found.path))
      return RenderReport.encode(head, [])
    } catch {
      throw Failure(error)
    }
  }

  /// Starts to render a song.
  ///
  /// - Parameters:
  ///   - name: What messages call it.
  ///   - arguments: Options for this song, which replace those of the synthesizer, and do not change its SoundFont.
  ///   - frameLimit: The greatest number of frames; `nil`: any.
  ///   - hasLabels: Whether to record when notes begin and end.
  package func stream(
    _ song: StandardMIDIFile, name: String, arguments: [String] = [], frameLimit: Int? = nil,
    hasLabels: Bool
  ) throws(Failure) -> ArraySong {
    let options = try Self.options(self.options, with: arguments)
    guard options.soundFont == self.options.soundFont else {
      throw .usage("--soundfont cannot be changed for one song: make another synthesizer")
    }
    var settings = options.settings
    settings.frameLimit = frameLimit
    do throws(RenderError) {
      let stream = try SongStream(
        song, soundFont: font, settings: settings, stems: options.stems,
        hasLabels: hasLabels && options.timing == .exact, resources: resources)
      return ArraySong(stream, options, name: name)
    } catch {
      throw Failure(error, input: name)
    }
  }
}
