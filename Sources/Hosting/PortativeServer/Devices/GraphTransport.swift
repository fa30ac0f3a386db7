package import LiveAudio
package import RenderCore
import Synchronization

/// The transport that the clients of a ``SoundGraph`` share.
///
/// Realtime: no. Threads: any.
package final class GraphTransport: Sendable {
  private let devices = Mutex<[WeakDevice]>([])

  private struct WeakDevice: Sendable {
    weak var device: (any GraphDevice)?
  }

  init() {}

  func add(_ device: any GraphDevice) {
    devices.withLock { devices in
      devices.removeAll { $0.device == nil }
      devices.append(WeakDevice(device: device))
    }
  }

  /// The transport now; `nil` while no client is in the graph.
  package var state: Transport? { clients.lazy.compactMap(\.transport).first }

  /// Changes the transport, for all programs of the graph.
  ///
  /// - Returns: `false` if it could not be changed.
  package func change(_ change: TransportChange) -> Bool {
    clients.contains { $0.change(change) }
  }

  /// The rate of the graph in frames per second; `nil` while no client is in the graph.
  package var sampleRate: Int? { clients.first { $0.transport != nil }?.format.sampleRate }

  private var clients: [any GraphDevice] { devices.withLock { $0.compactMap(\.device) } }
}
