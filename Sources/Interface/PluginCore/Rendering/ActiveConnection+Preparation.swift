import NodeHost
import RenderCore
import Synchronization

extension ActiveConnection {
  private static let count = Counter()

  /// Makes the description of an initialized connection.
  ///
  /// - Parameters:
  ///   - parameters: The parameters of the control ports.
  ///   - restart: The value of ``PluginSignals/restart`` before the connection was initialized.
  static func make(
    _ connection: Connection, _ parameters: ParameterTree, restart: UInt32
  ) -> UnsafeMutablePointer<ActiveConnection> {
    let count = parameters.parameters.count
    let indices = UnsafeMutablePointer<Int32>.allocate(capacity: max(1, count))
    let ranges = UnsafeMutablePointer<ClosedRange<Float>>.allocate(capacity: max(1, count))
    for (number, parameter) in parameters.parameters.enumerated() {
      let index = connection.parameters.index(of: parameter.identifier)
      (indices + number).initialize(to: Int32(index ?? -1))
      let known = index.map { connection.parameters.parameters[$0] } ?? parameter
      (ranges + number).initialize(to: known.minimum...known.maximum)
    }
    let active = UnsafeMutablePointer<ActiveConnection>.allocate(capacity: 1)
    active.initialize(
      to: ActiveConnection(
        connection: .passUnretained(connection), number: Self.count.next(), restart: restart,
        indices: indices, ranges: ranges))
    return active
  }
}

extension UnsafeMutablePointer<ActiveConnection> {
  /// Frees the memory, but not the connection.
  func destroy() {
    pointee.indices.deallocate()
    pointee.ranges.deallocate()
    deallocate()
  }
}

private final class Counter: Sendable {
  private let value = Atomic<UInt32>(0)
  func next() -> UInt32 { value.wrappingAdd(1, ordering: .relaxed).newValue }
}
