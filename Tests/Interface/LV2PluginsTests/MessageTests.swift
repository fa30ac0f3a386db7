import ConnectionTestSupport
import LV2Atoms
import NodeServer
import RenderCore
import TestSupport
import Testing

@testable import LV2Plugins

/// The MIDI messages of the host, and those of the node.
@Suite(.timeLimit(.minutes(5))) struct MessageTests {
  private func events(_ messages: [[UInt8]]) -> AtomBytes {
    var bytes = AtomBytes()
    for message in messages { bytes.append(at: 0, types.midi, message) }
    return bytes
  }

  /// Sends messages before there is a node, and returns the number that its unit receives when there is one.
  private func received(_ messages: [[UInt8]]) throws -> Int {
    let plugin = try #require(
      try TestInstance(probePort(), inputChannels: 2, parameters: ProbeUnit.tree))
    // Without a deadline, a busy machine loses no cycle.
    plugin.freewheel.pointee = 1
    plugin.instance.activate()
    plugin.run(events(messages))
    let server = try plugin.serve(ProbeSource())
    defer { server.stop() }
    var count = 0
    let isConnected = eventually {
      plugin.run(AtomBytes())
      count += (0..<TestInstance.frames).reduce(0) { $0 + Int(plugin.left[$1] / 1000) }
      return plugin.isConnected
    }
    #expect(isConnected)
    return count
  }

  @Test(
    arguments: [[0xB0, 7], [0xB0, 7, 0, 0], [0xB0, 7, 128], [0xE0, 1], [0xC0, 5, 0]] as [[UInt8]])
  func `bytes that are no message reach neither the unit nor the next connection`(
    bytes: [UInt8]
  ) throws {
    #expect(try received([bytes]) == 0)
  }

  @Test func `a later connection receives the settings of the host`() throws {
    #expect(try received([[0xB0, 7, 0]]) == 1)
    // The reset ends with F7, or is none.
    #expect(try received([[0xB0, 7, 0], [0xF0, 0x7E, 0x7F, 9, 1, 0xF7]]) == 0)
    #expect(try received([[0xB0, 7, 0], [0xF0, 0x7E, 0x7F, 9, 1]]) == 1)
  }

  @Test func `a later connection receives the settings that the host has made by System Exclusive`()
    throws
  {
    let plugin = try #require(try TestInstance())
    plugin.instance.activate()
    let drums: [UInt8] = [0xF0, 0x41, 0x10, 0x42, 0x12, 0x40, 0x1A, 0x15, 0x01, 0x10, 0xF7]
    plugin.run(events([drums, [0xB0, 7, 33]]))
    let server = try plugin.serve(EchoSource())
    defer { server.stop() }
    var received: [[UInt8]] = []
    let isConnected = eventually {
      plugin.run(AtomBytes())
      received += plugin.sentMessages
      return !received.isEmpty
    }
    #expect(isConnected)
    let reset: [UInt8] = [0xF0, 0x41, 0x10, 0x42, 0x12, 0x40, 0x00, 0x7F, 0x00, 0x41, 0xF7]
    #expect(received.first == reset)
    #expect(received.contains(drums))
    #expect(received.contains([0xB0, 7, 33]))
  }

  @Test func `notes end: what a node has sent to the host ends when the node does`() throws {
    let plugin = try #require(try TestInstance())
    let server = try plugin.serve(EchoSource())
    plugin.instance.activate()
    let isEchoed = eventually {
      plugin.run(events([[0x90, 60, 100], [0xB0, 64, 127], [0xE0, 0, 127]]))
      return plugin.sentMessages == [[0x90, 72, 100], [0xB0, 64, 127], [0xE0, 0, 127]]
    }
    #expect(isEchoed)
    plugin.run(AtomBytes())
    #expect(plugin.sentMessages.isEmpty)
    server.stop()
    var ends: [[UInt8]] = []
    let haveEnded = eventually {
      plugin.run(AtomBytes())
      ends += plugin.sentMessages
      return ends.count >= 3
    }
    #expect(haveEnded)
    for _ in 0..<10 {
      plugin.run(AtomBytes())
      ends += plugin.sentMessages
    }
    #expect(ends == [[0x80, 72, 64], [0xB0, 64, 0], [0xE0, 0, 64]])
  }
}
