import LocalSystem
import Testing

@testable import NodeProtocol
@testable import portative

/// Returns a list of ports with the given names, each of a different node.
private func list(_ names: String..., problems: [String] = []) throws -> ComponentList {
  let options = try ListOptions(arguments: [])
  let components = try names.map { name in
    Component(
      port: try PortDescription(
        component: ComponentDescription(
          type: .instrument, subtype: FourCharacterCode("abcd"),
          manufacturer: FourCharacterCode("Test")),
        name: name, version: SemanticVersion("1.0.0")),
      node: name.lowercased(), processID: nil, manifest: nil, lastUse: nil)
  }
  return ComponentList(components, problems: problems, options)
}

@Test func `on a terminal a list is drawn over the one before`() throws {
  var display = TerminalListDisplay { (80, 24) }
  let first = display.text(for: try list("Test: A", "Test: B")).text
  #expect(first.hasPrefix("\r\u{1B}[J"))
  #expect(first.split(separator: "\n").count == 3)
  #expect(display.text(for: try list()).text.hasPrefix("\r\u{1B}[3A\u{1B}[J"))
}

@Test func `a table that is wider than the terminal has a line for each cell`() {
  func table(_ limit: Int?) -> String {
    Columns.table(
      ["PORT", "NODE", "LOAD"], [["Test: A", "organ", "-"], ["Test: B", "band", "3 %"]],
      within: limit
    ).text
  }
  #expect(table(nil) == "PORT     NODE   LOAD\nTest: A  organ  -\nTest: B  band   3 %\n")
  #expect(table(20) == table(nil))
  #expect(table(19) == "Test: A\n  node: organ\nTest: B\n  node: band\n  load: 3 %\n")
}

@Test func `on a small terminal a list is cut, so that it can be drawn over`() throws {
  var display = TerminalListDisplay { (20, 4) }
  let text = display.text(for: try list("Test: A", "Test: B", "Test: C", problems: ["trouble"]))
    .text
  let lines = text.split(separator: "\n")
  #expect(lines.count == 3)
  #expect(lines.allSatisfy { $0.count <= 20 + "\r\u{1B}[J".count })
  #expect(lines.last == "and 3 more")
}

@Test func `in a file only what is new is written`() throws {
  var display = LineListDisplay()
  func lines(_ list: ComponentList) -> [String] {
    display.text(for: list).text.split(separator: "\n").map(String.init)
  }
  #expect(lines(try list("Test: A")).count == 2)
  #expect(lines(try list("Test: A")) == [])
  #expect(lines(try list("Test: A", problems: ["trouble"])) == ["trouble"])
  let news = lines(try list("Test: B", problems: ["trouble"]))
  #expect(news.count == 2)
  #expect(news[0].hasPrefix("Test: B "))
  #expect(news[1].hasPrefix("Test: A ") && news[1].hasSuffix("gone"))
}
