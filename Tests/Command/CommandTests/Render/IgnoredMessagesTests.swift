import Foundation
import MIDIFile
import ProgramTestSupport
import RenderCore
import TestSupport
import Testing

@Test func `messages without effect are reported, shown with --verbose and refused by kind`() throws
{
  let folder = try TemporaryFolder()
  let song = StandardMIDIFile(
    format: .singleTrack, division: .ticksPerQuarter(480),
    tracks: [
      .init([
        .init(tick: 0, .channel(ChannelMessage(.controlChange, channel: 0, 67, 127))),
        .init(tick: 0, .channel(ChannelMessage(.noteOn, channel: 0, 60, 100))),
        .init(tick: 480, .channel(ChannelMessage(.noteOff, channel: 0, 60, 64))),
        .init(tick: 1920, .sysEx([0x7D, 1, 2])),
      ])
    ])
  let path = try folder.put(Data(song.encoded()))
  let plain = try render(path, "--json", "-o", folder("a.wav"))
  #expect(plain.exitCode == 0)
  #expect(
    plain.outputText.contains(
      #""ignored":[{"category":"controllers","count":1,"kind":"CC 67","seconds":0,"track":0},"#))
  #expect(!(try render(path, "-o", folder("a.wav")).errors.contains("no effect")))
  let verbose = try render(path, "-v", "-o", folder("a.wav"))
  #expect(
    verbose.errors.contains(
      "no effect: 1 x message of another manufacturer, first in track 1 at 0:02"))
  #expect(
    try render(path, "--refuse", "meta,ports", "--strict", "-o", folder("b.wav")).exitCode == 0)
  let refused = try render(path, "--refuse", "meta,sysex", "-o", folder("c.wav"))
  #expect(refused.exitCode == 6 && !folder.names.contains("c.wav"))
  #expect(
    refused.errors.contains("is not rendered under --refuse: no effect: 1 x message of another"))
  #expect(try render(path, "--refuse", "notes", "-o", folder("d.wav")).exitCode == 2)
}
