import AudioFile
import OfflineRenderer

extension RenderPlan.Work {
  /// All that is written for the song, but what streams.
  ///
  /// - Throws: Where something is to go beside a file, and there is none.
  func paths() throws(Failure) -> [String] {
    let picture = try picturePath()
    guard case .file(let path) = destination else { return [] }
    return [path, picture, stems?.folder].compactMap(\.self)
  }

  /// The files that were written for the song, as they are now.
  func writtenFiles(of song: RenderReport.Song) throws(Failure) -> [RenderReport.File] {
    guard case .file(let path) = destination else { return [] }
    let paths = [path] + (song.stems ?? []).map(\.output) + [try picturePath()]
    return paths.compactMap { $0.flatMap(RenderReport.File.init) }
  }
}
