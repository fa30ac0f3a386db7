import CJACK
import Glibc
import JACKTestSupport
import LiveAudio
import LocalSystem
import RenderCore
import SoundTestSupport
import TestSupport
import Testing

@testable import JACKAudio

extension JACKServerTests {
  @Suite(.timeLimit(.minutes(5))) struct JACKDeviceTests {
    private let ours = ["Portative:out_left", "Portative:out_right"]

    @Test func `another client receives the rendered audio`() throws {
      let server = try TestJACKServer()
      let device = try join(server.name)
      defer { device.stop() }
      #expect(device.format.sampleRate == 48_000)
      #expect(device.format.maximumFrames == 1024)
      #expect(device.summary == "jack: 48000 Hz, 1024 frames, as 'Portative'")
      let ramp = RampRenderer()
      try device.start(ramp.renderer, report: { _ in })
      let listener = try RecordingClient(server: server.name)
      listener.connect(to: ours)
      #expect(eventually { listener.left.last ?? 0 != 0 && ramp.count > 40 })
      // From the frame at which both channels are connected.
      let (left, right) = (listener.left, listener.right)
      let begin = max(
        try #require(left.firstIndex { $0 != 0 }), try #require(right.firstIndex { $0 != 0 }))
      // A cycle may have been missed, but every cycle is complete.
      for cycle in stride(from: begin, to: min(left.count, right.count), by: 1024) {
        let first = Int64(left[cycle] * 32_768) - 1
        let expected = (0..<1024).map { Float(RampRenderer.level(at: first + $0)) / 32_768 }
        #expect(left[cycle..<(cycle + 1024)].elementsEqual(expected))
        #expect(right[cycle..<(cycle + 1024)].elementsEqual(expected.map { -$0 }))
      }
    }

    @Test
    func `its ports have the documented names, and are connected with the first two of the device`()
      throws
    {
      let server = try TestJACKServer()
      let device = try join(server.name)
      defer { device.stop() }
      let ramp = RampRenderer()
      try device.start(ramp.renderer, report: { _ in })
      let listener = try RecordingClient(server: server.name)
      #expect(listener.ports(JackPortIsOutput).filter { $0.hasPrefix("Portative") } == ours)
      #expect(try listener.connections(of: ours[0]) == ["system:playback_1"])
      #expect(try listener.connections(of: ours[1]) == ["system:playback_2"])
      #expect(eventually { device.latency >= 1024 })
    }

    @Test func `a client in the graph has the wanted name and inputs`() throws {
      let server = try TestJACKServer()
      let device = try join(
        server.name, client: "Acme: Pia:no",
        GraphSignals(takesMIDI: true, sendsMIDI: true, takesAudio: true))
      let second = try join(server.name, client: "Acme: Pia:no")
      defer {
        device.stop()
        second.stop()
      }
      let listener = try RecordingClient(server: server.name)
      let names = ["out_left", "out_right", "midi_in", "midi_out", "in_left", "in_right"]
      #expect(
        Set(listener.ports(type: "").filter { $0.hasPrefix("Acme Pia-no:") })
          == Set(names.map { "Acme Pia-no:" + $0 }))
      #expect(listener.ports(type: "").count { $0.hasPrefix("Acme Pia-no-01:out_") } == 2)
    }

    @Test func `a client with several pairs of outputs has all of them, connected with the device`()
      throws
    {
      let server = try TestJACKServer()
      let pairs = ["Channel 1", "Channel 2", "Effects"]
      let device = try join(
        server.name, client: "Multi", GraphSignals(takesMIDI: true, outputPairs: pairs))
      defer { device.stop() }
      #expect(device.format.outputChannels == 6)
      let levels = LevelRenderer()
      try device.start(levels.renderer, report: { _ in })
      let listener = try RecordingClient(server: server.name)
      let names = ["channel_1", "channel_2", "effects"]
      let ports = names.flatMap { ["Multi:\($0)_left", "Multi:\($0)_right"] }
      #expect(listener.ports(JackPortIsOutput).filter { $0.hasPrefix("Multi:") } == ports)
      for (index, port) in ports.enumerated() {
        #expect(try listener.connections(of: port) == ["system:playback_\(index % 2 + 1)"])
      }
      // Each channel reaches its own port.
      listener.connect(to: [ports[2], ports[5]])
      #expect(eventually { listener.left.last == 3 && listener.right.last == 6 })
    }

    @Test func `a long name is cut between characters`() {
      let name = JACKClient.validName(String(repeating: "é", count: 40))
      #expect(name == String(repeating: "é", count: 24))
    }

    @Test func `clients that share a timeline have the same position in the same cycle`() throws {
      let server = try TestJACKServer()
      let timeline = JACKTimeline()
      let devices = try ["A", "B"].map { try join(server.name, client: $0, timeline: timeline) }
      defer { for device in devices { device.stop() } }
      let ramps = [RampRenderer(), RampRenderer()]
      for (device, ramp) in zip(devices, ramps) {
        try device.start(ramp.renderer, report: { _ in })
      }
      let listener = try RecordingClient(server: server.name)
      listener.connect(to: ["A:out_left", "B:out_left"])
      #expect(eventually { listener.right.last ?? 0 != 0 && listener.left.last ?? 0 != 0 })
      let (left, right) = (listener.left, listener.right)
      let both = zip(left, right).filter { $0 != 0 && $1 != 0 }
      #expect(!both.isEmpty)
      #expect(both.allSatisfy { $0 == $1 })
    }

    @Test(arguments: [nil, "NSM_URL", "LADISH_APP_NAME"])
    func `it makes no connections under a session manager, or on request`(variable: String?) throws
    {
      let server = try TestJACKServer()
      let environment = ProcessEnvironment(variables: variable.map { [$0: "there"] } ?? [:])
      let device = try join(server.name, connects: variable != nil, in: environment)
      defer { device.stop() }
      let ramp = RampRenderer()
      try device.start(ramp.renderer, report: { _ in })
      let listener = try RecordingClient(server: server.name)
      #expect(eventually { ramp.count > 3 })
      #expect(try ours.flatMap(listener.connections) == [])
      #expect(
        device.summary.hasSuffix(", not connected; connect it yourself or by a session manager"))
    }

    @Test func `time and position advance with the device`() throws {
      let server = try TestJACKServer()
      let device = try join(server.name)
      defer { device.stop() }
      let ramp = RampRenderer()
      let before = clock()
      try device.start(ramp.renderer, report: { _ in })
      #expect(eventually { ramp.count >= 20 && device.latency > 0 })
      let requests = ramp.requests
      #expect(requests.allSatisfy { $0.frames == 1024 })
      #expect(requests.first?.position == 0)
      #expect(zip(requests, requests.dropFirst()).allSatisfy { $1.position - $0.position >= 1024 })
      // A late server corrects its time, which then stands still instead of going back.
      #expect(zip(requests, requests.dropFirst()).allSatisfy { $1.hostTime >= $0.hostTime })
      let last = try #require(requests.last)
      #expect(last.hostTime > before && last.hostTime < clock() + 1_000_000_000)
    }

    @Test func `an xrun is reported, and playback continues`() throws {
      let server = try TestJACKServer()
      let device = try join(server.name)
      defer { device.stop() }
      let (ramp, events) = (RampRenderer(), SoundEvents())
      try device.start(ramp.renderer, report: events.record)
      #expect(eventually { ramp.count > 3 })
      ramp.sleep(milliseconds: 300)
      #expect(eventually { events.xruns > 0 })
      let count = ramp.count
      #expect(eventually { ramp.count > count + 3 })
      #expect(events.loss == nil)
    }

    @Test(arguments: [SIGTERM, SIGKILL])
    func `the end of a server is a loss, and a new one can be joined`(signal: CInt) throws {
      let server = try TestJACKServer()
      let device = try join(server.name)
      let (ramp, events) = (RampRenderer(), SoundEvents())
      try device.start(ramp.renderer, report: events.record)
      #expect(eventually { ramp.count > 3 })
      server.end(signal)
      #expect(eventually { events.loss != nil })
      #expect(events.loss == "the JACK server has ended or disconnected this client")
      device.stop()
      #expect(throws: SoundDeviceError(jack: .noServer)) { try JACKDevice(server: server.name) }

      let second = try TestJACKServer(after: server)
      let again = try join(second.name)
      defer { again.stop() }
      let count = ramp.count
      try again.start(ramp.renderer, report: { _ in })
      #expect(eventually { ramp.count > count + 3 })
    }

    @Test func `after the server's end, all clients are lost, and closed before one is opened`()
      throws
    {
      let server = try TestJACKServer()
      let devices = try ["A", "B"].map { try join(server.name, client: $0) }
      let (ramps, events) = ([RampRenderer(), RampRenderer()], [SoundEvents(), SoundEvents()])
      for index in 0..<2 {
        try devices[index].start(ramps[index].renderer, report: events[index].record)
      }
      #expect(eventually { ramps.allSatisfy { $0.count > 3 } })
      server.end(SIGKILL)
      #expect(eventually { events.allSatisfy { $0.loss != nil } })
      devices[0].stop()

      let second = try TestJACKServer(after: server)
      #expect(throws: SoundDeviceError(jack: .hangs)) { try JACKDevice(server: second.name) }
      devices[1].stop()
      let again = try join(second.name)
      defer { again.stop() }
      let count = ramps[0].count
      try again.start(ramps[0].renderer, report: { _ in })
      #expect(eventually { ramps[0].count > count + 3 })
    }

    @Test func `stop returns if the server hangs`() throws {
      let server = try TestJACKServer()
      let device = try join(server.name)
      let ramp = RampRenderer()
      try device.start(ramp.renderer, report: { _ in })
      #expect(eventually { ramp.count > 3 })
      server.suspend()
      let begin = clock()
      device.stop()
      #expect(clock() - begin < 2_000_000_000)
      let count = ramp.count
      server.end()
      #expect(ramp.count == count)
    }

    @Test func `a server that hangs is an error, and can be joined when it goes on`() throws {
      let server = try TestJACKServer()
      try join(server.name).stop()
      server.suspend()
      #expect(throws: SoundDeviceError(jack: .hangs)) { try JACKDevice(server: server.name) }
      server.resume()
      try join(server.name).stop()
      server.end()
    }

    @Test func `start returns if the server hangs`() throws {
      let server = try TestJACKServer()
      let device = try join(server.name)
      let ramp = RampRenderer()
      server.suspend()
      #expect(throws: SoundDeviceError(jack: .hangs)) {
        try device.start(ramp.renderer, report: { _ in })
      }
      server.resume()
      // The client is closed after its start.
      try join(server.name).stop()
      #expect(ramp.count == 0)
      server.end()
    }

    @Test func `the error for a missing server states how to start one`() {
      #expect(throws: SoundDeviceError(jack: .noServer)) {
        try JACKDevice(server: "portative-nobody")
      }
      let error = SoundDeviceError(jack: .noServer)
      #expect(error.isTemporary)
      #expect(
        "\(error)"
          == "no sound from 'jack': no JACK server is running for this user; start one, with qjackctl or "
          + "'jackd -d alsa'")
    }

    private func clock() -> Int64 {
      var now = timespec()
      clock_gettime(CLOCK_MONOTONIC, &now)
      return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
    }
  }
}

/// Renders each channel at a level of its own: its number, counted from 1.
private final class LevelRenderer: Sendable {
  var renderer: Renderer {
    Renderer(state: UnsafeMutableRawPointer(bitPattern: 1)!) { _, cycle in
      let cycle = cycle.renderCycle
      for channel in 0..<6 {
        cycle.output[channel].update(repeating: Float(channel + 1), count: cycle.frames)
      }
      return false
    }
  }
}
