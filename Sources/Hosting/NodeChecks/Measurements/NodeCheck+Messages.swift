import Glibc
import NodeHost
import NodeProtocol

// Messages to a node.
extension NodeCheck {
  /// Sends what hosts send, in every state of a connection, right and wrong.
  func messages() throws(CheckFault) -> CheckRow {
    let node = try node
    player.leaveProcess()
    let cases = MessageCase.all(for: node)
    var faults: [String] = []
    for example in cases {
      let fault: String?
      do throws(CheckFault) { fault = try example.check(node) } catch { fault = error.text }
      if let fault {
        faults.append("\(fault) after \(example.stage): \(example.packet.prefix(120))")
      }
      // What does not answer takes long each time.
      if faults.count == 5 { break }
    }
    let figures = [
      CheckRow.Figure("messages", Double(cases.count), "messages"),
      CheckRow.Figure("wrong", Double(faults.count), "messages"),
    ]
    return faults.isEmpty
      ? CheckRow(
        .messages, .good, "\(cases.count) answered right", "of every method, in every state",
        figures)
      : CheckRow(
        .messages, .bad,
        faults.count == 1 ? "one is answered wrong" : "\(faults.count) are answered wrong",
        faults.joined(separator: "; "), figures)
  }

  /// Sends what ends a connection.
  func refusal() throws(CheckFault) -> CheckRow {
    let node = try node
    let (silent, rude) = (try RawConnection(node), try RawConnection(node))
    var faults: [String] = []
    // Notifications are not answered, even unknown ones.
    for _ in 0..<20 { try rude.send(#"{"method": "fly"}"#) }
    var answers = 0
    while answers < 64 {
      // The connection may already be closed.
      guard (try? rude.send("x")) != nil, let answer = try rude.receive() else { break }
      if answer.error?.code != "badMessage" {
        faults.append("nonsense is answered with \(answer.error?.code ?? "a result")")
        break
      }
      answers += 1
    }
    if answers == 64 { faults.append("64 packets that are no messages do not end a connection") }
    if let reason = try silent.receive() {
      if reason.id != nil || reason.error == nil {
        faults.append("a host that sends no hello gets an answer that is no reason")
      }
      if try silent.receive() != nil {
        faults.append("a host that sends no hello is not disconnected")
      }
    } else {
      faults.append("a host that sends no hello is not told why it is disconnected")
    }
    return faults.isEmpty
      ? CheckRow(
        .refusal, .good, "with the reason",
        "a host that sends no hello and one that sends nonsense are disconnected")
      : CheckRow(.refusal, .warning, faults[0], faults.joined(separator: "; "))
  }

  /// Sends `panic` while a note is held.
  func panic() throws(CheckFault) -> CheckRow {
    if !subject.type.takesMIDI { return .unmeasured(.panic, "it plays no notes") }
    if try !playScale().isAudible { return .unmeasured(.panic, "no note has sounded") }
    self.player.leaveProcess()
    let player = SubjectPlayer(subject, isProbed: true)
    defer { player.leaveProcess() }
    _ = try player.begin()
    let second = Stimulus(
      frames: SubjectPlayer.rate, notes: [.init(frame: 0, key: 60, length: nil)])
    let held = try player.render(second)
    if !held.isAudible { return .unmeasured(.panic, "key 60 has not sounded") }
    do throws(ConnectionError) { try subject.panic() } catch {
      if case .refused(let refusal) = error, refusal.code == .unknownMethod {
        return .unmeasured(.panic, "the node does not have this feature")
      }
      return CheckRow(.panic, .bad, "is refused", "\(error)")
    }
    for seconds in 1...10 {
      let peak = try player.render(Stimulus(frames: SubjectPlayer.rate)).peak
      if peak <= Recording.audible {
        return CheckRow(
          .panic, .good, "ends a held note", "within \(seconds) s",
          [.init("time", Double(seconds), "seconds")])
      }
    }
    return CheckRow(
      .panic, .bad, "a held note sounds on",
      "for 10 s after panic, which must end everything that sounds")
  }
}
