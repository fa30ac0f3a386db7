import FoundationEssentials
import Testing

@testable import NodeProtocol

@Test func `a component is identified by type, subtype and manufacturer`() throws {
  #expect(try component("gmsy").description == "instrument gmsy Ptvo")
  #expect(try component("gmsy") == component("gmsy"))
  #expect(try component("gmsy") != component("gmsz"))
}

@Test func `the manufacturer's name ends before the first colon with a space`() throws {
  let organ = try port("org1", name: "A:B: Organ: small")
  #expect(organ.maker == "A:B")
  #expect(organ.shortName == "Organ: small")
}

@Test(arguments: ["", "Organ", "Maker:Organ", ": Organ", "Maker: ", "Maker:  Organ", " M: Organ"])
func `a name has both parts`(name: String) {
  #expect(
    throws: DescriptionError(
      field: "name", value: name, remedy: "write a maker and a name, as in 'Maker: Name'")
  ) {
    try port("org1", name: name)
  }
}

@Test func `names and tags have no control characters, and a maximum length`() throws {
  let long = "Maker: " + String(repeating: "x", count: 248)
  #expect(try port("org1", name: long).name == long)
  let longer = #expect(throws: DescriptionError.self) { try port("org1", name: long + "x") }
  #expect(longer?.description.hasSuffix("it has 256 bytes, write at most 255") == true)
  for (name, tags, field) in [
    ("Maker: Or\ngan", [], "name"), ("Maker: \u{1B}[2J", [], "name"), ("M: O", ["a\u{7F}"], "tags"),
    ("M: O", [String(repeating: "x", count: 256)], "tags"), ("M: O", [""], "tags"),
    ("M: O", ["a", " b"], "tags"), ("M: O", ["a", "b", "a"], "tags"),
  ] {
    let error = #expect(throws: DescriptionError.self) {
      try port("org1", name: name, tags: tags)
    }
    #expect(error?.field == field)
  }
}

@Test func `an icon's path is absolute`() {
  #expect(
    throws: DescriptionError(
      field: "icon", value: "organ.png",
      remedy: "give an absolute path, because hosts run in other folders")
  ) {
    try port("org1", icon: "organ.png")
  }
}

@Test func `a port is the same after being coded`() throws {
  for whole in [
    try port("org1"), try port("org1", icon: "/usr/share/icons/o.png", tags: ["organ", "Orgel ♪"]),
    try port("org1", channels: PortChannels(inputs: 0...0, outputs: 1...64)),
  ] {
    let json = try JSONEncoder().encode(whole)
    #expect(try JSONDecoder().decode(PortDescription.self, from: json) == whole)
  }
}

@Test func `the channels of a port are those that a format and its type can have`() throws {
  for (inputs, outputs) in [(0...65, 2...2), (0...0, 0...2), (0...0, 2...65), (-1...0, 2...2)] {
    #expect(throws: DescriptionError.self) { try PortChannels(inputs: inputs, outputs: outputs) }
  }
  let stereo = try PortChannels(inputs: 1...2, outputs: 2...2)
  #expect(
    throws: DescriptionError(
      field: "channels", value: "1 to 2 inputs, 2 outputs",
      remedy: "give 0 inputs, because the type instrument has none")
  ) {
    try port("org1", channels: stereo)
  }
  #expect(try port("org1", type: .effect, channels: stereo).channels == stereo)
}

@Test(arguments: [
  #"{"inputs": {"minimum": 0, "maximum": 0}}"#,
  #"{"inputs": {"minimum": 2, "maximum": 1}, "outputs": {"minimum": 1, "maximum": 2}}"#,
  #"{"inputs": {"minimum": 0, "maximum": 0}, "outputs": {"minimum": 0, "maximum": 99}}"#, "[0, 2]",
])
func `channels that no port can have are not decoded`(channels: String) {
  #expect(throws: DecodingError.self) {
    try JSONDecoder().decode(PortChannels.self, from: Data(channels.utf8))
  }
}

@Test func `a port is encoded flat, without missing values`() throws {
  let encoder = JSONEncoder()
  encoder.outputFormatting = .sortedKeys
  #expect(
    String(decoding: try encoder.encode(try port("org1")), as: UTF8.self)
      == #"{"manufacturer":"Ptvo","name":"Maker: Organ","subtype":"org1","type":"instrument","#
      + #""version":"1.2.3"}"#)
}
