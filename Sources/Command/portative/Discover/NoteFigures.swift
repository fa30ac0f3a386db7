import Options
import RenderCore

/// What an instrument says of its notes, among all that units say of themselves.
struct NoteFigures: Equatable {
  var notes = 0
  /// Those that did not begin on their frame.
  var late = 0
  /// Those that ended early, for too many sounded at once.
  var stolen = 0
  /// The most at once.
  var voices = 0
  var lanes = 0

  /// - Returns: `nil` for a unit that plays no notes.
  init?(_ status: [UnitStatus]) {
    func value(_ name: String) -> Int? { status.first { $0.name == name }?.value }
    guard let notes = value("notes") else { return nil }
    self.notes = notes
    late = value("late notes") ?? 0
    stolen = value("stolen notes") ?? 0
    voices = value("most voices") ?? 0
    lanes = value("lanes") ?? 0
  }

  /// `1200 notes, 2 late`: what is as it should be is not said.
  var text: String {
    var parts = [counted(notes, "note")]
    if late > 0 { parts.append("\(late) late") }
    if stolen > 0 { parts.append("\(stolen) stolen") }
    return parts.joined(separator: ", ")
  }
}
