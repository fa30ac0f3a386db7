import FoundationEssentials
import Glibc
import LocalSystem
import NodeProtocol
import RenderCore

/// A connection to a node over which any packet can be sent.
final class RawConnection {
  private let socket: PacketSocket
  private let node: CheckedNode
  private var segment: Segment?

  /// The longest wait for a packet, in milliseconds.
  private static let limit = 20_000
  /// The longest wait for a cycle, in nanoseconds.
  private static let cycleLimit: Int64 = 5_000_000_000

  /// How far a connection is.
  enum Stage: Int { case connected, greeted, opened, initialized }

  /// Connects, and sends what leads to a stage.
  init(_ node: CheckedNode, at stage: Stage = .connected) throws(CheckFault) {
    self.node = node
    do throws(SystemError) {
      socket = try PacketSocket(connectingTo: node.socketPath)
    } catch {
      throw CheckFault(text: "cannot be reached: \(error)")
    }
    if stage.rawValue >= Stage.greeted.rawValue { try greet() }
    if stage.rawValue >= Stage.opened.rawValue { try open() }
    if stage.rawValue >= Stage.initialized.rawValue { try initialize() }
  }

  /// An answer of the node.
  struct Answer: Decodable {
    struct Problem: Decodable {
      struct Details: Decodable { let field: String? }
      let code: String
      let message: String
      let data: Details?
    }

    let id: Int?
    /// Whether there is a result.
    let hasResult: Bool
    let error: Problem?

    private enum Key: CodingKey { case id, result, error }

    init(from decoder: any Decoder) throws {
      let fields = try decoder.container(keyedBy: Key.self)
      id = try fields.decodeIfPresent(Int.self, forKey: .id)
      hasResult = fields.contains(.result)
      error = try fields.decodeIfPresent(Problem.self, forKey: .error)
    }
  }

  func send(_ packet: String, attached: CInt? = nil) throws(CheckFault) {
    let bytes = Array(packet.utf8)
    if attached != nil {
      do throws(SystemError) { return try socket.send(bytes, attached: attached) } catch {
        throw CheckFault(text: "does not take a packet: \(error)")
      }
    }
    // Not through `PacketSocket`, which refuses packets that are too long.
    if Glibc.send(socket.descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL)) != bytes.count {
      throw CheckFault(text: "does not take a packet: \(SystemError(call: "send"))")
    }
  }

  /// Returns the next answer, or `nil` if the node has closed the connection. Notifications are passed over.
  func receive() throws(CheckFault) -> Answer? {
    while true {
      guard socket.waitForPacket(milliseconds: Self.limit) else {
        throw CheckFault(text: "does not answer within 20 s")
      }
      guard let packet = (try? socket.receive()) ?? nil else { return nil }
      guard packet.isWhole,
        let answer = try? JSONDecoder().decode(Answer.self, from: Data(packet.bytes))
      else {
        let text = String(decoding: packet.bytes.prefix(200), as: UTF8.self)
        throw CheckFault(text: "answers what is no message: \(text)")
      }
      if answer.hasResult || answer.error != nil { return answer }
    }
  }

  func ask(_ packet: String, attached: CInt? = nil) throws(CheckFault) -> Answer {
    try send(packet, attached: attached)
    guard let answer = try receive() else { throw CheckFault(text: "closes the connection") }
    return answer
  }

  /// Sends `hello`.
  private func greet() throws(CheckFault) {
    let answer = try ask(
      #"{"id": 1, "method": "hello", "params": {"protocol": {"minimum": 2, "maximum": 2}, "features": [], "#
        + #""peer": {"name": "portative check", "processID": 1}}}"#)
    if !answer.hasResult { throw CheckFault(text: "refuses hello: \(answer.error?.message ?? "")") }
  }

  /// Opens the port, if necessary after the host before has closed it.
  private func open() throws(CheckFault) {
    let release = PortRelease()
    while true {
      let answer = try ask(
        #"{"id": 2, "method": "open", "params": {"component": \#(node.componentText)}}"#)
      if answer.hasResult { return }
      guard answer.error?.code == "portInUse", release.wait() else {
        throw CheckFault(text: "refuses open: \(answer.error?.message ?? "")")
      }
    }
  }

  /// Initializes the port for cycles of at most 64 frames.
  ///
  /// - Returns: The segment.
  @discardableResult
  func initialize() throws(CheckFault) -> Segment {
    let made: (segment: Segment, descriptor: CInt)
    do { made = try Segment.make(node.briefFormat) } catch {
      throw CheckFault(text: "gets no memory: \(error)")
    }
    let descriptor = OwnedDescriptor(made.descriptor)
    let answer = try ask(
      #"{"id": 3, "method": "initialize", "params": {\#(node.formatText), "priority": 0}}"#,
      attached: descriptor.number)
    if !answer.hasResult {
      throw CheckFault(text: "refuses initialize: \(answer.error?.message ?? "")")
    }
    segment = made.segment
    return made.segment
  }

  /// Requests a cycle of the initialized port.
  func requestCycle(_ number: UInt32, frames: UInt32) {
    guard let cycle = segment?.cycle else { return }
    cycle.frames = frames
    cycle.posted.store(number)
    cycle.posted.wake()
  }

  /// Requests a cycle of the initialized port.
  ///
  /// - Returns: Whether it is answered within 5 s.
  func answersCycle(_ number: UInt32, frames: UInt32) -> Bool {
    guard let cycle = segment?.cycle else { return false }
    requestCycle(number, frames: frames)
    let end = MonotonicClock.now + Self.cycleLimit
    while true {
      let answered = cycle.answered.value
      if answered == number { return true }
      if MonotonicClock.now >= end { return false }
      _ = cycle.answered.wait(while: answered, until: end)
    }
  }
}

/// Waits until a connection that has ended releases its port, for 5 s at most.
struct PortRelease {
  private let end = ContinuousClock.now + .seconds(5)

  /// - Returns: `false` if the time is over.
  func wait() -> Bool {
    if ContinuousClock.now >= end { return false }
    usleep(20_000)
    return true
  }
}

extension CheckedNode {
  /// The component in JSON.
  var componentText: String {
    (try? JSONEncoder().encode(component)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }

  /// The format of ``RawConnection/initialize()``.
  var briefFormat: Format {
    Format(
      inputChannels: format.inputChannels, outputChannels: format.outputChannels, maximumFrames: 64)
  }

  /// The fields of `initialize` with that format, without `priority`.
  var formatText: String {
    #""sampleRate": 48000, "inputChannels": \#(format.inputChannels), "#
      + #""outputChannels": \#(format.outputChannels), "maximumFrames": 64, "isOffline": true"#
  }
}
