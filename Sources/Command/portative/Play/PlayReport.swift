import Configuration
import FoundationEssentials
import LivePlayer
import NodeHost
import NodeProtocol

/// The statistics of a port's cycles during a song.
struct PlayReport: Encodable, Equatable {
  /// The name of the port.
  var port: String
  var node: String
  /// The process of the node.
  var processID: Int32
  var cycles: Int
  /// The number of cycles whose audio missed the deadline; they were silent.
  var lateCycles: Int
  /// The most cycles in a row that the node left without an answer.
  var longestStall: Int
  /// The number of further cycles that were silent because the node was lost, or had parked the port.
  var absentCycles: Int
  /// The number of notes that did not start on their frame because the node was not prepared for so many notes.
  var lateNotes: Int
  /// The number of samples from the node that were infinite or NaN, and were replaced by silence.
  var invalidSamples: Int
  /// The time from sending a cycle until its audio is available, in microseconds.
  var roundTripMedian: Double
  var roundTrip99th: Double
  var roundTripLongest: Double

  /// Returns one report for each port, over all its cycles.
  static func all(of mixer: NodeMixer) -> [PlayReport] {
    zip(mixer.connections, mixer.statistics.joined()).map { PlayReport($0, $1) }
  }

  /// A summary, such as `9000 cycles, none late; round trip 83 us, 99 % within 400 us`. The number of late cycles is
  /// reported by a warning, together with the remedy.
  var summary: String {
    func text(_ microseconds: Double) -> String {
      decimal(microseconds, digits: microseconds < 100 ? 1 : 0)
    }
    let isWhole = cycles > 0 && lateCycles == 0 && absentCycles == 0
    return "\(counted(cycles, "cycle"))\(isWhole ? ", none late" : ""); round trip "
      + "\(text(roundTripMedian)) us, 99 % within \(text(roundTrip99th)) us"
  }
}

extension PlayReport {
  init(_ connection: Connection, _ statistics: CycleStatistics) {
    port = connection.port.name
    node = connection.node.name
    processID = connection.node.processID
    longestStall = statistics.longestStall
    absentCycles = statistics.absentCycles
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
