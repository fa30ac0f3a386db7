import Testing

@testable import FluidSynthEngine

@Test func `a command's code is unique`() {
  let actions: [LaneCommand.Action] = [
    .noteOff(key: 0), .noteOff(key: 127), .control(number: 0, value: 0),
    .control(number: 119, value: 127), .control(number: 7, value: 100), .bend(0), .bend(16_383),
    .bendRange(0), .bendRange(127), .pressure(0), .pressure(127), .keyPressure(key: 1, value: 2),
    .keyPressure(key: 2, value: 1), .generator(48, -1.5), .generator(59, -1.5), .generator(48, 0),
    .choke(1), .choke(2), .steal, .cut, .parameter(number: 0, value: 0),
    .parameter(number: 27, value: 16_383),
    .parameter(number: 26, value: 0), .linearPortamentoTime,
  ]
  #expect(Set(actions.map(\.code)).count == actions.count)
  for action in actions {
    #expect(action.code != 0)
    #expect("\(LaneCommand.Action(code: action.code))" == "\(action)")
  }
}

@Test func `a command that a recording cannot hold has no code`() {
  let actions: [LaneCommand.Action] = [
    .legato(key: 60, velocity: 1, glideFrom: 255), .program(.none), .tuning(3), .systemReset,
  ]
  #expect(actions.allSatisfy { $0.code == 0 })
}
