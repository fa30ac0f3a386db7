import Testing

@testable import Configuration

private func names<Key: CodingKey & CaseIterable>(_: Key.Type) -> Set<String> {
  Set(Key.allCases.map(\.stringValue))
}

@Test func `the reference has the fields that are decoded, and no others`() {
  let decoded = [
    "FIELDS OF THE FILE": names(Settings.CodingKeys.self),
    "PORTS": names(PortSettings.CodingKeys.self),
    "ZONES": names(ZoneSettings.CodingKeys.self),
    "SCENES": names(SceneSettings.CodingKeys.self),
    "TRACKS OF SCENES": names(TrackSettings.CodingKeys.self),
    "MODULES OF SCENES": names(SentSettings.CodingKeys.self),
    "OUTPUTS": names(OutputSettings.CodingKeys.self),
    "PORTS OF SCENES": names(ScenePortSettings.CodingKeys.self),
    "CONTROLS": names(ControlSettings.CodingKeys.self),
    "KEYBOARDS": names(MIDISettings.CodingKeys.self),
    "NAMES OF KEYBOARDS": names(KeyboardNameSettings.CodingKeys.self),
    "TAKES": names(TakeSettings.CodingKeys.self),
  ]
  let described = SettingsReference.sections.map { ($0.title, Set($0.fields.map(\.name))) }
  #expect(Dictionary(uniqueKeysWithValues: described) == decoded)
  for section in SettingsReference.sections {
    #expect(Set(section.fields.map(\.name)).count == section.fields.count, "\(section.title)")
  }
}
