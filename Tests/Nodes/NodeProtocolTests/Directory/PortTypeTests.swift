import NodeProtocol
import Testing

@Test func `only instruments and music effects take MIDI, only effects take audio`() {
  #expect(PortType.allCases.filter(\.takesMIDI) == [.instrument, .musicEffect])
  #expect(PortType.allCases.filter(\.takesAudio) == [.effect, .musicEffect])
}
