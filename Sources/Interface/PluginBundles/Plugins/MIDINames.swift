import LocalSystem
import NodeProtocol
import RenderCore

/// The names of a plugin's presets and drums as a MIDI name document, which Ardour shows in its menus and on its keys.
///
/// Source: MIDI Manufacturers Association, *XML for MIDI Names*, MIDINameDocument 1.0.
package struct MIDINames {
  /// The document.
  package let xml: String

  /// - Parameters:
  ///   - plugin: A plugin with presets of a SoundFont.
  ///   - model: A name that no other instance has.
  /// - Returns: `nil` if the plugin has no presets of a SoundFont.
  package init?(_ plugin: BundledPlugin, model: String) {
    let presets = plugin.presets.compactMap { preset in
      preset.soundFontNumbers.map { (preset.name, $0.bank, $0.program) }
    }
    guard plugin.description.type == .instrument, !presets.isEmpty else { return nil }
    // Bank 128 has the drum kits, which channel 10 plays in its bank 0.
    let melodic = presets.filter { $0.1 != 128 }
    let kits = presets.filter { $0.1 == 128 }.map { ($0.0, 0, $0.2) }
    let channels = (1...16).map { channel in
      "<ChannelNameSetAssign Channel=\"\(channel)\" NameSet=\"\(Self.set(channel))\"/>"
    }
    let notes = (0...127).compactMap { key in
      GeneralMIDI.drum(key).map { "<Note Number=\"\(key)\" Name=\"\($0.xmlEscaped)\"/>" }
    }
    xml = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE MIDINameDocument PUBLIC "-//MIDI Manufacturers Association//DTD MIDINameDocument 1.0//EN" \
      "http://dev.midi.org/dtds/MIDINameDocument10.dtd">
      <MIDINameDocument><Author/><MasterDeviceNames>
      <Manufacturer>\((plugin.description.port?.maker ?? "Portative").xmlEscaped)</Manufacturer>
      <Model>\(model.xmlEscaped)</Model>
      <CustomDeviceMode Name="Default"><ChannelNameSetAssignments>
      \(channels.joined(separator: "\n"))
      </ChannelNameSetAssignments></CustomDeviceMode>
      \(Self.nameSet("Presets", melodic, ""))
      \(Self.nameSet("Drums", kits, "<UsesNoteNameList Name=\"Drums\"/>"))
      <NoteNameList Name="Drums">
      \(notes.joined(separator: "\n"))
      </NoteNameList>
      </MasterDeviceNames></MIDINameDocument>

      """
  }

  private static func set(_ channel: Int) -> String { channel == 10 ? "Drums" : "Presets" }

  private static func nameSet(
    _ name: String, _ presets: [(name: String, bank: Int, program: Int)], _ notes: String
  ) -> String {
    let channels = (1...16).map { channel in
      "<AvailableChannel Channel=\"\(channel)\" Available=\"\(set(channel) == name)\"/>"
    }
    let banks = Set(presets.map(\.bank)).sorted().map { bank in
      let patches = presets.filter { $0.bank == bank }.map { preset in
        "<Patch Number=\"\(preset.program + 1)\" Name=\"\(preset.name.xmlEscaped)\" "
          + "ProgramChange=\"\(preset.program)\"/>"
      }
      return """
        <PatchBank Name="\(name == "Drums" ? "Drum Kits" : "Bank \(bank)")"><MIDICommands>
        <ControlChange Control="0" Value="\(bank & 127)"/><ControlChange Control="32" Value="0"/>
        </MIDICommands><PatchNameList Name="\(name) \(bank)">
        \(patches.joined(separator: "\n"))
        </PatchNameList></PatchBank>
        """
    }
    return """
      <ChannelNameSet Name="\(name)"><AvailableForChannels>
      \(channels.joined(separator: "\n"))
      </AvailableForChannels>\(notes)
      \(banks.joined(separator: "\n"))
      </ChannelNameSet>
      """
  }
}
