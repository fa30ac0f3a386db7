public import RenderCore

/// Plays a song, cycle after cycle: an instrument in this process, or a node behind a connection.
///
/// Realtime: no. Threads: one at a time.
public protocol SongPlayer {
  /// Takes a cycle's channels, which are valid until it returns: left and right; from a player that
  /// keeps stems, then left and right of each.
  typealias Taker = (_ channels: [UnsafeBufferPointer<Float>]) -> Void

  /// Frames of the longest cycle that it is given.
  var cycleFrames: Int { get }

  /// Renders a cycle, and hands on what is ready, in order: this cycle, parts of it, or the one before.
  ///
  /// - Parameters:
  ///   - cycle: 1 to ``cycleFrames`` frames.
  ///   - notes: How many notes begin in it.
  func render(_ cycle: MIDICycle, notes: Int, _ take: Taker) throws(RenderError)

  /// Hands on what was rendered and not handed on yet.
  func flush(_ take: Taker)
}

extension SongPlayer {
  public func flush(_ take: Taker) {}
}
