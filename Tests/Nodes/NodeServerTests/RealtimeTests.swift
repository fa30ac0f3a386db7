import CRender
import ConnectionTestSupport
import Glibc
import LiveMIDI
import NodeHost
import NodeProtocol
import NodeServer
import RenderCore
import TestSupport
import Testing

/// Runs host and node in one process under RealtimeSanitizer, which ends the process at the first call on
/// either render
/// path that allocates, locks or blocks.
@Suite(
  .timeLimit(.minutes(5)),
  .enabled(
    if: realtime_is_checked() != 0,
    "RealtimeSanitizer is not loaded: `make test` runs this with it"))
struct RealtimeTests {
  @Test func `a node that waits until it is ready does nothing else that blocks`() throws {
    let server = try TestServer()
    try server.server.publish(pulsePort(1), SupplySource())
    try server.server.publish(probePort(2), InvalidSampleSource())
    let connection = try server.connect(pulses(1))
    connection.deadlineFraction = 100
    try connection.initialize(Format(maximumFrames: 256))
    let unsound = try server.connect(probePort(2).component)
    unsound.deadlineFraction = 100
    try unsound.initialize(Format(inputChannels: 2, maximumFrames: 256))
    for cycle in 0..<100 {
      for key in 0..<20 { #expect(connection.schedule(note(UInt8(key)), at: cycle) == .accepted) }
      #expect(connection.rendered(256).status == .rendered)
      #expect(unsound.schedule(note(0), at: 7) == .accepted)
      #expect(unsound.rendered(256).status == .rendered)
      #expect(unsound.defects.invalidSamples == 1)
    }
    #expect(connection.statistics.lateNotes == 0)
  }

  @Test(arguments: [0, 20])
  func `nothing on either side of a connection allocates, locks or blocks`(priority: Int) throws {
    var faults = PulseUnit.Faults()
    faults.delay = 300_000
    faults.delayedEvery = 7
    let server = try TestServer(PulseSource(faults))
    let connection = try server.connect()
    connection.lateLimit = .max
    try connection.initialize(Format(maximumFrames: 256), priority: priority)
    let output = StereoOutput(frames: 256)
    let sysEx = [0xF0] + [UInt8](repeating: 1, count: 5000) + [0xF7]
    var statuses: [RenderStatus: Int] = [:]
    for cycle in 0..<2000 {
      for key in 0..<20 {
        let (message, offset) = (note(UInt8(key)), (cycle * 31 + key * 17) % 700)
        realtime_enter()
        _ = connection.schedule(message, at: offset)
        realtime_exit()
      }
      if cycle % 50 == 0 {
        sysEx.withUnsafeBufferPointer { sysEx in
          realtime_enter()
          _ = connection.schedule(bytes: sysEx, at: 100)
          realtime_exit()
        }
      }
      statuses[connection.render(frames: 1 + cycle % 256, into: output.pointers), default: 0] += 1
      connection.begin(frames: 64)
      statuses[connection.finish(within: cycle % 3 == 0 ? 0 : 50_000_000), default: 0] += 1
      statuses[connection.render(frames: 0, into: output.pointers), default: 0] += 1
      // Now and then, wait until the node has caught up, so that a busy machine does not fail the test.
      if cycle % 20 == 0, connection.caughtUp(64) != nil {
        statuses[.rendered, default: 0] += 1
      }
    }
    #expect(statuses[.rendered, default: 0] >= 100)
    #expect(statuses[.late, default: 0] > 0)
    #expect(statuses[.badFrameCount] == 2000)
    #expect(server.unit.messages.count > 1000)
  }

  @Test func `MIDI from a node to its host neither allocates, locks nor blocks`() throws {
    let server = try TestServer()
    let port = try server.server.publish(pulsePort(1), EchoSource(copies: 3))
    let connection = try server.connect(pulses(1))
    connection.lateLimit = .max
    try connection.initialize(Format(maximumFrames: 256))
    let sysEx = [0xF0] + [UInt8](repeating: 1, count: 5000) + [0xF7]
    var total = 0
    for cycle in 0..<1000 {
      for key in 0..<20 {
        // Out of order, so that the node must sort, and sometimes more events than fit.
        realtime_enter()
        _ = connection.schedule(note(UInt8(key)), at: (cycle * 31 + key * 17) % 64)
        _ = connection.schedule(.clock, at: key)
        realtime_exit()
      }
      if cycle % 50 < 5 {
        sysEx.withUnsafeBufferPointer { sysEx in
          realtime_enter()
          for _ in 0..<7 { _ = connection.schedule(bytes: sysEx, at: 40) }
          realtime_exit()
        }
      }
      port.input.send(.channel(note(5)), from: LiveInput.Source(1), at: 1)
      connection.begin(frames: 64)
      var isRendered = connection.finish(within: cycle % 3 == 0 ? 0 : 50_000_000) == .rendered
      // Now and then, wait until the node has caught up, so that a busy machine does not fail the test.
      if !isRendered, cycle % 20 == 0 { isRendered = connection.caughtUp(64) != nil }
      if !isRendered { continue }
      realtime_enter()
      total += sumOfOffsets(connection.receivedEvents)
      realtime_exit()
    }
    #expect(connection.caughtUp(64) != nil)
    #expect(total > 0)
    #expect(connection.statistics.receivedEvents > 1000)
    #expect(connection.statistics.refusedEvents > 0)
    #expect(connection.statistics.malformedEvents == 0)
  }

  @Test func `transport, parameters and input neither allocate, lock nor block`() throws {
    let server = try ProbeServer()
    let connection = try server.connect()
    connection.lateLimit = .max
    try connection.initialize(Format(inputChannels: 2, maximumFrames: 256))
    let output = StereoOutput(frames: 256)
    var rendered = 0
    for cycle in 0..<1000 {
      var transport = Transport()
      transport.isPlaying = true
      transport.beat = Double(cycle)
      realtime_enter()
      for offset in 0..<70 { connection.setTransport(transport, at: (offset * 31) % 256) }
      for index in 0..<5 {
        _ = connection.schedule(parameter: index, to: 0.5, over: cycle, at: index * 60)
      }
      realtime_exit()
      if connection.render(frames: 256, into: output.pointers) == .rendered { rendered += 1 }
      realtime_enter()
      let audio = connection.audio
      realtime_exit()
      if connection.render(frames: 64, input: audio, into: output.pointers) == .rendered
        || connection.caughtUp(64) != nil
      {
        rendered += 1
      }
    }
    #expect(rendered > 100)
  }

  @Test func `a node that is a host neither allocates, locks nor blocks, but for its waits`() throws
  {
    let server = try TestServer()
    let first = try server.server.publish(pulsePort(1), EchoSource(copies: 3))
    let effect = try ProbeServer()
    let host = AudioHost(name: "chain")
    let source = ChainSource { () throws(ConnectionError) in
      let chain = [
        try host.connect(
          to: first.description.component, ofNode: "test", socketPath: server.socketPath),
        try host.connect(
          to: effect.port.description.component, ofNode: "effects",
          socketPath: effect.test.socketPath),
      ]
      for connection in chain { connection.lateLimit = .max }
      return chain
    }
    let front = try TestServer()
    try front.server.publish(probePort(9, type: .instrument), source)
    let connection = try front.connect(probePort(9, type: .instrument).component)
    connection.lateLimit = .max
    // The chain waits for a fraction of each cycle; in long cycles, a busy machine reaches its nodes as well.
    try connection.initialize(Format(maximumFrames: 4096))
    let output = StereoOutput(frames: 4096)
    var transport = Transport()
    transport.isPlaying = true
    var (rendered, received) = (0, 0)
    for cycle in 0..<1000 {
      transport.beat = Double(cycle)
      for key in 0..<10 { _ = connection.schedule(note(UInt8(key)), at: key * 20) }
      connection.setTransport(transport)
      connection.setTransport(transport, at: 100)
      if connection.render(frames: 4096, into: output.pointers) == .rendered
        || connection.caughtUp(64) != nil
      {
        rendered += 1
      }
      received += connection.receivedEvents.events.count
    }
    // The same holds after a node behind the chain has ended.
    effect.test.server.stop()
    for _ in 0..<100 { _ = connection.render(frames: 4096, into: output.pointers) }
    #expect(rendered > 100)
    #expect(received > 1000)
  }

  @_noLocks private func sumOfOffsets(_ cycle: MIDICycle) -> Int {
    var sum = 0
    for event in cycle.events { sum += Int(event.offset) }
    return sum
  }

  @Test func `parked and lost, a host neither allocates, locks nor blocks`() throws {
    let server = try TestServer()
    let connection = try server.connect()
    connection.lateLimit = 2
    try connection.initialize(Format(maximumFrames: 256))
    let unit = server.unit
    unit.close()
    let output = StereoOutput(frames: 256)
    var statuses = (0..<5).map { _ in connection.render(frames: 64, into: output.pointers) }
    unit.open()
    connection.close()
    statuses += (0..<2).map { _ in connection.render(frames: 64, into: output.pointers) }
    #expect(
      statuses == [.late, .late, .parked, .parked, .parked, .connectionLost, .connectionLost])
  }

  @Test func `a unit that allocates on the render thread ends the process`() async {
    await #expect(processExitsWith: .realtimeViolation) {
      final class Allocating: RenderUnit {
        var renderer: Renderer {
          Renderer(state: UnsafeMutableRawPointer(bitPattern: 16)!) { _, _ in
            free(malloc(1000))
            return false
          }
        }
      }
      struct Source: RenderUnitSource {
        func makeUnit(_ format: Format) -> any RenderUnit { Allocating() }
      }
      let server = try TestServer()
      try server.server.publish(pulsePort(1), Source())
      let connection = try server.connect(pulses(1))
      try connection.initialize(Format(maximumFrames: 64))
      _ = connection.rendered(64)
      usleep(5_000_000)
    }
  }

  @Test func `a host that allocates while it renders ends the process`() async {
    await #expect(processExitsWith: .realtimeViolation) {
      realtime_enter()
      free(malloc(1000))
      realtime_exit()
    }
  }
}
