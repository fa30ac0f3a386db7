import Components
import FoundationEssentials
import HostConnection
import NodeHost

/// What the cycles of a song were like.
struct PlayReport: Encodable, Equatable {
  /// The port that played.
  var port: String
  var node: String
  var cycles: Int
  var lateCycles: Int
  /// From handing over a cycle to having its audio, in microseconds.
  var roundTripMedian: Double
  var roundTrip99th: Double
  var roundTripLongest: Double

  init(_ connection: Connection) {
    port = connection.port.name
    node = connection.node.name
    let statistics = connection.statistics
    cycles = statistics.cycles
    lateCycles = statistics.lateCycles
    func microseconds(_ nanoseconds: Int64) -> Double {
      (Double(nanoseconds) / 100).rounded() / 10
    }
    roundTripMedian = microseconds(statistics.roundTrips.quantile(0.5))
    roundTrip99th = microseconds(statistics.roundTrips.quantile(0.99))
    roundTripLongest = microseconds(statistics.roundTrips.longest)
  }

  /// `9000 cycles, none late; round trip 83 us, 99 % within 400 us`
  var summary: String {
    let late = lateCycles == 0 ? "none" : "\(lateCycles)"
    func text(_ microseconds: Double) -> String {
      decimal(microseconds, digits: microseconds < 100 ? 1 : 0)
    }
    return "\(cycles) cycles, \(late) late; round trip \(text(roundTripMedian)) us, "
      + "99 % within \(text(roundTrip99th)) us"
  }
}
