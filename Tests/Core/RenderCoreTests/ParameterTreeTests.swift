import Foundation
import RenderCore
import Testing

@Suite(.timeLimit(.minutes(5))) struct ParameterTreeTests {
  private let tree = ParameterTree(
    [
      Parameter("gain", "Gain", -60...6, default: 0, unit: .decibels),
      Parameter("reverb.room", "Room", 0...1, default: 0.2),
      Parameter("reverb.early.level", "Level", 0...1, default: 0.2),
      Parameter(toggle: "reverb.on", "On", default: true),
    ], groups: [.init("reverb", "Reverb"), .init("reverb.early", "Early")])

  @Test func `a parameter is found by its identifier`() {
    #expect(tree.index(of: "reverb.room") == 1)
    #expect(tree.index(of: "reverb") == nil)
  }

  @Test(
    arguments: [
      (nil, ["gain"]), ("reverb", ["reverb.room", "reverb.on"]),
      ("reverb.early", ["reverb.early.level"]), ("gain", []),
    ] as [(String?, [String])])
  func `a group has the parameters whose identifiers begin with its own`(
    group: String?, expected: [String]
  ) {
    #expect(tree.parameters(in: group).map(\.identifier) == expected)
  }

  @Test func `a value is checked against the range of its parameter`() throws {
    #expect(try tree.check("reverb.room", 1) == 1)
    #expect(throws: ParameterError.outOfRange(tree.parameters[1], 1.5)) {
      try tree.check("reverb.room", 1.5)
    }
    #expect(
      throws: ParameterError.unknown(
        identifier: "room", known: ["gain", "reverb.room", "reverb.early.level", "reverb.on"])
    ) { try tree.check("room", 0) }
  }

  @Test func `an error states that there are no parameters`() {
    #expect(
      #expect(throws: ParameterError.self) { try ParameterTree().check("x", 0) }?.description
        == "there is no parameter 'x': the unit has none")
  }

  @Test func `encoding and decoding returns an equal tree`() throws {
    let text = try JSONEncoder().encode(tree)
    #expect(try JSONDecoder().decode(ParameterTree.self, from: text) == tree)
  }

  @Test func `two parameters of one name are a precondition failure`() async {
    await #expect(processExitsWith: .failure) {
      _ = ParameterTree([
        Parameter("a", "A", 0...1, default: 0), Parameter("a", "B", 0...1, default: 0),
      ])
    }
  }
}
