import ALSA
import ConnectionTestSupport
import Foundation
import LocalSystem
import MIDIFile
import NodeHost
import NodeProtocol
import NodeServer
import ProgramTestSupport
import RenderCore
import TestSupport
import Testing

@testable import portative

/// A name that, on a terminal, becomes red, rings, begins a line, and is read in another order.
private let hostile = "A\u{1B}[31mB\u{7}\nFORGED\u{202E}C\u{200B}D\u{9B}E\u{2028}F\u{E0041}"
private let shown =
  #"A\u{1B}[31mB\u{07}\nFORGED\u{202E}C\u{200B}D\u{009B}E\u{2028}F\u{000E0041}"#

/// Whether a terminal shows the text as it is, and no name begins a line.
private func isSafe(_ text: String) -> Bool {
  let forbidden: [ClosedRange<UInt32>] = [
    0...9, 11...0x1F, 0x7F...0x9F, 0xAD...0xAD, 0x61C...0x61C, 0x200B...0x200F, 0x2028...0x202E,
    0x2060...0x206F, 0xFEFF...0xFEFF, 0xE0000...0xE007F,
  ]
  return !text.unicodeScalars.contains { scalar in forbidden.contains { $0 ~= scalar.value } }
    && !text.split(separator: "\n").contains { $0.hasPrefix("FORGED") }
}

/// A node in this process that gives everything the hostile name that it may name.
private final class HostileNode {
  private let server: NodeServer

  init(_ user: TemporaryUser) throws {
    server = try NodeServer(
      name: "hostile",
      directories: NodeDirectories(ProcessEnvironment(variables: user.variables)))
    server.requestExtension = HostileRequests()
    _ = try server.publish(pulsePort(), HostileSource(), maximumHosts: 8)
  }

  deinit { server.stop() }
}

private struct HostileSource: RenderUnitSource {
  func makeUnit(_ format: Format) throws -> any RenderUnit { HostileUnit(format) }
}

private final class HostileUnit: RenderUnit {
  private let unit: PulseUnit
  let parameters: ParameterStore? = ParameterStore(
    ParameterTree([
      Parameter("gain", hostile, 0...10, default: 1),
      Parameter(choice: "kind", hostile, of: [hostile, "other"], default: 0),
    ]))

  init(_ format: Format) { unit = PulseUnit(format) }

  var renderer: Renderer { unit.renderer }
  var presets: [Preset] { [Preset(hostile, ["gain": 2])] }
}

/// Answers what `portative serve` answers.
private final class HostileRequests: RequestExtension, RequestHandler {
  let features = Feature.ofKeyboards

  func makeHandler(for server: NodeServer) -> any RequestHandler { self }

  func source(ofUnit number: Int, of port: PublishedPort) -> (any RenderUnitSource)? { nil }

  func response(to request: ReceivedRequest) throws(ProtocolError) -> any Encodable & Sendable {
    switch request.method {
    case GetScenes.method:
      GetScenes.Response(items: [hostile, "B"], total: 2, setListCount: 1, current: hostile)
    case ChooseScene.method: ChooseScene.Response(scene: hostile)
    case SaveScene.method: SaveScene.Response(file: hostile)
    case GetZones.method: GetZones.Response(zones: "[{ \"preset\": \"\(hostile)\" }]")
    case SetZones.method: throw ProtocolError(.badSequence, hostile)
    case LearnControl.method: LearnControl.Response(control: Self.report, warning: hostile)
    case GetControls.method: GetControls.Response(items: [Self.report], total: 1)
    case ClearControls.method: throw ProtocolError(.commandFailed, hostile)
    case GetTake.method: Self.take
    default: throw .unknownMethod(request.method)
    }
  }

  private static var report: ControlReport {
    var report = ControlReport(.controller, .parameter, origin: .learned)
    (report.keyboard, report.port, report.parameter) = (hostile, hostile, hostile)
    (report.scene, report.problem) = (hostile, hostile)
    return report
  }

  private static var take: GetTake.Response {
    let song = StandardMIDIFile(
      format: .singleTrack, division: .ticksPerQuarter(480), tracks: [.init([])])
    let file = (try? song.encoded()) ?? []
    return GetTake.Response(
      data: Data(file).base64EncodedString(), total: file.count,
      take: TakeProperties(
        sampleRate: 48000, ports: [.init(name: hostile, sound: hostile, notes: 1)], firstNote: 0,
        isWhole: true, hasLosses: false, limit: 60))
  }
}

@Suite(.timeLimit(.minutes(5))) struct HostileNameTests {
  private let user: TemporaryUser

  init() throws { user = try TemporaryUser() }

  /// Runs a command, which must write the name in its safe form to standard output or error, or in JSON without loss.
  private func check(
    _ arguments: String..., isSafeOnly: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let result = try user.run(arguments: arguments)
    let (output, errors) = (result.outputText, result.errors)
    #expect(
      isSafe(output) && isSafe(errors), "\(output)\n\(errors)", sourceLocation: sourceLocation)
    if arguments.contains("--json") {
      let lines = output.split(separator: "\n")
      #expect(output.objects.count == lines.count, sourceLocation: sourceLocation)
      let texts = output.objects.flatMap { Self.texts($0) }
      #expect(
        isSafeOnly || texts.contains { $0.contains(hostile) }, "\(output)",
        sourceLocation: sourceLocation)
    } else if !isSafeOnly {
      #expect(
        (output + errors).contains(shown), "\(output)\n\(errors)", sourceLocation: sourceLocation)
    }
  }

  /// Returns all texts in a value of JSON.
  private static func texts(_ value: Any) -> [String] {
    switch value {
    case let text as String: [text]
    case let list as [Any]: list.flatMap(texts)
    case let object as [String: Any]: object.flatMap { [$0.key] + texts($0.value) }
    default: []
    }
  }

  @Test func `what a node names is written so that no terminal obeys it`() throws {
    let node = try HostileNode(user)
    try check("info", "--presets", "--port", "pulses")
    try check("info", "--presets", "--port", "pulses", "--json")
    try check("info", "pulses")
    try check("info", "pulses", "--json")
    try check("info", "--settings", "pulses")
    try check("info", "pulses", "kind")
    try check("info", "pulses", "--json", isSafeOnly: true)
    try check("set", "pulses", "kind=none")
    try check("scene")
    try check("scene", "--json")
    try check("scene", "B")
    try check("scene", "save", "B")
    try check("set", "pulses", "zones=[]")
    try check("set", "--learned")
    try check("set", "--learned", "--json")
    try check("set", "pulses", "--learn", "gain")
    try check("set", "pulses", "--forget", "all")
    try check("take", "--output", user.folder("x.mid"))
    try check("list", isSafeOnly: true)
    withExtendedLifetime(node) {}
  }

  @Test func `zones from a node are JSON, in which escapes keep what is hidden`() throws {
    let node = try HostileNode(user)
    let result = try user.run("info", "pulses", "zones")
    // A line end in a string is not JSON5, but the node's fault.
    let text = result.outputText.replacing("\n", with: "")
    #expect(isSafe(text))
    #expect(text.contains(#"A\u001b[31mB\u0007FORGED\u202eC\u200bD\u009bE\u2028F\udb40\udc41"#))
    withExtendedLifetime(node) {}
  }

  @Test func `what a host names is written so that no terminal obeys it`() throws {
    try user.configureOnePort()
    let server = try user.serve()
    let environment = ProcessEnvironment(variables: user.variables)
    let component = try #require(
      ComponentRegistry(NodeDirectories(environment)).components().first)
    let connection = try AudioHost(name: hostile, environment: environment).connect(to: component)
    try server.wait { server.errors.contains(shown) }
    #expect(isSafe(server.errors))
    try check("list", "--status")
    try check("list", "--status", "--json")
    try check("remote", "play")
    connection.close()
    try server.wait { server.errors.contains("left by") }
    #expect(isSafe(server.errors))
  }

  @Test func `what a SoundFont names is written so that no terminal obeys it`() throws {
    var font = try Data(contentsOf: URL(filePath: bundledSoundFont))
    // A name in a SoundFont has 20 bytes.
    let name = Data("Church Organ".utf8)
    let place = try #require(font.range(of: name))
    font.replaceSubrange(place, with: Data("E\u{1B}[31m\u{202E}X\u{7}!".utf8))
    let path = try user.folder.put(font, "E\u{1B}[2J.sf2")
    let result = try user.run("info", "--presets", path)
    #expect(result.exitCode == 0)
    #expect(isSafe(result.outputText))
    #expect(result.outputText.contains(#"E\u{1B}[31m\u{202E}X\u{07}"#))
    let json = try user.run("info", "--presets", path, "--json")
    #expect(isSafe(json.outputText))
    #expect(
      Self.texts(json.outputText.objects).contains { $0.hasPrefix("E\u{1B}[31m\u{202E}X\u{7}") })
    let song = try user.folder.put(shortSong())
    let rendered = try user.run("render", song, "-s", path, "-o", user.folder("x.wav"))
    #expect(rendered.exitCode == 0 && isSafe(rendered.errors))
    #expect(rendered.errors.contains(#"E\u{1B}[2J.sf2"#))
  }

  @Test func `names of files and texts of songs are written so that no terminal obeys them`() throws
  {
    let name = hostile.replacing("/", with: "") + ".mid"
    let song = try user.folder.put(
      songBytes([Note(tick: 0, key: 60, length: 100)], name: hostile), name)
    try check("render", song, "-o", user.folder("x.wav"), isSafeOnly: true)
    try check("render", song, "-o", user.folder("\(hostile).wav"))
    try check("render", song, "-o", user.folder("\(hostile).wav"), "--json")
    try check("render", song, "-o", user.folder("\(hostile).wav"), "--dry-run", "--overwrite")
    try check("render", user.folder(hostile))
    try check("render", song, "--\(hostile)")
    try check(hostile)
    try check("render", song, "--rate", hostile)
  }

  @Test func `a configuration is described so that no terminal obeys it`() throws {
    let json = String(
      decoding: try JSONSerialization.data(withJSONObject: ["midi": ["ignore": [hostile]]]),
      as: UTF8.self)
    try user.configure(json)
    try check("config")
    try check("config", "--json")
    let field = json.replacing("ignore", with: #"ig\u001b[31m\u202enore"#)
    try user.configure(field)
    try check("config", isSafeOnly: true)
    try check("serve", "--check", isSafeOnly: true)
  }

  @Test func `a manifest is described so that no terminal obeys it`() throws {
    let manifest = user.folder("data/portative/nodes/\(hostile).json")
    try Data("{".utf8).write(to: URL(filePath: manifest))
    try check("list")
    try check("lv2", "list", isSafeOnly: true)
  }

  @Test func `the name of a keyboard is written so that no terminal obeys it`() throws {
    let patchbay = MadeUpPatchbay([
      SequencerPort(
        address: PortAddress(client: 24, port: 0), clientName: hostile, name: hostile, sends: true,
        receives: false, device: DeviceIdentity(serial: hostile, path: hostile)),
      SequencerPort(
        address: PortAddress(client: 128, port: 1), clientName: "Portative", name: "Test: A",
        sends: false, receives: true, device: nil),
    ])
    for arguments in [[], ["--json"], ["24:0", "128:1"], ["--remove", "24:0"]] {
      let output = try ConnectCommand.answer(ConnectOptions(arguments: arguments), patchbay)
      #expect(isSafe(output.text))
      #expect(
        arguments == ["--json"]
          ? Self.texts(output.text.objects).contains(hostile) : output.text.contains(shown))
    }
  }

  @Test func `the log is safe to show, on a terminal and on a page`() {
    #expect(!isSafe(hostile) && !isSafe("FORGED") && isSafe(shown))
    let log = ServerLog(isQuiet: false)
    log.lines.show()
    log.log(hostile)
    log.log(error: hostile)
    #expect(log.lines.last(2) == [shown, "portative: \(shown)"])
    #expect(log.lines.lines(from: 0).lines == [shown, "portative: \(shown)"])
  }
}
