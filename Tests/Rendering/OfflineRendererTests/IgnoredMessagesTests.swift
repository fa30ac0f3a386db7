import Foundation
import MIDIFile
import RenderCore
import TestSupport
import Testing
import noisefont

@testable import FluidSynthEngine
@testable import OfflineRenderer

private func ignored(
  _ tracks: [[Event]], division: Division = .ticksPerQuarter(24_000),
  soundFont: String = bundledSoundFont
) throws -> [String] {
  let file = StandardMIDIFile(
    format: .simultaneous, division: division, tracks: tracks.map { .init($0) })
  let range = try FrameRange(file, RenderSettings())
  return IgnoredMessageFinder.messages(range, ModulatorSources(ofFile: soundFont)).map {
    "\($0.category.rawValue): \($0.count) \($0.kind), \($0.track) at \($0.seconds)"
  }
}

private func meta(_ tick: Int64, _ type: UInt8, _ data: [UInt8]) -> Event {
  Event(tick: tick, .meta(MetaEvent(type: type, data: data)))
}

@Test func `what acts is not listed`() throws {
  let events =
    [0, 1, 5, 7, 8, 10, 11, 32, 37, 64, 65, 66, 68, 84, 91, 93, 120, 121, 123].map {
      control(0, $0, 1)
    }
    // Pitch bend range, and a parameter of the SoundFont.
    + [control(0, 101, 0), control(0, 100, 0), control(0, 6, 12), control(0, 38, 0)]
    + [control(0, 101, 127), control(0, 100, 127), control(0, 6, 1)]
    + [control(0, 99, 120), control(0, 98, 8), control(0, 6, 1)]
    + [
      Event(tick: 0, .sysEx([0x7E, 0x7F, 0x09, 0x01])), meta(0, 1, [65]),
      meta(0, 0x54, [0x20, 0, 0, 0, 0]),
      // Initial values.
      control(0, 74, 64), control(0, 92, 0),
    ]
  #expect(try ignored([events]) == [])
}

@Test func `each kind has its count and the first place`() throws {
  let first = [
    control(24_000, 74, 100), control(48_000, 74, 99), control(48_000, 67, 127),
    Event(tick: 48_000, .sysEx([0x7D, 1])), meta(48_000, 0x7F, [0x43]),
  ]
  let second = [
    control(0, 74, 1), Event(tick: 0, .sysEx([0x41, 0x10, 0x45, 0x12, 0x10, 0, 0, 0x41, 0x2F])),
    meta(0, 0x54, [0x21, 0, 0, 0, 0]), meta(0, 0x60, [1]), Event(tick: 0, .escape([0xF8])),
    control(0, 99, 1), control(0, 98, 0x20), control(0, 6, 70),
    control(0, 101, 0), control(0, 100, 6), control(0, 6, 15), control(0, 96, 0),
  ]
  #expect(
    try ignored([first, second]) == [
      "controllers: 3 CC 74, 1 at 0.0", "controllers: 1 NRPN 1/32, 1 at 0.0",
      "controllers: 1 RPN 0/6, 1 at 0.0", "controllers: 1 RPN 0/6, in steps, 1 at 0.0",
      "controllers: 1 CC 67, 0 at 1.0", "meta: 1 FF 54 SMPTE offset, 1 at 0.0",
      "meta: 1 FF 60, 1 at 0.0", "meta: 1 system message, 1 at 0.0",
      "meta: 1 FF 7F for one sequencer, 0 at 1.0",
      "sysex: 1 display text or picture, 1 at 0.0",
      "sysex: 1 message of another manufacturer, 0 at 1.0",
    ])
}

@Test func `ports without notes, and tempos in a file with time code, are listed`() throws {
  let song = [meta(0, 0x21, [3]), on(0, 60)]
  #expect(
    try ignored([[meta(0, 0x21, [5]), control(0, 7, 1)], song]) == [
      "ports: 1 port 5 without notes, 0 at 0.0"
    ])
  #expect(
    try ignored(
      [[Event(tick: 0, .meta(.tempo(400_000))), on(0, 60)]],
      division: .timeCode(.fps25, ticksPerFrame: 40))
      == ["meta: 1 FF 51 tempo, in a file with time code, 0 at 0.0"])
}

@Test func `a controller that a modulator of the SoundFont responds to is not listed`() throws {
  let folder = try TemporaryFolder()
  var bytes = NoiseSoundFont(presets: 1, modulatorDestination: 48).bytes()
  // The first modulator's source: controller 74, linear, from 0 to 1; and key pressure in the second.
  let imod = try #require(bytes.firstRange(of: Array("imod".utf8))?.upperBound) + 4
  (bytes[imod], bytes[imod + 1]) = (0x80 | 74, 0)
  (bytes[imod + 10], bytes[imod + 11]) = (10, 0)
  let path = folder("modulated.sf2")
  try Data(bytes).write(to: URL(filePath: path))
  let sources = try #require(ModulatorSources(ofFile: path))
  #expect(sources.controllers == [74] && sources.hasKeyPressure)
  let events = [
    control(0, 74, 1), control(0, 71, 1),
    Event(tick: 0, .channel(ChannelMessage(.keyPressure, channel: 0, 60, 1))),
  ]
  #expect(try ignored([events], soundFont: path) == ["controllers: 1 CC 71, 0 at 0.0"])
  #expect(try ignored([events], soundFont: "/dev/null") == [])
}
