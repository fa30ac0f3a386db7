import AudioFile
import BatchRenderer
package import LocalSystem
import OfflineRenderer

extension ServerSong {
  /// Renders the song to a new audio file, faster than real time and as it is set: with its tempo, transposition, and the
  /// mutes, solos, levels and presets of its channels. The song plays on.
  ///
  /// - Parameter path: The path, whose extension is the format.
  /// - Returns: The name of the song without what a file name cannot have.
  /// - Throws: ``Failure`` if there is no MIDI file, or if it cannot be rendered.
  package func render(to path: String) throws(Failure) -> String {
    guard let (content, settings) = contentToRender, let font = content.soundFont else {
      throw Failure(.usage, "there is no MIDI file to render: load one first")
    }
    var render = RenderSettings()
    render.changes = settings.changes(content)
    render.gain *= Double(settings.factor)
    do {
      let container = try AudioFormat.Container(fileName: path)
      let file = try RenderedFile(
        to: .file(path), format: AudioFormat(container, bits: .b24),
        sampleRate: render.sampleRate, title: content.name, measuresLoudness: false,
        rules: OutputRules(mayReplace: { _, _ in false }))
      _ = try SongRenderer(soundFont: font, settings: render).render(content.file, to: file)
    } catch let error as RenderError {
      throw Failure(error, input: content.name)
    } catch {
      throw Failure(error)
    }
    let name = content.name.filter { $0 != "/" && !$0.isNewline }.trimmingPrefix { $0 == "." }
    return name.isEmpty ? "song" : String(name.prefix(80))
  }
}
