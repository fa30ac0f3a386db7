import ALSAMIDI
import LocalSystem
import WebPanel

/// What the web panel of this program shows besides its server.
struct ServerPanelHost: PanelHost {
  let node: String
  let log: ServerLog

  func logLines(from number: Int) -> (lines: [String], next: Int) { log.lines.lines(from: number) }

  func findings() -> [PanelFinding] {
    DoctorCommand.findings(in: .current).map {
      PanelFinding(
        verdict: $0.verdict.rawValue, subject: $0.subject, message: $0.message, remedy: $0.remedy)
    }
  }

  func wiring() -> PanelWiring? {
    guard let sequencer = try? ALSASequencer(clientName: "portative panel"),
      let patch = try? Patch(sequencer)
    else { return nil }
    return PanelWiring(
      keyboards: patch.keyboards.map { keyboard in
        PanelWiring.Keyboard(
          name: patch.name(of: keyboard), address: "\(keyboard.address)",
          plays: patch.ports(playedBy: keyboard).map(\.name))
      })
  }

  func connect(_ isConnected: Bool, _ keyboard: String, to port: String) throws {
    let sequencer = try ALSASequencer(clientName: "portative panel")
    // After --, nothing from the page is an option.
    let options = try ConnectOptions(
      arguments: (isConnected ? [] : ["--remove"]) + ["--", keyboard, port])
    _ = try ConnectCommand.answer(options, sequencer)
  }
}
