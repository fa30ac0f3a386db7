import ALSA
import AudioFile
import Glibc
import LocalSystem
import NodeHost
import NodeProtocol
import WebPanel

/// The data that the web panel of this program shows besides its server.
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
      let patch = try? Patch(sequencer, names: .configured)
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
    _ = try ConnectCommand.answer(options, sequencer, names: .configured)
  }
}

/// Takes that pages save.
extension ServerPanelHost {
  func saveTake(
    of component: ComponentDescription, from: Double, to: Double?, in path: String
  ) throws {
    let host = AudioHost(name: "portative panel")
    let found = ComponentRegistry().components().first {
      $0.node == node && $0.port.component == component
    }
    guard let found else { throw Failure(.failed, "the port is no longer published") }
    let take = try TakeRendering.request(ofNode: node, component: component, host)
    if take.file.isEmpty {
      throw Failure(
        .failed, "nothing was played on \(found.port.name): choose the port that was played")
    }
    try TakeRendering(take, ofNode: node, host)
      .render(part: (from, to), to: path, input: "take", isQuiet: true)
  }
}
