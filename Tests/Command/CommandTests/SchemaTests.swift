import Foundation
import Glibc
import LocalSystem
import ProgramTestSupport
import TestSupport
import Testing

@testable import portative

private let schemas = repositoryRoot.appending(path: "Schemas")

private func document(_ name: String) throws -> [String: Any] {
  let data = try Data(contentsOf: schemas.appending(path: name))
  return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
}

/// Compares the fields of a value with those of a schema. It is fast and has no dependencies;
/// `Tests/Schemas/validate.py` is a complete validator.
private struct FieldCheck {
  private(set) var faults: [String] = []
  private let vocabulary: [String: Any]

  init() throws { vocabulary = try document("vocabulary.schema.json") }

  mutating func check(_ value: [String: Any]) throws {
    let identifier = try #require(value["schema"] as? String)
    let output = try #require(JSONOutput.allCases.first { $0.identifier == identifier })
    check(value, try document("\(output.rawValue).schema.json"), output.rawValue)
  }

  private mutating func check(_ value: Any, _ schema: [String: Any], _ path: String) {
    if let reference = schema["$ref"] as? String {
      let name = String(reference.split(separator: "/").last ?? "")
      let target = (vocabulary["$defs"] as? [String: Any])?[name] as? [String: Any]
      return target.map { check(value, $0, path) }
        ?? { faults.append("\(path): no \(reference)") }()
    }
    if let items = schema["items"] as? [String: Any] {
      for item in value as? [Any] ?? [] { check(item, items, "\(path)[]") }
    }
    guard let properties = schema["properties"] as? [String: [String: Any]],
      let object = value as? [String: Any]
    else { return }
    for name in schema["required"] as? [String] ?? [] where object[name] == nil {
      faults.append("\(path).\(name) is missing")
    }
    for (name, field) in object {
      guard let property = properties[name] else {
        faults.append("\(path).\(name) is not in the schema")
        continue
      }
      check(field, property, "\(path).\(name)")
    }
  }
}

/// Returns outputs of the program of every kind, except those of `connect` and of latency measurements.
private func outputs(_ user: TemporaryUser) throws -> [(name: String, text: String)] {
  let song = try user.folder.put(shortSong())
  try user.folder.createFile("lib/a.mid", shortSong())
  try user.folder.createFile("lib/bad.mid", Data())
  try user.folder.createFile("lib/b.mid", try songBytes([Note(tick: 0, key: 60)]))
  let render = ["--tail", "2.5", "--max-tail", "9"]
  func output(_ arguments: [String], code: Int32 = 0) throws -> String {
    let result = try Program(arguments, variables: user.variables).result(within: 60)
    #expect(result.exitCode == code, "\(arguments) \(result.errors)")
    return result.outputText
  }
  let out = user.folder("out")
  let labels = user.folder("labels.jsonl")
  let labelling = ["render", "-q", "--labels", labels, "--label-messages", "-o", "/dev/null"]
  _ = try output(labelling + ["--raw", song])
  var all = [
    (
      "dry",
      try output(
        ["render", "--json", "-n", "-d", out, "--stems", "track", user.folder("lib")], code: 3)
    ),
    (
      "render",
      try output(
        ["render", "--json", "-d", out, "--image", "--stems", "channel", user.folder("lib")]
          + render, code: 3)
    ),
    ("labels", try String(contentsOfFile: labels, encoding: .utf8)),
    ("usage", try output(["render", "--json", "--rate", "1", song], code: 2)),
    (
      "report",
      try output(
        [
          "render", "--report", "-", "-d", out, "--normalize", "-16LUFS", "--set", "tuning=20",
          user.folder("lib"),
        ],
        code: 3)
    ),
    (
      "doctor",
      try output(
        ["doctor", "--json"],
        code: try Program(["doctor"], variables: user.variables).result().exitCode ?? 0)
    ),
  ]
  all.append(
    ("info", try output(["info", "--json", song, bundledSoundFont, user.folder("lib")], code: 3)))
  all.append(("version", try output(["--version", "--json"])))
  try user.configure(
    #"{ ports: [{ name: "Test: Piano", subtype: "pian" }, { name: "Test: Echo", subtype: "echo", unit: "delay", tags: ["echo"] }], scenes: [{ name: "A" }], controls: [{ controller: 80, does: "scene", scene: "A" }, { controller: 81, channel: 2, keyboard: "Nord*", port: "Test: Piano", parameter: "gain", from: -20, to: 0, pickup: true }] }"#
  )
  all.append(("config", try output(["config", "--json"])))
  try user.serve()
  all.append(
    ("play", try output(["play", "--json", "-n", "Piano", "-o", user.folder("x.wav"), song])))
  let player = try user.start("play", "--audio", "none", "-n", "Piano", "--loop", song)
  try player.wait {
    (try? user.run("list", "--status", "--json").outputText.contains("\"sampleRate\"")) == true
  }
  all.append(("status", try output(["list", "--status", "--json"])))
  player.send(SIGTERM)
  _ = try player.result()
  all.append(("list", try output(["list", "--json"])))
  user.variables["LV2_PATH"] = try TestPlugins.path()
  all.append(("plugins", try output(["list", "--lv2", "--json"])))
  all.append(
    ("check", try output(["check", "--json", "lv2:urn:portative:test:wrong-delay"], code: 1)))
  all.append(
    ("plugin", try output(["info", "--json", "lv2:urn:portative:test:tone"])))
  all.append(("port", try output(["info", "--json", "Echo"])))
  all.append(("synth", try output(["info", "--json", "Piano"])))
  all.append(("chosen", try output(["scene", "A", "--json"])))
  all.append(("serve", try output(["serve", "--check", "--json"])))
  all.append(("error", try output(["list", "--json", "--names"], code: 2)))
  all.append(("devices", try output(["devices", "--json"])))
  all.append(("scene", try output(["scene", "--json"])))
  all.append(("learn", try output(["set", "--learned", "--json"])))
  all.append(("presets", try output(["info", "--presets", "--json", bundledSoundFont])))
  #expect(try user.run("serve", "--install", "-q").exitCode == 0)
  let library = try user.folder.createFile("portative.so")
  _ = try output(["lv2", "install", "--library", library])
  all.append(("lv2", try output(["lv2", "list", "--json"])))
  let watcher = try user.start("list", "--watch", "--json")
  try watcher.wait { !watcher.output.objects.isEmpty }
  all.append(("watch", watcher.output))
  watcher.send(SIGTERM)
  _ = try watcher.result()
  return all
}

/// Returns the differences between a value and its schema.
func schemaFaults(of value: [String: Any]) throws -> [String] {
  var check = try FieldCheck()
  try check.check(value)
  return check.faults
}

@Test func `every output has the fields that its schema says, and no others`() throws {
  let user = try TemporaryUser()
  var check = try FieldCheck()
  var kinds: Set<String> = []
  var paths: [String] = []
  for (name, text) in try outputs(user) {
    let values =
      name == "report"
      ? [try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]]
      : text.objects
    #expect(!values.isEmpty, "\(name)")
    for value in values {
      try check.check(value)
      kinds.insert(value["schema"] as? String ?? "")
    }
    paths.append(try user.folder.put(Data(text.utf8), "\(name).json"))
  }
  let patch = try Patch(ConnectTests().patchbay)
  for value in PatchList(patch: patch).jsonLines.text.objects { try check.check(value) }
  paths.append(
    try user.folder.put(Data(PatchList(patch: patch).jsonLines.text.utf8), "connect.json"))
  #expect(check.faults == [])
  let missing = Set(JSONOutput.allCases.map(\.identifier)).subtracting(kinds)
  // The first needs keyboards, and so does the take, whose test is in TakeTests.
  #expect(missing == ["portative/connect/1", "portative/latency/1", "portative/take/1"])
  let faults = try validationFaults(paths)
  #expect(faults == "", "\(faults)")
}

@Test func `every number in the schemas has a unit, and every output a schema`() throws {
  let names = try #require(try Folder.names(in: schemas.path()))
  #expect(
    Set(names)
      == Set(
        JSONOutput.allCases.map { "\($0.rawValue).schema.json" }
          + ["vocabulary.schema.json", "protocol.schema.json"]))
  func visit(_ value: Any, _ path: String) {
    if let object = value as? [String: Any] {
      if let type = object["type"] as? String, ["number", "integer"].contains(type) {
        #expect(object["unit"] is String, "\(path)")
      }
      for (name, inner) in object { visit(inner, "\(path).\(name)") }
    } else if let list = value as? [Any] {
      for inner in list { visit(inner, path) }
    }
  }
  for name in names { visit(try document(name), name) }
}

@Test func `the measurement of latency is as its schema says`() throws {
  var check = try FieldCheck()
  let figures = try #require(LatencyFigures(played: [0, 1_000_000], clicks: [500_000]))
  let report = LatencyReport(
    latency: figures,
    output: .init(summary: "hw:1", sampleRate: 48_000, period: 64, buffered: 192), input: "hw:1",
    xruns: 0)
  for value in JSONOutput.latency.line(report).text.objects { try check.check(value) }
  #expect(check.faults == [])
}
