import FluidSynthEngine
import RenderCore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct SavedChannelsCodingTests {
  private func refusal(_ change: (inout [UInt8]) -> Void) throws -> String? {
    let unit = try makeUnit()
    var data = unit.save()
    change(&data)
    return #expect(throws: StateError.self) { try unit.restore(data) }?.description
  }

  @Test func `data that is not a state is refused`() throws {
    let sentence =
      "this is not a state of a FluidSynth instrument: give one that such an instrument saved"
    #expect(try refusal { $0 = Array("{}".utf8) } == sentence)
    #expect(try refusal { $0 = Array("FSYN".utf8) } == sentence)
  }

  @Test func `a state of another version is refused with both versions`() throws {
    #expect(
      try refusal { $0[4] = 4 }
        == "the state has version 4, but this instrument supports versions 1 to 3: "
        + "use the version of Portative that saved it, or a later one")
  }

  @Test func `a state that is too short or too long is refused`() throws {
    #expect(
      try refusal { $0.removeLast() }
        == "the state is damaged (it ends too early): give an unmodified one")
    #expect(
      try refusal { $0.append(0) }
        == "the state is damaged (it continues after its end): give an unmodified one")
  }

  /// Offsets within the first channel, with invalid values.
  private static let wrong: [(place: Int, value: UInt8, finding: String)] = [
    (7, 200, "controller 7 is 200"), (129, 99, "a pitch bend is 25344"),
    (130, 128, "a pitch bend range is 128"), (133, 255, "a program is 255"),
    (134, 16, "a basic channel is 16"), (137, 65, "a count of generators is 65"),
  ]

  @Test(arguments: wrong)
  func `a number out of range is refused`(
    place: Int, value: UInt8, finding: String
  ) throws {
    #expect(
      try refusal { $0[5 + place] = value }
        == "the state is damaged (\(finding)): give an unmodified one")
  }

  @Test func `any other damage is refused or harmless`() throws {
    let unit = try makeUnit(effects: .off)
    let saved = unit.save()
    var random = Seeded(1)
    for _ in 0..<200 {
      var data = saved
      for _ in 0..<3 {
        data[Int.random(in: 5..<data.count, using: &random)] = .random(in: 0...255, using: &random)
      }
      try? unit.restore(data)
      var note = UnitPerformance()
      note.performance.note(0, 3, 60, 100, length: 50)
      #expect(unit.play(note, frames: 64)[0].allSatisfy { $0.isFinite })
    }
  }
}
