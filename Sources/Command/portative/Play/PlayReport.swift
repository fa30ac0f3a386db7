import FoundationEssentials
import NodeDirectory
import NodeHost
import NodeProtocol
import Options
import SongHost

/// What the cycles of a song were like.
struct PlayReport: Encodable, Equatable {
  /// The port that played.
  var port: String
  var node: String
  var cycles: Int
  /// Cycles of which the audio was not there by the deadline, and which were silent.
  var lateCycles: Int
  /// Notes that did not begin on their frame, for the node was not ready for so many.
  var lateNotes: Int
  /// Samples of the node's audio that were infinite or NaN, and were replaced by silence.
  var invalidSamples: Int
  /// From handing over a cycle to having its audio, in microseconds.
  var roundTripMedian: Double
  var roundTrip99th: Double
  var roundTripLongest: Double

  /// One for each port, of all its cycles.
  static func all(of mixer: NodeMixer) -> [PlayReport] {
    zip(mixer.connections, mixer.statistics.joined()).map { PlayReport($0, $1) }
  }

  /// `9000 cycles, none late; round trip 83 us, 99 % within 400 us`: how many were late is said where it is said what
  /// to do about it, in a warning.
  var summary: String {
    func text(_ microseconds: Double) -> String {
      decimal(microseconds, digits: microseconds < 100 ? 1 : 0)
    }
    return "\(counted(cycles, "cycle"))\(lateCycles == 0 ? ", none late" : ""); round trip "
      + "\(text(roundTripMedian)) us, 99 % within \(text(roundTrip99th)) us"
  }
}

extension PlayReport {
  init(_ connection: Connection, _ statistics: CycleStatistics) {
    port = connection.port.name
    node = connection.node.name
    cycles = statistics.cycles
    lateCycles = statistics.lateCycles
    lateNotes = statistics.lateNotes
    invalidSamples = statistics.invalidSamples
    func microseconds(_ nanoseconds: Int64) -> Double {
      (Double(nanoseconds) / 100).rounded() / 10
    }
    roundTripMedian = microseconds(statistics.roundTrips.quantile(0.5))
    roundTrip99th = microseconds(statistics.roundTrips.quantile(0.99))
    roundTripLongest = microseconds(statistics.roundTrips.longest)
  }
}
