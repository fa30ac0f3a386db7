import AudioFile
package import LocalSystem
package import OfflineRenderer

/// A song that is rendered into memory. Threads: one at a time.
package final class ArraySong {
  package let stream: SongStream
  package let name: String
  private let options: SongOptions

  init(_ stream: SongStream, _ options: SongOptions, name: String) {
    (self.stream, self.options, self.name) = (stream, options, name)
  }

  /// Frames per second.
  package var sampleRate: Int { options.sampleRate }

  /// Returns the report on the song, as in the reports of the command, in JSON. It is complete after the last frame.
  package func report() throws(Failure) -> String {
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

  /// The stems, in JSON: an array of ``RenderedStem``.
  package var stems: String { RenderReport.encode(stream.stems, []) }

  /// The key signatures and texts of the audio, in JSON: objects as the lines `key` and `text` of a file of labels.
  package func texts(_ labels: SongLabels) -> String {
    "[\((labels.keyLines + labels.textLines).joined(separator: ","))]"
  }
}
