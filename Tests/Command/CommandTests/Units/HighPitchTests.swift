import Foundation
import NodeHost
import ProgramTestSupport
import RenderCore
import TestSupport
import Testing
import noisefont

/// A SoundFont with a zone whose key is 25,336, for which FluidSynth alone takes a second for 64 frames.
@Suite(.timeLimit(.minutes(5))) struct HighPitchTests {
  private let nodes: NodeUser
  private let font: String

  init() throws {
    nodes = try NodeUser()
    let (key, startOfLoop): (UInt16, UInt16) = (46, 2)
    let generators: [(number: UInt16, value: Int16)] = [(key, 25_336), (startOfLoop, 32)]
    let bytes = NoiseSoundFont(presets: 1, frames: 64, generators: generators).bytes()
    font = try nodes.user.folder.put(Data(bytes), "high.sf2")
  }

  @Test func `a port plays it, and others play beside it`() throws {
    try nodes.serve(
      "node",
      [
        #"{ name: "Test: High", subtype: "high", soundfont: "\#(font)" }"#,
        #"{ name: "Test: Stock", subtype: "stoc", soundfont: "\#(font)", timing: "stock" }"#,
        #"{ name: "Test: Other", subtype: "othr" }"#,
      ])
    let connections = try ["High", "Stock", "Other"].map { try nodes.connect("Test: \($0)") }
    for connection in connections {
      try connection.initialize(Format(maximumFrames: 1024), mode: .offline)
    }
    for cycle in 0..<20 {
      for connection in connections {
        if cycle % 5 == 0 {
          let note = ChannelMessage(.noteOn, channel: 0, UInt8(60 + 3 * cycle), 100)
          #expect(connection.schedule(note, at: 100) == .accepted)
        }
        // Rendering offline ends after ten seconds without progress.
        try #require(connection.render(frames: 1024) == .rendered)
        let output = UnsafeBufferPointer(
          start: try #require(connection.output(channel: 0)), count: 1024)
        #expect(cycle % 5 != 0 || output.contains { $0 != 0 })
      }
    }
  }

  @Test(arguments: ["exact", "stock"])
  func `render plays it`(timing: String) throws {
    let song = try nodes.user.folder.put(
      Data(songBytes([Note(tick: 0, key: 100, length: 100)])), "song.mid")
    let result = try nodes.user.run(
      "render", "-s", font, "--timing", timing, "--max-stall", "10", song, "-o",
      nodes.user.folder("song.wav"))
    #expect(result.exitCode == 0, "\(result.errors)")
  }
}
