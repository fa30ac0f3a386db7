import Dispatch
import NodeProtocol
import Synchronization

/// Sends commands to a host and waits for the responses.
///
/// Realtime: no. Threads: any.
final class TransportCommandRequests: Sendable {
  private let state = Mutex(State())

  private struct State {
    var supported: Set<RemoteCommand.Kind> = []
    var lastID: UInt32 = 0
    var pending: [UInt32: PendingRequest] = [:]
  }

  private final class PendingRequest: Sendable {
    let arrived = DispatchSemaphore(value: 0)
    let isDone = Mutex<Bool?>(nil)
  }

  /// The time in seconds within which a host must respond.
  private static let limit = 1.0

  func setSupported(_ commands: [RemoteCommand.Kind]) {
    state.withLock { $0.supported = Set(commands) }
  }

  /// The commands that the host supports.
  var supported: [RemoteCommand.Kind] {
    let supported = state.withLock { $0.supported }
    return RemoteCommand.Kind.allCases.filter { supported.contains($0) }
  }

  /// Sends a command and waits for the response, for up to 1 s.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - send: Sends the command with the given ID.
  func request(_ command: RemoteCommand, send: (UInt32) -> Void) -> RemoteAnswer {
    guard supported.contains(command.kind) else { return .ignored(supported: supported) }
    let request = PendingRequest()
    let id = state.withLock { state in
      state.lastID &+= 1
      state.pending[state.lastID] = request
      return state.lastID
    }
    send(id)
    _ = request.arrived.wait(timeout: .now() + Self.limit)
    _ = state.withLock { $0.pending.removeValue(forKey: id) }
    return switch request.isDone.withLock({ $0 }) {
    case true?: .done
    case false?: .notNow
    case nil: .noAnswer
    }
  }

  /// Handles the response to the command with this ID. Ignores late responses.
  func complete(_ id: UInt32, isDone: Bool) {
    guard let request = state.withLock({ $0.pending[id] }) else { return }
    request.isDone.withLock { $0 = isDone }
    request.arrived.signal()
  }
}
