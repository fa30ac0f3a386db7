package import LocalSystem

/// An event of a ``Recorder``. Its description is a sentence for the user.
package enum RecorderEvent: Equatable, Sendable, CustomStringConvertible {
  case recording(path: String, sampleRate: Int)
  /// A file is complete.
  ///
  /// - content: The length of the audio, or the number of notes.
  case recorded(path: String, content: String)
  case warning(String)
  /// Something could not be written.
  case failed(sentence: String, Failure)

  package var description: String {
    switch self {
    case .recording(let path, let sampleRate): "recording to \(path), \(sampleRate) Hz"
    case .recorded(let path, let content): "recorded \(path): \(content)"
    case .warning(let sentence), .failed(let sentence, _): sentence
    }
  }
}
