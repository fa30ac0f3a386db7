package import FluidSynthEngine

extension Statistics {
  /// Copies the figures that a node reports about its notes.
  package mutating func set(_ figures: NoteFigures) {
    inexactOnsets = figures.late
    stolenNotes = figures.stolen
    mostVoices = figures.voices
    mostLanes = figures.lanes
  }
}
