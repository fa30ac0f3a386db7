import LocalSystem
import NodeProtocol
import Testing

@testable import PluginBundles

@Suite(.timeLimit(.minutes(5))) struct TurtleTests {
  @Test(arguments: [
    ("", #""""#), ("Grand Piano", #""Grand Piano""#), (#"7" \ Nail"#, #""7\" \\ Nail""#),
    ("a\nb\rc\td", #""a\nb\rc\td""#), ("\u{0}\u{1B}\u{7F}", #""\u0000\u001B\u007F""#),
    ("Orgue à bouche 🎹", #""Orgue à bouche 🎹""#),
    // A quotation mark with a combining accent is one character of Swift, but two of Turtle.
    ("\"\u{301}", "\"\\\"\u{301}\""),
  ])
  func `every text is a string literal`(text: String, literal: String) {
    #expect(Turtle.string(text) == literal)
  }

  @Test func `a URI cannot end its reference`() {
    #expect(Turtle.iri("urn:portative:any:effect") == "<urn:portative:any:effect>")
    #expect(Turtle.iri(#"urn:a> b"{}|^`\"#) == "<urn:a%3E%20b%22%7B%7D%7C%5E%60%5C>")
  }

  @Test func `bytes of a part of a URI are encoded`() {
    #expect(
      PercentEncoding.encode("Wet, 50 %: é-_", except: "-_") == "Wet%2C%2050%20%25%3A%20%C3%A9-_")
  }

  @Test func `the URI of a plugin has all four characters of both codes`() throws {
    let component = try ComponentDescription(
      type: .effect, subtype: FourCharacterCode("a-_9"), manufacturer: FourCharacterCode(" %Z~"))
    #expect(PluginURI.plugin(for: component) == "urn:portative:effect:a%2D%5F9:%20%25Z%7E")
  }

  @Test(
    arguments: [
      (0, "0"), (-0.0, "0"), (-96, "-96"), (0.2, "0.2"), (1e9, "1000000000"), (0.0625, "0.0625"),
      (1e-7, "1e-07"),
    ] as [(Float, String)])
  func `a number has the digits that distinguish it`(value: Float, text: String) {
    #expect(Turtle.number(value) == text)
  }

  @Test(
    arguments: [
      (0, "0.0"), (89, "89.0"), (-0.5, "-0.5"), (1e-7, "0.0000001"), (-1.25e-5, "-0.0000125"),
      (1e9, "1000000000.0"), (16_777_218, "16777218.0"), (1.5e20, "150000000000000000000.0"),
    ] as [(Float, String)])
  func `a decimal has a point and no exponent`(value: Float, text: String) {
    #expect(Turtle.decimal(value) == text)
    #expect(Float(text) == value)
  }

  @Test func `symbols are valid and unique`() {
    var table = SymbolTable()
    let symbols = [
      "reverb.room", "ping-pong", "reverb-room", "reverb_room", "2nd", "", "é", "_", "ß²٣",
    ].map { table.add($0) }
    #expect(
      symbols == [
        "reverb_room", "ping_pong", "reverb_room_2", "reverb_room_3", "_2nd", "_", "__2", "__3",
        "___",
      ], "\(symbols)")
  }
}
