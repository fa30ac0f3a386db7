import NodeHost
import RenderCore
import TestSupport

/// Hosts that come, render with and without a deadline, change their format, and leave, some without a farewell.
struct SoakHosts: SoakActor {
  private enum Action: Sendable { case come, play, change, go }
  private static let choice = SoakChoice<Action>([.come: 5, .play: 20, .change: 2, .go: 4])

  private struct Host {
    let connection: Connection
    var format: Format
    let isOffline: Bool
    /// The number of the server to which it is connected.
    let server: Int
  }

  private struct Note {
    let message: ChannelMessage
    /// The place in the cycle, 0…1.
    let place: Double
  }

  private var hosts: [Host?] = Array(repeating: nil, count: 4)

  var weight: Int { Self.choice.weight }

  mutating func act(on stage: SoakStage, _ random: inout Seeded) throws -> String {
    let action = Self.choice.next(&random)
    let number = Int.random(in: hosts.indices, using: &random)
    let port = Int.random(in: 0..<2, using: &random)
    let isOffline = Bool.random(using: &random)
    let way = Int.random(in: 0..<3, using: &random)
    let format = Format(
      sampleRate: [44_100, 48_000].randomElement(using: &random)!,
      maximumFrames: [64, 512].randomElement(using: &random)!)
    let notes = (0..<Int.random(in: 1...8, using: &random)).map { _ in
      Note(
        message: ChannelMessage(
          Bool.random(using: &random) ? .noteOn : .noteOff, channel: 0,
          .random(in: 21...108, using: &random), 90),
        place: .random(in: 0..<1, using: &random))
    }
    switch action {
    case .come:
      hosts[number] = try connect(stage, to: port, format, isOffline: isOffline)
    case .play:
      for note in notes { try play(number, note, on: stage) }
    case .change: try change(number, to: format, on: stage)
    case .go: leave(number, way)
    }
    return
      "host \(number): \(action) \(port) \(isOffline) \(way) \(format.sampleRate) \(notes.count)"
  }

  /// Hosts without deadlines render when they play; others render all the time.
  mutating func proceed(on stage: SoakStage) throws {
    for number in hosts.indices where hosts[number]?.isOffline == false {
      try play(number, nil, on: stage)
    }
  }

  mutating func end(on stage: SoakStage) { for number in hosts.indices { leave(number, number) } }

  private func connect(
    _ stage: SoakStage, to port: Int, _ format: Format, isOffline: Bool
  ) throws -> Host {
    do {
      let connection = try stage.host.connect(to: stage.component(port))
      try connection.initialize(format, mode: isOffline ? .offline : .realtime, priority: 0)
      stage.counts.hosts += 1
      return Host(
        connection: connection, format: format, isOffline: isOffline, server: stage.servers)
    } catch {
      throw SoakViolation("a host was refused: \(error)")
    }
  }

  private mutating func change(
    _ number: Int, to format: Format, on stage: SoakStage
  ) throws {
    guard let host = hosts[number], host.server == stage.servers else { return }
    do {
      host.connection.uninitialize()
      try host.connection.initialize(
        format, mode: host.isOffline ? .offline : .realtime, priority: 0)
      hosts[number]?.format = format
    } catch {
      throw SoakViolation("a host could not change its format: \(error)")
    }
  }

  private mutating func leave(_ number: Int, _ way: Int) {
    let host = hosts[number]
    hosts[number] = nil
    if way == 0 { host?.connection.close() }
    if way == 1 { host?.connection.uninitialize() }
  }

  /// Renders a cycle with a note. A host whose server has ended renders silence.
  private func play(_ number: Int, _ note: Note?, on stage: SoakStage) throws {
    guard let host = hosts[number] else { return }
    let (connection, frames) = (host.connection, host.format.maximumFrames)
    if let note {
      _ = connection.schedule(note.message, at: Int(note.place * Double(frames)))
    }
    connection.begin(frames: frames)
    // No deadline that a busy machine could miss.
    let status = connection.finish(within: host.isOffline ? nil : 10_000_000_000)
    switch status {
    case .rendered:
      guard let output = connection.output(channel: 0) else { return }
      for frame in 0..<frames where !output[frame].isFinite {
        throw SoakViolation("host \(number) received a sample that is not finite")
      }
    // It does not render while others wait.
    case .parked where !host.isOffline: break
    case .connectionLost where host.server != stage.servers: break
    default: throw SoakViolation("a cycle of host \(number) was \(status): \(connection.status)")
    }
  }
}
