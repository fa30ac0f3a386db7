/// A transport, and the frame of a cycle at which it takes effect.
///
/// Realtime: yes.
public struct TransportPoint: Equatable, Sendable, BitwiseCopyable {
  /// The frame within the cycle: 0…frames − 1.
  public var offset: UInt32
  public var transport: Transport

  @_noLocks public init(offset: UInt32, _ transport: Transport) {
    self.offset = offset
    self.transport = transport
  }
}
