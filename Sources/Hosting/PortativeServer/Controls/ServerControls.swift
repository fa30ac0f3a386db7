import Dispatch
import LiveMIDI
import LocalSystem
import NodeDirectory
package import NodeServer
import RenderCore
import Synchronization
import Threads

/// The controls of the keyboards of a server: those of its configuration, and those that it has learned and stores.
///
/// Threads: any.
package final class ServerControls: Sendable {
  let observer: any ServerObserver
  private let store: ControlStore
  let state = Mutex(State())
  /// Makes a sound end without delaying the keyboard that asked for it.
  private let panics = DispatchQueue(label: "portative-panic")

  struct State {
    var learned: [Control] = []
    var configured: [Control] = []
    var ports: [PortControls] = []
    var wish: Wish?
    /// Why the controls are not stored; `nil` if they are.
    var problem: StoredFileError?
    /// The ports whose panic has been asked for and has not begun.
    var panicking: Set<ObjectIdentifier> = []
    var lastAction: PlayedAction?
    var onScene: (@Sendable (SceneChoice) -> Void)?
  }

  /// What a program has asked to be learned.
  struct Wish {
    let number: UInt64
    /// The control, without its trigger.
    let effect: ControlEffect
    let port: String?
    /// What was learned; `nil` so far.
    var learned: Control?
    let isDone: DispatchSemaphore
  }

  /// An action of all ports, which a keyboard that plays several of them asks for several times.
  struct PlayedAction {
    let message: ChannelMessage
    let keyboard: String?
    let port: ObjectIdentifier
    let time: Int64
  }

  /// Within this time in nanoseconds, the same message to another port is a copy.
  private static let copyWindow: Int64 = 3_000_000

  init(_ environment: ProcessEnvironment, node: String, _ observer: any ServerObserver) {
    self.observer = observer
    store = ControlStore(environment, node: node)
    do throws(StoredFileError) {
      let learned = try store.read { observer.log(warning: $0) }
      state.withLock { $0.learned = learned }
    } catch {
      if error != .noHome { observer.log(warning: error.message(about: "learned controls")) }
    }
  }

  /// Sets what changes scenes. Called on threads of keyboards; must return soon.
  package func onScene(_ handler: (@Sendable (SceneChoice) -> Void)?) {
    state.withLock { $0.onScene = handler }
  }

  /// Sets the controls of the configuration. Learned ones remain.
  ///
  /// - Parameter scenes: The names of the scenes, to warn of controls that have no effect.
  func setConfigured(_ controls: [Control], scenes: [String]) {
    change { $0.configured = controls }
    for control in controls {
      guard case .scene(let scene) = control.effect else { continue }
      if scenes.isEmpty {
        observer.log(warning: "controls of scenes have no effect, because there are no scenes")
        return
      }
      guard case .named(let name) = scene else { continue }
      do throws(Failure) {
        _ = try SceneSearch(names: scenes).index(of: name)
      } catch {
        observer.log(warning: "a control has no effect: \(error.message)")
      }
    }
  }

  /// Adds a published port.
  func add(_ port: PublishedPort) {
    let controls = PortControls(port) { [weak self] in self?.act($0) }
    change { $0.ports.append(controls) }
  }

  /// Removes a port that is about to be withdrawn.
  func remove(_ port: PublishedPort) {
    change { state in
      for controls in state.ports where controls.port === port { controls.end() }
      state.ports.removeAll { $0.port === port }
    }
  }

  /// Ends learning and all controls.
  func stop() {
    change { state in
      for controls in state.ports { controls.end() }
      state.ports = []
    }
  }

  /// Changes the state, and gives each port its controls.
  func change(_ body: (inout State) -> Void) {
    state.withLock { state in
      body(&state)
      for port in state.ports { port.set(from: state) }
    }
  }

  /// Stores the learned controls.
  ///
  /// - Returns: Why they are kept only while the server runs; `nil` if they are stored.
  func save() -> String? {
    let learned = state.withLock { $0.learned }
    do throws(StoredFileError) {
      try store.write(learned)
      state.withLock { $0.problem = nil }
      return nil
    } catch {
      let message = error.message(about: "learned controls")
      let isNew = state.withLock { state in
        defer { state.problem = error }
        return state.problem != error
      }
      if isNew { observer.log(warning: message) }
      return message
    }
  }

  private func act(_ action: ControlAction) {
    let isCopy = state.withLock { state in
      if action.control.port != nil { return false }
      let new = PlayedAction(
        message: action.message, keyboard: action.keyboard, port: ObjectIdentifier(action.port),
        time: MonotonicClock.now)
      if let last = state.lastAction, last.message == new.message, last.keyboard == new.keyboard,
        last.port != new.port, new.time - last.time < Self.copyWindow
      {
        return true
      }
      state.lastAction = new
      return false
    }
    if isCopy { return }
    switch action.control.effect {
    case .panic: silence(action.control.port == nil ? nil : action.port)
    case .scene(let scene):
      let handler = state.withLock { $0.onScene }
      handler?(scene.choice(by: action.message))
    case .parameter: break
    }
  }

  /// - Parameter port: `nil` for all ports.
  private func silence(_ port: PublishedPort?) {
    let ports = state.withLock { state in
      let wanted = port.map { [$0] } ?? state.ports.map(\.port)
      return wanted.filter { state.panicking.insert(ObjectIdentifier($0)).inserted }
    }
    for port in ports {
      panics.async { [self] in
        _ = state.withLock { $0.panicking.remove(ObjectIdentifier(port)) }
        for error in port.silence() {
          observer.log(error: "\(port.description.name) cannot be silenced: \(error)")
        }
      }
    }
  }
}

extension PortControls {
  /// The full name of the port.
  var name: String { port.description.name }

  /// Takes the controls of the port from all controls.
  fileprivate func set(from state: ServerControls.State) {
    func ours(_ controls: [Control]) -> [Control] {
      controls.filter { $0.port == nil || $0.port == name }
    }
    set(learned: ours(state.learned), configured: ours(state.configured))
  }

  fileprivate func end() {
    endLearning()
    set(learned: [], configured: [])
  }
}
