public import MIDIFile

/// Renders a song cycle by cycle: an instrument in this process, or a node behind a connection.
///
/// Realtime: no. Threads: one at a time.
public protocol SongPlayer {
  /// Receives a cycle's channels, which are valid until it returns: left and right; from a player with stems, then
  /// left and right of each stem.
  typealias OutputHandler = (_ channels: [UnsafeBufferPointer<Float>]) -> Void

  /// The length of the longest cycle, in frames.
  var cycleFrames: Int { get }

  /// Renders a cycle, and outputs the available audio in order: this cycle, parts of it, or the previous one.
  ///
  /// - Parameter cycle: 1 to ``cycleFrames`` frames.
  func render(_ cycle: SongCycle, _ output: OutputHandler) throws(RenderError)

  /// Whether a voice is active after the last cycle, so that silence need not be the end; `false` if that is not known.
  var isSounding: Bool { get }

  /// Outputs the audio that was rendered but not output yet.
  ///
  /// - Throws: If the rest of the song is lost.
  func flush(_ output: OutputHandler) throws(RenderError)
}

extension SongPlayer {
  public var isSounding: Bool { false }

  public func flush(_ output: OutputHandler) {}
}
