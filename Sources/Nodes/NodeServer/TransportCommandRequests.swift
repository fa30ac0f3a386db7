import Dispatch
import NodeProtocol
import Synchronization

/// Sends commands to one host, and waits for what becomes of them.
///
/// Realtime: no. Threads: any.
final class TransportCommandRequests: Sendable {
  private let state = Mutex(State())

  private struct State {
    var taken: Set<RemoteCommand.Kind> = []
    var number: UInt32 = 0
    var waiting: [UInt32: Waiting] = [:]
  }

  private final class Waiting: Sendable {
    let arrived = DispatchSemaphore(value: 0)
    let isDone = Mutex<Bool?>(nil)
  }

  /// Seconds that a host has to answer.
  private static let limit = 1.0

  func setTaken(_ commands: [RemoteCommand.Kind]) {
    state.withLock { $0.taken = Set(commands) }
  }

  /// Which commands the host takes.
  var taken: [RemoteCommand.Kind] {
    let taken = state.withLock { $0.taken }
    return RemoteCommand.Kind.allCases.filter { taken.contains($0) }
  }

  /// - Parameter send: Sends the command, with its number.
  func ask(_ command: RemoteCommand, send: (UInt32) -> Void) -> RemoteAnswer {
    guard taken.contains(command.kind) else { return .ignored(taken: taken) }
    let waiting = Waiting()
    let number = state.withLock { state in
      state.number &+= 1
      state.waiting[state.number] = waiting
      return state.number
    }
    send(number)
    _ = waiting.arrived.wait(timeout: .now() + Self.limit)
    _ = state.withLock { $0.waiting.removeValue(forKey: number) }
    return switch waiting.isDone.withLock({ $0 }) {
    case true?: .done
    case false?: .notNow
    case nil: .noAnswer
    }
  }

  func answer(_ number: UInt32, isDone: Bool) {
    guard let waiting = state.withLock({ $0.waiting[number] }) else { return }
    waiting.isDone.withLock { $0 = isDone }
    waiting.arrived.signal()
  }
}
