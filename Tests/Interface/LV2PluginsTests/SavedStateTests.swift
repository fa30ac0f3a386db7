import NodeProtocol
import RenderCore
import Testing

@testable import LV2Plugins
@testable import PluginCore

@Suite(.timeLimit(.minutes(5))) struct SavedStateTests {
  private let component: ComponentDescription
  private let state: SavedState

  init() throws {
    component = try ComponentDescription(
      type: .instrument, subtype: FourCharacterCode("gmsy"), manufacturer: FourCharacterCode("Ptvo")
    )
    state = SavedState(
      port: "Portative: \"General\" MIDI ♪",
      unit: UnitState(component: component, parameters: ["gain": -3.5], data: "AAEC"),
      controls: ["gain": -3.5])
  }

  @Test func `a state is read as it was written`() throws {
    #expect(try SavedState(state.text) == state)
    for path in ["/a/b.sf2", #"/100%5C\\%25"quoted".sf2"#, "/line\nfeed.sf2", "/%.sf2"] {
      var state = state
      state.unit.files = ["soundfont": FileReference(path: path)]
      #expect(try SavedState(state.text) == state)
      // Hosts do not escape them.
      #expect(!state.text.contains("\\"))
    }
  }

  @Test func `a damaged state and another version are refused, and kept for the host`() throws {
    let newer = state.text.replacing("\"version\":1}", with: "\"version\":2}")
    let store = StateStore()
    for (text, flaw) in [("", SavedState.Flaw.malformed), ("{}", .malformed), (newer, .version(2))]
    {
      #expect(throws: flaw) { try store.restore(text) }
      store.set(state)
      #expect(store.text == text && store.state == nil)
    }
    for count in 0..<state.text.count {
      #expect(throws: SavedState.Flaw.malformed) {
        try SavedState(String(state.text.prefix(count)))
      }
    }
    try store.restore(state.text)
    #expect(store.state == state)
  }

  @Test func `a state that the unit refuses is kept until another is restored`() throws {
    let store = StateStore()
    try store.restore(state.text)
    store.keep()
    #expect(store.state == nil)
    var other = state
    other.controls = [:]
    store.set(other)
    #expect(store.text == state.text)
    try store.restore(other.text)
    store.set(state)
    #expect(store.text == state.text)
  }

  @Test func `a port is named by type, subtype and manufacturer`() throws {
    #expect(ComponentDescription(text: "instrument gmsy Ptvo") == component)
    let spaces = try ComponentDescription(
      type: .effect, subtype: FourCharacterCode("a b "), manufacturer: FourCharacterCode("  c "))
    #expect(ComponentDescription(text: spaces.description) == spaces)
    for text in [
      "", "instrument", "instrument gmsy", "piano gmsy Ptvo", "instrument gmsyPtvo ",
      "instrument gmsy Ptvoo", "instrument gm♪ Ptvo",
    ] {
      #expect(ComponentDescription(text: text) == nil, "\(text)")
    }
  }
}
