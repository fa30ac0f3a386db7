import Configuration
import FluidSynthEngine
import LocalSystem
import NodeHost
package import RenderCore
import Synchronization

/// The statistics of an instrument's notes, taken from a unit's status.
package struct NoteFigures: Equatable {
  var notes = 0
  /// The number of notes that did not start on their frame.
  var late = 0
  /// The number of notes that ended early because too many sounded at once.
  var stolen = 0
  /// The greatest number of simultaneous voices.
  var voices = 0
  var lanes = 0

  /// - Returns: `nil` for a unit that plays no notes.
  package init?(_ status: [UnitStatus]) {
    func value(_ name: String) -> Int? { status.first { $0.name == name }?.value }
    guard let notes = value("notes") else { return nil }
    self.notes = notes
    late = value("late notes") ?? 0
    stolen = value("stolen notes") ?? 0
    voices = value("most voices") ?? 0
    lanes = value("lanes") ?? 0
  }

  /// A summary such as `1200 notes, 2 late`; counts of 0 are omitted.
  package var text: String {
    var parts = [counted(notes, "note")]
    if late > 0 { parts.append("\(late) late") }
    if stolen > 0 { parts.append("\(stolen) stolen") }
    return parts.joined(separator: ", ")
  }
}

extension Statistics {
  /// Copies the figures that a node reports about its notes.
  mutating func set(_ figures: NoteFigures) {
    inexactOnsets = figures.late
    stolenNotes = figures.stolen
    mostVoices = figures.voices
    mostLanes = figures.lanes
  }
}

/// The number of voices that an instrument plays, queried on a thread of its own because a stopped node does not answer
/// for seconds.
final class VoiceCount: Sendable {
  private let state = Mutex(State())

  private struct State {
    var isRequested = false
    var voices: Int?
  }

  /// The last answer; `nil` if the node does not report voices.
  var voices: Int? { state.withLock { $0.voices } }

  /// Queries the number, unless a query is in progress.
  func request(_ connector: NodeConnector, _ connection: Connection) {
    let mayRequest = state.withLock { state in
      defer { state.isRequested = true }
      return !state.isRequested
    }
    if !mayRequest { return }
    let thread = try? SystemThread(name: "portative-voices") {
      let voices = connector.noteFigures(of: connection)?.voices
      self.state.withLock { $0 = State(voices: voices) }
    }
    if let thread { thread.detach() } else { state.withLock { $0.isRequested = false } }
  }
}
