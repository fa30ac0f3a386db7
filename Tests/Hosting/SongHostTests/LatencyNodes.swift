import ConnectionTestSupport
import Foundation
import Glibc
import LivePlayer
import NodeHost
import NodeProtocol
import NodeServer
import RenderCore

/// Chains of latency units, served in this process.
final class LatencyNodes {
  let server: NodeServer
  let sources: [[LatencySource]]
  let ports: [[PublishedPort]]
  let chains: [[Connection]]
  private let folder: URL

  /// - Parameter latencies: The latencies of each chain's instrument and effects, in frames.
  init(
    _ latencies: [[Int]], _ format: Format = Format(maximumFrames: 256),
    mode: RenderMode = .offline
  ) throws {
    folder = FileManager.default.temporaryDirectory
      .appending(path: "portative-test-\(UInt64.random(in: 0 ... .max))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let path = folder.appending(path: "late.socket").path()
    server = try NodeServer(
      socketPath: path, peer: Peer(name: "late", processID: getpid()), evictionLimit: nil,
      onEvent: { _ in })
    let host = AudioHost(name: "Tester")
    var number = 0
    var (sources, ports, chains) = ([[LatencySource]](), [[PublishedPort]](), [[Connection]]())
    for chain in latencies {
      sources.append(chain.map { LatencySource(latency: $0) })
      ports.append([])
      chains.append([])
      for (index, source) in sources[sources.count - 1].enumerated() {
        number += 1
        let description = probePort(number, type: index == 0 ? .instrument : .effect)
        ports[ports.count - 1].append(try server.publish(description, source))
        let connection = try host.connect(
          to: description.component, ofNode: "late", socketPath: path)
        var own = format
        own.inputChannels = index == 0 ? 0 : 2
        // No cycle is late, however busy the machine is.
        connection.lateLimit = .max
        connection.deadlineFraction = 1000
        try connection.initialize(own, mode: mode)
        chains[chains.count - 1].append(connection)
      }
    }
    (self.sources, self.ports, self.chains) = (sources, ports, chains)
  }

  deinit {
    server.stop()
    try? FileManager.default.removeItem(at: folder)
  }

  func unit(_ chain: Int, _ index: Int = 0) -> LatencyUnit { sources[chain][index].units.last! }
}

/// Returns the frames that have a pulse, with its amplitude.
func pulses(_ samples: [Float]) -> [Int: Float] {
  Dictionary(uniqueKeysWithValues: samples.enumerated().filter { $0.1 != 0 }.map { ($0, $1) })
}
