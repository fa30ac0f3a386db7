import PluginBundles
import RenderCore
import Testing

@Suite(.timeLimit(.minutes(5))) struct PresetTests {
  private func content(_ presets: [Preset], _ parameters: [Parameter]) throws -> BundleContent {
    BundleContent(node: "test", plugins: [try makePlugin(parameters: parameters, presets: presets)])
  }

  private let bankAndProgram = [
    Parameter("preset.bank", "Bank", 0...16_383, default: 0, unit: .index),
    Parameter("preset.program", "Program", 0...127, default: 0, unit: .index),
  ]

  @Test func `presets of a SoundFont are in banks, and keep their URI in another SoundFont`() throws
  {
    let text = try content(
      [
        Preset("Piano", ["preset.bank": 0, "preset.program": 0]),
        Preset("Kit", ["preset.bank": 128, "preset.program": 8]),
      ], bankAndProgram)
    let uri = "urn:portative:instrument:abcd:Test"
    let presets = text.text("presets.ttl")
    #expect(presets.contains("<\(uri)#bank-0>\n  a pset:Bank ;\n  rdfs:label \"Bank 0\" ."))
    #expect(presets.contains("<\(uri)#bank-128>\n  a pset:Bank ;\n  rdfs:label \"Drums\" ."))
    #expect(
      presets.contains(
        """
        <\(uri)#preset-128-8>
          a pset:Preset ;
          lv2:appliesTo <\(uri)> ;
          rdfs:label "Kit" ;
          pset:bank <\(uri)#bank-128> ;
          lv2:port [
            lv2:symbol "preset_bank" ;
            pset:value 128.0
          ] , [
            lv2:symbol "preset_program" ;
            pset:value 8.0
          ] .
        """), "\(presets)")
    #expect(
      text.text("manifest.ttl").contains(
        "<\(uri)#preset-0-0>\n  a pset:Preset ;\n  lv2:appliesTo <\(uri)> ;\n"
          + "  rdfs:seeAlso <presets.ttl> ."))
  }

  @Test func `other presets have their name in the URI, and those of one name a number`() throws {
    let presets = try content(
      [
        Preset(#"A "B" \ é"#, ["mix": 0.25, "unknown": 1]), Preset("Same", ["mix": 1]),
        Preset("Same", ["mix": 0]),
      ], [Parameter("mix", "Mix", 0...1, default: 0)]
    ).text("presets.ttl")
    #expect(presets.contains("Test#preset-A%20%22B%22%20%5C%20%C3%A9>\n"))
    #expect(presets.contains(#"rdfs:label "A \"B\" \\ é" ;"#))
    #expect(presets.contains("Test#preset-Same>\n") && presets.contains("Test#preset-Same-2>\n"))
    #expect(presets.contains("pset:value 0.25\n") && !presets.contains("unknown"))
    #expect(!presets.contains("pset:bank "))
  }

  @Test func `a bundle without presets has no file for them`() throws {
    #expect(try content([], []).files["presets.ttl"] == nil)
  }
}
