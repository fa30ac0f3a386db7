/// The signals that a port exchanges with the other programs of a graph, besides the two audio outputs that every port has.
package struct GraphSignals: Equatable, Sendable {
  package var takesMIDI: Bool
  package var sendsMIDI: Bool
  package var takesAudio: Bool

  package init(takesMIDI: Bool = false, sendsMIDI: Bool = false, takesAudio: Bool = false) {
    self.takesMIDI = takesMIDI
    self.sendsMIDI = sendsMIDI
    self.takesAudio = takesAudio
  }
}
