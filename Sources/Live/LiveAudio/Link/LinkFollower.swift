import CLink
package import RenderCore

/// Makes the transport of a device's cycles from a Link session.
///
/// A session has beats, a tempo, and a state of playing; its bars have four quarter notes, as its members agree on the
/// phase of bars only. Beats advance also while the session is stopped, but ``Transport/beat`` then does not.
///
/// Each cycle is calculated from the time at which its first frame is heard, so that no error accumulates. A tempo that
/// another member changes acts from the first cycle after the change is known.
///
/// Realtime: yes, except ``init(_:sampleRate:in:)``, which allocates.
package struct LinkFollower: @unchecked Sendable, BitwiseCopyable {
  private let reader: LinkReader
  private let sampleRate: Double
  private var last = link_state()
  /// The transport at the beginning of a cycle, and where it is started or stopped.
  private let points: UnsafeMutablePointer<TransportPoint>

  /// - Parameter memory: Must outlive the follower.
  package init(_ memory: LinkMemory, sampleRate: Int, in owner: RenderMemory) {
    reader = LinkReader(memory.memory)
    self.sampleRate = Double(sampleRate)
    points = owner.make(2, of: TransportPoint(offset: 0, Transport()))
  }

  /// Returns the transport of a cycle; empty if no session has been joined yet.
  ///
  /// - Parameters:
  ///   - time: The time at which the first frame is heard, in nanoseconds of `MonotonicClock`.
  ///   - frames: The length of the cycle.
  @_noLocks package mutating func transport(
    at time: Int64, frames: Int
  ) -> UnsafeBufferPointer<TransportPoint> {
    if let state = reader.state, Self.isValid(state) { last = state }
    if last.tempo == 0 { return UnsafeBufferPointer(start: nil, count: 0) }
    let change = Double(last.since &- time) * sampleRate / 1e9
    let isPlaying = last.is_playing != 0
    points[0] = point(at: 0, time, isPlaying: change > 0 ? !isPlaying : isPlaying)
    var count = 1
    if change > 0, change <= Double(frames - 1) {
      let offset = -Int(Self.floor(-change))
      points[1] = point(at: offset, time, isPlaying: isPlaying)
      count = 2
    }
    return UnsafeBufferPointer(start: points, count: count)
  }

  @_noLocks private func point(at offset: Int, _ time: Int64, isPlaying: Bool) -> TransportPoint {
    var transport = Transport(
      provides: .init(
        rawValue: Transport.Provision.beat.rawValue | Transport.Provision.meter.rawValue
          | Transport.Provision.state.rawValue))
    let seconds = Double(time &- last.time) / 1e9 + Double(offset) / sampleRate
    transport.beat = last.beat + seconds * last.tempo / 60
    transport.tempo = last.tempo
    transport.isPlaying = isPlaying
    let bar = transport.meter.barLength
    transport.barStart = Self.floor(transport.beat / bar) * bar
    return TransportPoint(offset: UInt32(offset), transport)
  }

  /// Returns the largest whole number that is not greater; the standard library's rounding is not `@_noLocks`.
  @_noLocks private static func floor(_ value: Double) -> Double {
    let whole = Double(Int64(value))
    return whole > value ? whole - 1 : whole
  }

  /// Whether all values are in Link's range.
  @_noLocks private static func isValid(_ state: link_state) -> Bool {
    state.tempo >= 20 && state.tempo <= 999 && state.beat.magnitude < 1e12
      && state.time.magnitude < 1 << 62 && state.since.magnitude < 1 << 62
  }
}
