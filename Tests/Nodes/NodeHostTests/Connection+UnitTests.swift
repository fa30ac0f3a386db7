import ConnectionTestSupport
import NodeHost
import NodeProtocol
import RenderCore
import Synchronization
import Testing

/// Tests of hosts whose node sends wrong information about its unit.
@Suite(.timeLimit(.minutes(5))) struct ConnectionUnitTests {
  @Test func `parameters arrive in as many messages as needed`() throws {
    let all = parameters(100)
    let node = try FakeNode(parameters: 100) { first in
      Array(all[first..<min(first + 7, 100)])
    }
    let connection = try node.connect()
    try connection.initialize(Format(maximumFrames: 64))
    #expect(connection.parameters.parameters == all)
  }

  @Test(arguments: [
    // More than the limit, announced or not; fewer than announced; none; always the same part; always more.
    (Int.max, 7), (1025, 1025), (-1, 0), (10, 9), (10, 0), (10, 11), (1000, 1),
  ])
  func `a wrong number of parameters is an error`(said: Int, part: Int) throws {
    let some = parameters(min(part, 1024))
    let node = try FakeNode(parameters: said) { _ in some }
    let connection = try node.connect()
    let error = failure { try connection.initialize(Format(maximumFrames: 64)) }
    let field =
      !(0...1024).contains(said)
      ? "result.parameterCount" : said == 1000 ? "result.total" : "result.items"
    #expect(error?.invalidMessage?.field == field)
    #expect(connection.parameters.parameters.isEmpty)
  }

  @Test(arguments: [0, 2]) func `there are as many values as parameters`(count: Int) throws {
    let node = try FakeNode { method, _ in
      switch method {
      case InitializePort.method:
        [.response(UnitProperties(latency: 0, parameterCount: 1))]
      case GetParameters.method:
        [.response(GetParameters.Response(items: parameters(1), total: 1, groups: []))]
      default: [.response(GetValues.Response(values: [Float](repeating: 0, count: count)))]
      }
    }
    let connection = try node.connect()
    try connection.initialize(Format(maximumFrames: 64))
    let error = failure { _ = try connection.parameterValues() }
    #expect(error?.invalidMessage?.field == "result.values")
  }

  @Test func `before it is initialized, each request to the unit is out of sequence`() throws {
    let node = try FakeNode { _, _ in
      [.error(ProtocolError(.badSequence, "initialize the port first"))]
    }
    let connection = try node.connect()
    let state = UnitState(component: FakeNode.port.component, parameters: [:])
    let requests: [() throws -> Void] = [
      { _ = try connection.parameterValues() }, { try connection.setParameters(["gain": 1]) },
      { try connection.setParameters([:]) }, { _ = try connection.presets() },
      { try connection.usePreset(0) },
      { try connection.setFile("x", to: FileReference(path: "/x")) },
      { _ = try connection.saveState() }, { try connection.restoreState(state) },
    ]
    for (index, request) in requests.enumerated() {
      guard case .refused(let refusal) = failure(request) else {
        Issue.record("request \(index) was not refused")
        continue
      }
      #expect(refusal.code == .badSequence, "request \(index)")
    }
    #expect(connection.status == .open)
  }

  @Test func `an endless list of presets ends the connection`() throws {
    let node = try FakeNode { _, _ in
      [.response(ItemList(items: [Preset("Once more", [:])], total: .max))]
    }
    let connection = try node.connect()
    #expect(failure { _ = try connection.presets() }?.invalidMessage?.field == "result.total")
  }

  @Test(arguments: [(Int.min, "total"), (-1, "total"), (0, "items")])
  func `a list that is longer than its total is an error`(count: Int, field: String) throws {
    let node = try FakeNode { _, _ in
      [.response(ItemList(items: [Preset("One", [:])], total: count))]
    }
    let connection = try node.connect()
    #expect(failure { _ = try connection.presets() }?.invalidMessage?.field == "result.\(field)")
  }

  @Test(arguments: [
    ("e30=", 0), ("e30=", 1), ("e30=", -1), ("e30=", 1 << 40), ("", 9), ("no base", 9), ("e30=", 2),
  ])
  func `a wrong part of a state ends the connection`(data: String, total: Int) throws {
    let node = try FakeNode(features: [Feature.stateParts]) { _, _ in
      [.response(SaveStatePart.Response(data: data, total: total))]
    }
    let connection = try node.connect()
    let message = try #require(failure { _ = try connection.saveState() }?.invalidMessage)
    #expect(message.method == SaveStatePart.method)
    #expect(message.field?.hasPrefix("result.") == true)
  }

  @Test func `a state is sent in parts to a node that knows them, and whole to others`() throws {
    let parts = Mutex<[String]>([])
    let state = UnitState(
      component: FakeNode.port.component, parameters: [:],
      data: String(repeating: "A", count: 100_000))
    for features in [[Feature.stateParts], []] {
      let node = try FakeNode(features: features) { method, _ in
        parts.withLock { $0.append(method) }
        return [.response(Done())]
      }
      let connection = try node.connect()
      if features.isEmpty {
        _ = failure { try connection.restoreState(state) }
        try connection.restoreState(UnitState(component: state.component, parameters: [:]))
      } else {
        try connection.restoreState(state)
      }
    }
    let part = LoadStatePart.method
    #expect(parts.withLock { $0 } == [part, part, part, part, RestoreState.method])
  }

  @Test func `a request that is too long for a message is refused, and the connection stays`()
    throws
  {
    let node = try FakeNode { _, _ in [.response(Done())] }
    let connection = try node.connect()
    var long = UnitState(component: FakeNode.port.component, parameters: [:])
    long.data = String(repeating: "A", count: 1_000_000)
    let infinite = UnitState(component: long.component, parameters: ["gain": .infinity])
    let manifold = UnitState(
      component: long.component,
      parameters: Dictionary(uniqueKeysWithValues: (0..<9999).map { ("\($0)", 0) }))
    for state in [long, infinite, manifold] {
      guard case .refused(let refusal) = failure({ try connection.restoreState(state) }) else {
        Issue.record("it was not refused")
        continue
      }
      #expect(refusal.message.contains("at most 65536 bytes and no number that is infinite"))
    }
    try connection.restoreState(UnitState(component: long.component, parameters: [:]))
    #expect(connection.status == .open)
  }
}

private func parameters(_ count: Int) -> [Parameter] {
  (0..<count).map { Parameter("p\($0)", "P", 0...1, default: 0) }
}

extension FakeNode {
  /// Creates a node that announces `count` parameters and sends them in parts.
  fileprivate convenience init(
    parameters count: Int, _ part: @escaping @Sendable (_ offset: Int) -> [Parameter]
  ) throws {
    try self.init { _, asked in
      guard let request = try? asked.parameters(GetParameters.self) else {
        return [.response(UnitProperties(latency: 0, parameterCount: count))]
      }
      return [
        .response(
          GetParameters.Response(items: part(request.offset), total: count, groups: []))
      ]
    }
  }
}
