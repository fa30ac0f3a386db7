import LiveAudio
import LivePlayer
import Testing

@testable import PortativeServer
@testable import portative

@Suite(.timeLimit(.minutes(5))) struct ServerPanelTests {
  private func port(_ name: String) -> ServerStatus.Port {
    var port = ServerStatus.Port(name: name)
    (port.preset, port.voices, port.players) = ("Grand Piano", 7, ["Nord"])
    port.peaks = StereoPeaks(left: 0.5, right: 0.09)
    return port
  }

  private func panel(_ ports: [ServerStatus.Port], log: [String] = ["one", "two"]) -> ServerPanel {
    var status = ServerStatus(node: "organ")
    status.sound = "hw:1: 48000 Hz, 3 × 256 frames"
    status.scene = .init(name: "Chorus", place: 2, count: 5)
    status.ports = ports
    var panel = ServerPanel()
    panel.show(status, after: 0)
    panel.log = log
    return panel
  }

  @Test func `shows the device, the scene, the ports, the keyboards and the log`() {
    let lines = panel([port("Stage")]).lines(columns: 80, rows: 24, isUnicode: false)
    #expect(
      lines == [
        "organ  0 xruns  ? help  q quit  hw:1: 48000 Hz, 3 ? 256 frames",
        "scene 2/5  Chorus",
        "> Stage  Grand Piano  Nord",
        "  L#########-  -6.0 R#######--- -20.9  7 voices",
        "keyboards: Nord", "one", "two",
      ])
  }

  @Test func `the stage view has this scene and the next in large type, and what is wrong`() {
    var panel = panel([port("Stage")])
    panel.showsStage = true
    var status = ServerStatus(node: "organ")
    var scene = ServerStatus.Scene(name: "Chorus", place: 2, count: 5)
    (scene.next, scene.text) = ("Bridge", "Am  F  C  G")
    status.scene = scene
    (status.transposition, status.xruns) = (-2, 3)
    panel.show(status, after: 0)
    let plain = panel.lines(columns: 60, rows: 20, isUnicode: false)
    #expect(plain[...4] == ["2/5", "Chorus", "Am  F  C  G", "next:", "Bridge"])
    #expect(plain.last?.hasPrefix("transposed by -2    no sound device open    3 xruns") == true)
    let large = panel.lines(columns: 100, rows: 40, isUnicode: true)
    #expect(large.count == 40 && large.allSatisfy { $0.count < 100 })
    #expect(large.count { $0.contains("\u{2588}") } > 15)
    status.scene = nil
    panel.show(status, after: 0)
    #expect(panel.lines(columns: 60, rows: 20, isUnicode: false)[...1] == ["no scenes", "organ"])
  }

  @Test func `a wide terminal has a line for each port`() {
    let lines = panel([port("Stage"), port("Organ")]).lines(
      columns: 160, rows: 50, isUnicode: false)
    #expect(lines.count == 2 + 2 + 1 + 2)
    #expect(lines[2].hasPrefix("> Stage ") && lines[2].hasSuffix("7 voices  Nord"))
    #expect(lines[3].hasPrefix("  Organ "))
  }

  @Test func `a port that a host plays has no levels`() {
    var hosted = port("Stage")
    (hosted.host, hosted.hostCount, hosted.peaks) = ("Ardour", 3, nil)
    let text = panel([hosted]).lines(columns: 80, rows: 24, isUnicode: false)
      .joined(separator: "\n")
    #expect(text.contains("host: Ardour and 2 more"))
    #expect(text.contains("7 voices"))
    #expect(text.contains("heard through the host") && !text.contains("-6.0"))
  }

  @Test func `a unit that only reports its most voices shows those`() {
    var quiet = port("Stage")
    (quiet.voices, quiet.mostVoices) = (nil, 12)
    let lines = panel([quiet]).lines(columns: 80, rows: 24, isUnicode: false)
    #expect(lines[3].hasSuffix("  max 12 voices"))
  }

  @Test(arguments: [(nil, nil), (0, nil), (1, "1 late cycle"), (250, "250 late cycles")])
  func `late cycles are counted for each port`(count: Int?, text: String?) {
    var late = port("Stage")
    late.lateCycles = count
    for columns in [80, 160] {
      let lines = panel([late, port("Echo")]).lines(columns: columns, rows: 24, isUnicode: false)
      let found = lines.filter { $0.contains("late cycle") }
      #expect(found.count == (text == nil ? 0 : 1))
      if let text { #expect(found.first?.contains("7 voices  \(text)") == true) }
    }
  }

  @Test func `never has more lines or columns than the terminal`() {
    let names = ["", "Orgel 管風琴 🎹🎹🎹", String(repeating: "é", count: 300), "a\u{1B}[2Jb", "z"]
    for help in [false, true] {
      var panel = panel(names.map(port), log: (0..<20).map { "line \($0) 管風琴" })
      panel.showsHelp = help
      for _ in names {
        for (columns, rows) in [(1, 1), (2, 3), (20, 5), (40, 12), (80, 24), (110, 7), (300, 90)] {
          for isUnicode in [true, false] {
            let lines = panel.lines(columns: columns, rows: rows, isUnicode: isUnicode)
            #expect(lines.count <= rows, "\(columns) × \(rows)")
            #expect(lines.allSatisfy { TerminalText.width($0) < columns }, "\(columns)")
            #expect(lines.allSatisfy { !$0.unicodeScalars.contains("\u{1B}") })
          }
        }
        panel.choose(1)
      }
    }
  }

  @Test func `the levels and voices fit in forty columns`() {
    let lines = panel([port("Stage")]).lines(columns: 40, rows: 12, isUnicode: true)
    #expect(lines[3].hasPrefix("  L█████████·  -6.0 R███████··· -20.9"))
  }

  @Test func `the chosen port and the latest line of the log are shown on a low terminal`() {
    var panel = panel((0..<9).map { port("Port \($0)") })
    for index in 0..<9 {
      let lines = panel.lines(columns: 40, rows: 12, isUnicode: false)
      #expect(lines.contains { $0.hasPrefix("> Port \(index)") })
      #expect(lines.last == "two")
      panel.choose(1)
    }
    #expect(panel.chosen == 0)
    panel.choose(-1)
    #expect(panel.chosen == 8)
  }

  @Test func `the help names every key`() {
    var panel = panel([port("Stage")])
    panel.showsHelp = true
    for columns in [40, 80, 160] {
      let text = panel.lines(columns: columns, rows: 24, isUnicode: false)
        .joined(separator: "\n")
      for key in ["up, down, Tab", "n, ], right", "p, [, left", "! or x", "? or h", "q or Ctrl-C"] {
        #expect(text.contains(key), "\(columns)")
      }
    }
  }
}
