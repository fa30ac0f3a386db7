import FluidSynthEngine
import Foundation
import NodeHost
import ProgramTestSupport
import RenderCore
import TestSupport
import Testing

/// The built-in port with 34 channels, in another process.
@Suite(.timeLimit(.minutes(5))) struct MultiSynthTests {
  private static let channels = MultiSynthSource.outputChannels
  private static let ports = [
    #"{ name: "Test: Apart", subtype: "apar", unit: "multi-synth" }"#,
    #"{ name: "Test: Quiet", subtype: "quie", unit: "multi-synth", parameters: { gain: -12 } }"#,
    #"{ name: "Test: Stock", subtype: "stoc", unit: "multi-synth", timing: "stock" }"#,
    #"{ name: "Test: Stereo", subtype: "ster" }"#,
    #"{ name: "Test: Delay", subtype: "dely", unit: "delay" }"#,
  ]

  private let nodes: NodeUser

  init() throws {
    nodes = try NodeUser()
    try nodes.serve("node", Self.ports)
  }

  private let cycles = [1, 63, 64, 1000, 1024, 500, 1024, 1024, 17, 1024, 1024]

  /// Returns the events of a cycle: a chord on every MIDI channel in the fourth one, a program change before it.
  private func messages(_ cycle: Int) -> [(offset: Int, ChannelMessage)] {
    (0..<16 as Range<UInt8>).flatMap { channel -> [(offset: Int, ChannelMessage)] in
      switch cycle {
      case 0: [(0, ChannelMessage(.programChange, channel: channel, 5 * channel, 0))]
      case 3:
        [48, 55].map { key in
          (7 * Int(channel), ChannelMessage(.noteOn, channel: channel, key + channel, 100))
        }
      case 7: [(40, ChannelMessage(.noteOff, channel: channel, 48 + channel, 0))]
      default: []
      }
    }
  }

  private func play(on connection: Connection) throws -> [[Float]] {
    var output = [[Float]](repeating: [], count: Self.channels)
    for (index, frames) in cycles.enumerated() {
      for (offset, message) in messages(index) {
        #expect(connection.schedule(message, at: offset) == .accepted)
      }
      #expect(connection.render(frames: frames) == .rendered)
      for channel in 0..<Self.channels {
        output[channel] += UnsafeBufferPointer(
          start: try #require(connection.output(channel: channel)), count: frames)
      }
    }
    return output
  }

  private func play(on unit: any RenderUnit, channels: Int) -> [[Float]] {
    var output = [[Float]](repeating: [], count: channels)
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: channels * 1024)
    defer { memory.deallocate() }
    for (index, frames) in cycles.enumerated() {
      let events = messages(index).map {
        MIDIEvent(offset: UInt32($0.offset), content: .channel($0.1))
      }
      var pointers = (0..<channels).map { memory + $0 * 1024 }
      events.withUnsafeBufferPointer { events in
        pointers.withUnsafeMutableBufferPointer { pointers in
          let cycle = MIDICycle(
            frames: frames, events: events, sysEx: UnsafeBufferPointer(start: nil, count: 0))
          unit.prepare(for: cycle)
          var whole = RenderCycle(
            midi: cycle, position: 0, hostTime: 0, output: pointers.baseAddress!)
          _ = unit.renderer.procedure(unit.renderer.state, &whole)
        }
      }
      for channel in 0..<channels {
        output[channel] += UnsafeBufferPointer(start: pointers[channel], count: frames)
      }
    }
    return output
  }

  @Test(arguments: Timing.allCases)
  func `a host receives the bits of the unit in its own process, in 34 channels`(
    timing: Timing
  ) throws {
    let connection = try nodes.connect(timing == .exact ? "Test: Apart" : "Test: Stock")
    let format = Format(outputChannels: Self.channels, maximumFrames: 1024)
    try connection.initialize(format, mode: .offline)
    let played = try play(on: connection)
    let unit = try MultiSynthSource(
      soundFont: .open(bundledSoundFont),
      settings: InstrumentSettings(timing: timing, ownsPresets: false)
    ).makeUnit(format)
    #expect(difference(played, play(on: unit, channels: Self.channels)) == nil)
    #expect(played.allSatisfy { $0.contains { abs($0) > 1e-4 } })
  }

  @Test func `another number of channels is refused with the number that it has`() throws {
    let connection = try nodes.connect("Test: Apart")
    let error = #expect(throws: ConnectionError.self) {
      try connection.initialize(Format(maximumFrames: 1024), mode: .offline)
    }
    #expect("\(try #require(error))".contains("outputChannels must be 34, but is 2"))
  }

  @Test func `it can be described, with the initial values of the configuration`() throws {
    let result = try nodes.user.run("info", "--json", "quie")
    #expect(result.exitCode == 0, "\(result.errors)")
    let port = try #require(result.outputText.objects.first)
    let parameters = try #require(port["parameters"] as? [[String: Any]])
    let gain = try #require(parameters.first { $0["identifier"] as? String == "gain" })
    #expect(gain["value"] as? Double == -12)
    #expect((port["presets"] as? [Any])?.count ?? 0 > 100)
  }

  @Test func `play adds the pairs up, also before an effect`() throws {
    let song = try nodes.user.folder.put(shortSong())
    for options in [[], ["--effect", "Test: Delay"]] {
      func play(_ name: String) throws -> [Float] {
        let file = nodes.user.folder("\(name).raw")
        let arguments = ["play", "-q", "--raw", "--bits", "32f", "-o", file, "--node", name]
        let result = try Program(arguments + options + [song], variables: nodes.user.variables)
          .result()
        #expect(result.exitCode == 0, "\(result.errors)")
        return try Data(contentsOf: URL(filePath: file)).withUnsafeBytes {
          Array($0.bindMemory(to: Float.self))
        }
      }
      let (apart, stereo) = (try play("Test: Apart"), try play("Test: Stereo"))
      #expect(apart.count == stereo.count && stereo.contains { abs($0) > 0.01 })
      // Reverb and dry sound may be louder than their sum.
      #expect(zip(apart, stereo).allSatisfy { abs($0 - $1) < 1e-6 })
    }
  }
}
