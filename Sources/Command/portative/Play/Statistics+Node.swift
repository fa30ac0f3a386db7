import FluidSynthEngine

extension Statistics {
  /// What a node says of its notes.
  mutating func take(_ figures: NoteFigures) {
    inexactOnsets = figures.late
    stolenNotes = figures.stolen
    mostVoices = figures.voices
    mostLanes = figures.lanes
  }
}
