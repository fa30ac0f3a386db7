import LivePlayer
import MIDIFile
import RenderCore
import Testing
import portative

@Suite(.timeLimit(.minutes(5))) struct TransportPanelTests {
  private var panel: TransportPanel {
    var panel = TransportPanel()
    (panel.title, panel.bar, panel.beatInBar) = ("Song", 12, 2.5)
    (panel.seconds, panel.length, panel.tempo) = (62.59, 225, 119.96)
    (panel.isPlaying, panel.isLooping, panel.voices) = (true, true, 7)
    panel.left.follow(0.5, after: 0)
    panel.left.follow(0.09, after: 1)
    return panel
  }

  @Test func `shows where the song is and how it sounds`() {
    #expect(
      panel.lines(columns: 100, isUnicode: false) == [
        ">   12:3:240  1:02.5/3:45.0  120.0 4/4  r rec  l LOOP  m click  <- -> bar  Song",
        "L #######-|-  -6.0  R ----------  -inf  0 late  ? help    7 voices  q quit  space play  0 rewind",
      ])
  }

  @Test func `has all important fields in eighty columns`() {
    #expect(
      panel.lines(columns: 80, isUnicode: true) == [
        "▶   12:3:240  1:02.5/3:45.0  120.0 4/4  r rec  l LOOP  m click  ←→ bar  Song",
        "L ███████·│·  -6.0  R ··········  -inf  0 late  ? help    7 voices  q quit",
      ])
  }

  @Test func `its help names every key, wrapped to the terminal's width`() {
    var panel = panel
    panel.showsHelp = true
    for isUnicode in [true, false] {
      for columns in [20, 30, 40, 60, 80, 200] {
        let help = panel.lines(columns: columns, isUnicode: isUnicode).dropFirst(2)
        let text = help.joined(separator: "\n")
        let keys = [
          "space", isUnicode ? "←→" : "<- ->", "0 or Home", "r ", "l ", "m ", "q or Esc", "? or h",
        ]
        for key in keys { #expect(text.contains(key), "\(columns)") }
        #expect(help.allSatisfy { TerminalText.width($0) < columns })
      }
    }
    panel.showsHelp = false
    #expect(panel.lines(columns: 80, isUnicode: true).count == 2)
  }

  @Test func `has a symbol for each state`() {
    var panel = panel
    func first() -> (String, Character?) {
      (
        String(panel.lines(columns: 80, isUnicode: false)[0].first!),
        panel.lines(columns: 80, isUnicode: true)[0].first
      )
    }
    #expect(first() == (">", "▶"))
    panel.isRecording = true
    #expect(first() == ("o", "●"))
    (panel.isRecording, panel.isPlaying) = (false, false)
    #expect(first() == ("#", "■"))
  }

  @Test func `stays within the terminal, and omits the least important fields`() {
    var panel = panel
    panel.title = "日本語のうた 👩‍👩‍👧 ünïcödé"
    for isUnicode in [true, false] {
      for columns in 0...150 {
        for line in panel.lines(columns: columns, isUnicode: isUnicode) {
          #expect(TerminalText.width(line) <= max(0, columns - 1))
          #expect(isUnicode || line.utf8.allSatisfy { 0x20...0x7E ~= $0 })
        }
      }
    }
    #expect(panel.lines(columns: 20, isUnicode: false)[0] == ">   12:3:240")
  }

  @Test func `shows values out of range as such`() {
    var panel = panel
    panel.left.follow(.nan, after: 0)
    panel.right.follow(1.5, after: 0)
    panel.seconds = -1.04
    panel.beatInBar = .infinity
    panel.tempo = .infinity
    let lines = panel.lines(columns: 200, isUnicode: false)
    #expect(lines[1].hasPrefix("L ----------  OVER  R ##########  OVER"))
    #expect(lines[0].contains("  -0:01.1/"))
  }

  @Test func `shows the song's position, including the count-in`() throws {
    let silence = StandardMIDIFile(
      format: .singleTrack, division: .ticksPerQuarter(480), tracks: [.init([], endTick: 9600)])
    var song = SongTransport(try silence.timeline(sampleRate: 48_000).beatMap)
    song.start(countIn: 1)
    song.advance(by: 24_000 + 6_000)
    var panel = TransportPanel()
    panel.show(song)
    #expect(panel.bar == 0 && panel.beatInBar == 1.25 && panel.seconds == -1.375)
    #expect(panel.isPlaying && !panel.isLooping)
  }
}

@Suite(.timeLimit(.minutes(5))) struct PeakLevelTests {
  @Test func `holds the highest peak for two seconds`() {
    var level = PeakLevel()
    level.follow(0.9, after: 0.1)
    level.follow(0.2, after: 1)
    #expect(level.peak == 0.2 && level.held == 0.9)
    level.follow(0.3, after: 1)
    #expect(level.held == 0.9)
    level.follow(0.2, after: 0.1)
    #expect(level.held == 0.2)
  }
}
