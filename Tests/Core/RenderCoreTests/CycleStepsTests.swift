import RenderCore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct CycleStepsTests {
  @Test func `a cycle without events is one step`() {
    #expect(walk(frames: 64) == ["0…64"])
  }

  @Test func `each event is on its frame, and each frame between is covered once`() {
    #expect(
      walk(frames: 64, transports: [0, 20], parameters: [7, 20], notes: [7, 63])
        == ["T0", "0…7", "P7", "N7", "7…20", "T20", "P20", "20…63", "N63", "63…64"])
  }

  @Test
  func `on one frame the transport comes first, then parameters, then MIDI, each in its order`() {
    #expect(
      walk(frames: 2, transports: [1, 1], parameters: [1, 1], notes: [1, 1])
        == ["0…1", "T1", "T1", "P1", "P1", "N1", "N1", "1…2"])
  }

  @Test func `entries beyond the cycle are not in it`() {
    #expect(walk(frames: 8, transports: [8], parameters: [9], notes: [100]) == ["0…8"])
  }

  @Test func `entries out of order act as soon as they are found`() {
    #expect(walk(frames: 8, notes: [5, 3]) == ["0…5", "N5", "N3", "5…8"])
  }

  @Test func `any entries are in order, and the frames have no gaps`() {
    var random = Seeded(3)
    for _ in 0..<200 {
      let frames = Int.random(in: 1...50, using: &random)
      func offsets() -> [Int] {
        (0..<Int.random(in: 0...8, using: &random))
          .map { _ in Int.random(in: 0..<frames, using: &random) }.sorted()
      }
      let (transports, parameters, notes) = (offsets(), offsets(), offsets())
      var expected: [String] = []
      var begin = 0
      for frame in 0..<frames {
        let here =
          transports.filter { $0 == frame }.map { "T\($0)" }
          + parameters.filter { $0 == frame }.map { "P\($0)" }
          + notes.filter { $0 == frame }.map { "N\($0)" }
        if !here.isEmpty, frame > begin { expected.append("\(begin)…\(frame)") }
        if !here.isEmpty { begin = frame }
        expected += here
      }
      expected.append("\(begin)…\(frames)")
      #expect(
        walk(frames: frames, transports: transports, parameters: parameters, notes: notes)
          == expected)
    }
  }

  /// Returns the steps as text. Each event carries its offset in its value.
  private func walk(
    frames: Int, transports: [Int] = [], parameters: [Int] = [], notes: [Int] = []
  ) -> [String] {
    let points = transports.map { offset in
      var transport = Transport()
      transport.beat = Double(offset)
      return TransportPoint(offset: UInt32(offset), transport)
    }
    let changes = parameters.map {
      ParameterChange(offset: UInt32($0), index: 0, value: Float($0))
    }
    let events = notes.map {
      MIDIEvent(
        offset: UInt32($0), content: .channel(ChannelMessage(.noteOn, channel: 0, UInt8($0), 1)))
    }
    var steps: [String] = []
    points.withUnsafeBufferPointer { points in
      changes.withUnsafeBufferPointer { changes in
        events.withUnsafeBufferPointer { events in
          withUnsafeTemporaryAllocation(of: UnsafeMutablePointer<Float>.self, capacity: 1) {
            let cycle = MIDICycle(frames: frames, events: events)
            var walk = CycleSteps(
              RenderCycle(
                midi: cycle, position: 0, hostTime: 0, transport: points, parameters: changes,
                output: UnsafePointer($0.baseAddress!)))
            while let step = walk.next() { steps.append(text(step)) }
          }
        }
      }
    }
    return steps
  }

  private func text(_ step: CycleSteps.Step) -> String {
    switch step {
    case .transport(let transport): "T\(Int(transport.beat))"
    case .parameter(let change): "P\(Int(change.value))"
    case .event(let event): "N\(event.offset)"
    case .frames(let begin, let end): "\(begin)…\(end)"
    }
  }
}
