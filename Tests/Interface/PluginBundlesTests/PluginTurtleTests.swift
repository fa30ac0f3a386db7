import NodeProtocol
import RenderCore
import Testing

@testable import PluginBundles

@Suite(.timeLimit(.minutes(5))) struct PluginTurtleTests {
  @Test(arguments: [
    (PortType.instrument, "a lv2:Plugin , lv2:InstrumentPlugin ;"),
    (.generator, "a lv2:Plugin , lv2:GeneratorPlugin ;"), (.effect, "a lv2:Plugin ;"),
    (.musicEffect, "a lv2:Plugin ;"),
  ])
  func `the type of a port decides the class`(type: PortType, line: String) throws {
    #expect(try turtle(makePlugin(type)).contains("  \(line)\n"))
  }

  @Test func `tags of an effect decide its class`() throws {
    let text = try turtle(makePlugin(.effect, tags: ["warm", "Delay"]))
    #expect(text.contains("  a lv2:Plugin , lv2:DelayPlugin ;\n"))
  }

  @Test func `versions are ordered as those of the ports`() throws {
    func numbers(_ version: String) throws -> [Int] {
      let text = try turtle(makePlugin(version: version))
      return try ["minor", "micro"].map { name in
        let line = try #require(text.split(separator: "\n").first { $0.contains("\(name)Version") })
        return try #require(Int(line.split(separator: " ")[1]))
      }
    }
    let all = try ["0.1.0", "0.1.9", "0.2.0", "0.10.1", "1.0.0", "2.3.4"].map(numbers)
    for (a, b) in zip(all, all.dropFirst()) { #expect(a.lexicographicallyPrecedes(b), "\(a) \(b)") }
    #expect(try numbers("\(Int.max).\(Int.max).\(Int.max)").allSatisfy { $0 < Int(Int32.max) })
  }

  @Test(arguments: PortType.allCases) func `ports have the order of PluginPorts`(type: PortType)
    throws
  {
    let plugin = try makePlugin(
      type,
      parameters: [
        Parameter("enabled", "On", 0...1, default: 0), Parameter("in.left", "L", 0...1, default: 0),
      ])
    let ports = PluginPorts(plugin.description)
    let text = turtle(plugin)
    func index(_ symbol: String) -> String? {
      text.port(symbol).first { $0.hasPrefix("lv2:index") }
    }
    #expect(index("events") == "lv2:index \(PluginPorts.events)")
    #expect(index("notifications") == "lv2:index \(PluginPorts.notifications)")
    #expect(index("freewheel") == "lv2:index \(PluginPorts.freewheel)")
    #expect(index("enabled") == "lv2:index \(PluginPorts.enabled)")
    #expect(index("latency") == "lv2:index \(PluginPorts.latency)")
    #expect(index("out_left") == "lv2:index \(ports.audioOutputs.lowerBound)")
    #expect(index("enabled_2") == "lv2:index \(ports.parameters.lowerBound)")
    if type.takesAudio {
      #expect(index("in_right") == "lv2:index \(ports.audioInputs.upperBound - 1)")
      #expect(index("in_left_2") == "lv2:index \(ports.count - 1)")
    } else {
      #expect(!text.contains("pg:mainInput"))
    }
    #expect(text.contains("atom:supports midi:MidiEvent , time:Position") == type.takesMIDI)
    #expect(!text.contains("inPlaceBroken"))
  }

  @Test func `parameters have their range, unit, group and scale`() throws {
    let text = try turtle(
      makePlugin(
        parameters: [
          Parameter(
            "filter.cut-off", "Cut-Off", 20...20_000, default: 440.5, unit: .hertz,
            scale: .logarithmic),
          Parameter(toggle: "sync", "Sync", default: true),
          Parameter(choice: "mode", "Mode", of: ["Soft", #"A "B""#], default: 1),
          Parameter("voices", "Voices", 0...99, default: 3, unit: .index),
          Parameter("plain", "", 0...1, default: 0.1),
        ], groups: [.init("filter", "Filter")]))
    #expect(
      text.port("filter_cut_off").dropFirst(2) == [
        "lv2:symbol \"filter_cut_off\"", "lv2:name \"Filter Cut-Off\"",
        "lv2:designation <urn:portative:instrument:abcd:Test#filter_cut_off>",
        "lv2:default 440.5", "lv2:minimum 20", "lv2:maximum 20000",
        "lv2:portProperty pprops:logarithmic",
        "units:unit units:hz", "pg:group <urn:portative:instrument:abcd:Test#group_filter>",
      ])
    #expect(
      text.contains(
        "<urn:portative:instrument:abcd:Test#filter_cut_off>\n  a lv2:Parameter ;\n"
          + "  rdfs:label \"Filter Cut-Off\" ;\n  rdfs:range atom:Float ."))
    #expect(text.port("sync").contains("lv2:portProperty lv2:toggled"))
    #expect(!text.port("sync").contains { $0.contains("scalePoint") })
    let mode = text.port("mode")
    #expect(mode.contains("lv2:portProperty lv2:integer , lv2:enumeration"))
    #expect(mode.contains(#"rdfs:label "A \"B\"""#) && mode.contains("rdf:value 1"))
    #expect(text.port("voices").contains("lv2:portProperty lv2:integer"))
    #expect(text.port("plain").contains("lv2:name \"plain\""))
    #expect(
      text.contains(
        "<urn:portative:instrument:abcd:Test#group_filter>\n  a pg:InputGroup ;\n"
          + "  lv2:symbol \"group_filter\" ;\n  lv2:name \"Filter\" ."))
  }

  @Test func `channels are grouped in pairs`() throws {
    func names(_ type: PortType, _ count: Int) -> [String] {
      ChannelGroup.groups(ofOutputs: count, type: type).map(\.name)
    }
    #expect(names(.instrument, 34) == (1...16).map { "Channel \($0)" } + ["Effects"])
    #expect(names(.effect, 34).first == "Output 1/2" && names(.effect, 34).count == 17)
    #expect(names(.effect, 3) == ["Output 1", "Output 2", "Output 3"])
    let text = try turtle(makePlugin(outputs: 34))
    #expect(text.port("channel_16_right").contains("lv2:name \"Channel 16 Right\""))
    #expect(text.port("effects_left").contains("lv2:designation pg:left"))
    #expect(!text.contains("pg:mainOutput"))
    let mono = try turtle(makePlugin(.effect, inputs: 1, outputs: 1))
    #expect(mono.contains("a pg:MonoGroup , pg:OutputGroup ;"))
    #expect(mono.port("in").contains("lv2:designation pg:center"))
  }

  @Test func `symbols of ports and groups are unique, whatever the parameters are called`() throws {
    let identifiers = [
      "in", "out", "out.left", "group.reverb", "reverb.room", "reverb-room", "events", "latency",
    ]
    for outputs in [1, 2, 3, 4, 34] {
      let plugin = try makePlugin(
        .musicEffect, outputs: outputs,
        parameters: identifiers.map { Parameter($0, $0, 0...1, default: 0) },
        groups: [.init("reverb", "Reverb"), .init("group", "Group")])
      let names = PluginPortNames(plugin.description)
      #expect(names.symbols.count == PluginPorts(plugin.description).count)
      let all =
        names.symbols + (names.inputGroups + names.outputGroups).map(\.symbol)
        + names.parameterGroups.values
      #expect(Set(all).count == all.count, "\(all)")
    }
  }

  @Test func `a plugin whose port the user selects has a property for it`() {
    let text = turtle(BundledPlugin(anyPortOf: .effect))
    #expect(text.contains("patch:writable <urn:portative:port>"))
    #expect(text.contains("<urn:portative:port>\n  a lv2:Parameter ;\n  rdfs:label \"Port\" ;"))
    #expect(text.port("events").contains("atom:supports time:Position , patch:Message"))
  }
}
