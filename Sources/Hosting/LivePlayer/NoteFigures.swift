import Configuration
import FluidSynthEngine
package import RenderCore

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
