import NodeHost
import NodeProtocol
import TestSupport

/// What a player does with the command line: scenes, zones, parameters, panic, takes.
struct SoakHand: SoakActor {
  private enum Action: Sendable { case scene, zones, parameter, panic, take }
  private static let choice = SoakChoice<Action>([
    .scene: 8, .zones: 4, .parameter: 4, .panic: 4, .take: 1,
  ])
  private static let zones: [String?] = [
    nil,
    #"[{ keys: "..E4", preset: { bank: 0, program: 16 } }, { keys: "F4..", preset: { bank: 0, program: 0 }, transpose: 12 }]"#,
    #"[{ preset: { bank: 0, program: 48 } }]"#,
  ]

  var weight: Int { Self.choice.weight }

  func act(on stage: SoakStage, _ random: inout Seeded) throws -> String {
    let action = Self.choice.next(&random)
    let port = Int.random(in: 0..<2, using: &random)
    let isBackwards = Bool.random(using: &random)
    let zones = Self.zones.randomElement(using: &random)!
    let changes: [String: Float] = [
      ["reverb.room": .random(in: 0...1, using: &random)],
      ["preset.program": Float(Int.random(in: 0...127, using: &random))],
      ["gain": .random(in: -12...6, using: &random)],
    ].randomElement(using: &random)!
    let component = stage.component(port)
    do throws(ConnectionError) {
      switch action {
      case .scene: try step(stage, component.node, isBackwards)
      case .zones: try stage.host.setZones(zones, of: component)
      case .parameter: try stage.host.control(of: component).set(changes)
      case .panic: try stage.host.panic(component.node, component: component.port.component)
      case .take: _ = try stage.host.take(ofNode: component.node)
      }
    } catch {
      throw SoakViolation("\(action) failed: \(error)")
    }
    return "hand: \(action) \(port) \(isBackwards) \(zones ?? "none") \(changes)"
  }

  private func step(
    _ stage: SoakStage, _ node: String, _ isBackwards: Bool
  ) throws(ConnectionError) {
    do throws(ConnectionError) {
      try stage.host.chooseNextScene(of: node, backwards: isBackwards)
    } catch {
      // Beyond the ends of the set list there is none.
      if case .refused(let refusal) = error, refusal.message.hasSuffix(" scene") { return }
      throw error
    }
  }
}
