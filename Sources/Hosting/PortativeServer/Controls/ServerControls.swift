import Configuration
import Dispatch
import LiveMIDI
import LocalSystem
package import NodeProtocol
import NodeServer
import RenderCore
import Synchronization

/// The controls of the keyboards of a server: those of its configuration, and those that it has learned and stores.
///
/// Threads: any.
package final class ServerControls: Sendable {
  private let observer: any ServerObserver
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
    var onTransposition: (@Sendable (Transposition) -> Void)?
    var onSong: (@Sendable (SongAction) -> Void)?
  }

  /// The control that a program has asked to learn.
  struct Wish {
    let number: UInt64
    /// The control, without its trigger.
    let effect: ControlEffect
    let port: String?
    /// The learned control; `nil` so far.
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

  /// Sets what transposes the ports. Called on threads of keyboards; must return soon.
  package func onTransposition(_ handler: (@Sendable (Transposition) -> Void)?) {
    state.withLock { $0.onTransposition = handler }
  }

  /// Sets what controls the song. Called on threads of keyboards; must return soon.
  func onSong(_ handler: (@Sendable (SongAction) -> Void)?) {
    state.withLock { $0.onSong = handler }
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
  private func change(_ body: (inout State) -> Void) {
    state.withLock { state in
      body(&state)
      for port in state.ports { port.set(from: state) }
    }
  }

  /// Stores the learned controls.
  ///
  /// - Returns: Why they are kept only while the server runs; `nil` if they are stored.
  private func save() -> String? {
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
    case .panic:
      silence(action.control.port == nil ? nil : action.port)
      if action.control.port == nil { state.withLock { $0.onSong }?(.stopTrack) }
    case .scene(let scene):
      let handler = state.withLock { $0.onScene }
      handler?(scene.choice(by: action.message))
    case .transpose(let change):
      let handler = state.withLock { $0.onTransposition }
      handler?(change)
    case .song(let action):
      let handler = state.withLock { $0.onSong }
      handler?(action)
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
  fileprivate var name: String { port.description.name }

  /// Takes the controls of the port from all controls.
  func set(from state: ServerControls.State) {
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

// The requests of programs.
extension ServerControls {
  /// Waits until a player moves a control, and assigns it.
  ///
  /// - Parameter isOver: Returns whether the program that asks has disconnected. Nothing is learned then.
  package func learn(
    _ request: LearnControl, isOver: () -> Bool
  ) throws(ProtocolError) -> LearnControl.Response {
    let ports = try ports(of: request)
    let effect = try effect(of: request, ports.first?.port, isOver: isOver)
    let wish = Wish(
      number: .random(in: 0 ... .max), effect: effect,
      port: request.component == nil ? nil : ports.first?.name, isDone: DispatchSemaphore(value: 0))
    let isFree = state.withLock { state in
      if state.wish != nil { return false }
      state.wish = wish
      return true
    }
    if !isFree {
      throw ProtocolError(
        .notLearned, "another program is learning a control of this node: wait until it has ended")
    }
    let kind = Self.kind(request)
    for port in ports {
      port.learn(kind) { [weak self] trigger in self?.learned(trigger, by: wish.number) ?? false }
    }
    let deadline = DispatchTime.now() + request.seconds
    while wish.isDone.wait(timeout: min(deadline, .now() + 0.05)) == .timedOut {
      let isGone = ports.allSatisfy { $0.port.isWithdrawn }
      if isGone || isOver() || DispatchTime.now() >= deadline { break }
    }
    for port in ports { port.endLearning() }
    let learned = state.withLock { state in
      defer { state.wish = nil }
      return state.wish?.learned
    }
    if let learned { return finish(learned) }
    if let port = ports.first?.port, port.isWithdrawn {
      throw ProtocolError(
        .notLearned, "\(port.description.name) has been withdrawn while its control was learned")
    }
    return LearnControl.Response()
  }

  private func finish(_ learned: Control) -> LearnControl.Response {
    let report = ControlReport(learned, .learned)
    observer.log(report.sentence)
    return LearnControl.Response(control: report, warning: save())
  }

  /// Assigns a control that a player has moved. Threads: that of the keyboard.
  ///
  /// - Returns: Whether it was still wanted.
  private func learned(_ trigger: ControlTrigger, by number: UInt64) -> Bool {
    var isDone: DispatchSemaphore?
    change { state in
      guard let wish = state.wish, wish.number == number, wish.learned == nil else { return }
      let control = Control(trigger: trigger, effect: wish.effect, port: wish.port)
      state.learned.removeAll {
        $0.port == wish.port && $0.effect.hasSameGoal(as: wish.effect)
      }
      state.learned.append(control)
      state.wish?.learned = control
      isDone = wish.isDone
    }
    isDone?.signal()
    return isDone != nil
  }

  private func ports(of request: LearnControl) throws(ProtocolError) -> [PortControls] {
    let all = state.withLock { $0.ports }
    guard let component = request.component else {
      if all.isEmpty { throw ProtocolError(.noSuchPort, "no port of this node accepts MIDI") }
      return all
    }
    if let port = all.first(where: { $0.port.description.component == component }) {
      return [port]
    }
    throw ProtocolError(
      .noSuchPort,
      "this node has no port '\(component)' that keyboards can play: it has "
        + all.map(\.name).joined(separator: "; "))
  }

  private func effect(
    of request: LearnControl, _ port: PublishedPort?, isOver: () -> Bool
  ) throws(ProtocolError) -> ControlEffect {
    if request.relative != nil, request.parameter == nil || request.isNote {
      throw ProtocolError(
        .badMessage, "an encoder needs a parameter, and sends no notes", field: "params.relative")
    }
    guard let identifier = request.parameter else { return .panic }
    guard let port, request.component != nil else {
      throw ProtocolError(
        .badMessage, "a parameter needs the port that has it", field: "params.component")
    }
    var played = port.unit
    if played == nil { played = try port.makePlayerUnit(isOver: isOver) }
    let tree = played?.parameters?.tree ?? ParameterTree()
    let controlled = ControlledParameter(
      identifier: identifier, from: request.from, to: request.to, picksUp: request.picksUp)
    do throws(ParameterError) {
      try tree.check(controlled)
    } catch {
      throw ProtocolError(.badParameter, "\(port.description.name): \(error.withHint)")
    }
    return .parameter(controlled)
  }

  private static func kind(_ request: LearnControl) -> ControlLearner.Wish {
    if request.isNote { return .notes }
    if let mode = request.relative { return .encoders(mode) }
    return request.parameter == nil ? .anything : .controls
  }

  /// All controls.
  package func reports() -> [ControlReport] {
    let (learned, configured, ports) = state.withLock {
      ($0.learned, $0.configured, $0.ports.map(\.port))
    }
    let named = Set((learned + configured).compactMap(\.port))
    var trees: [String: ParameterTree?] = [:]
    for port in ports where named.contains(port.description.name) {
      // Without its unit, as with a chain of nodes that do not run, the parameters are not known.
      let unit = try? port.unit ?? port.makePlayerUnit()
      trees.updateValue(
        unit.map { $0.parameters?.tree ?? ParameterTree() }, forKey: port.description.name)
    }
    return learned.map { report($0, .learned, trees: trees) }
      + configured.map { report($0, .configuration, trees: trees) }
  }

  /// Forgets learned controls.
  package func clear(_ request: ClearControls) throws(ProtocolError) -> ClearControls.Response {
    var count = 0
    change { state in
      let before = state.learned.count
      state.learned.removeAll { request.includes($0) }
      count = before - state.learned.count
    }
    if count == 0 { return ClearControls.Response(count: 0) }
    observer.log("\(count) learned \(count == 1 ? "control" : "controls") cleared")
    return ClearControls.Response(count: count, warning: save())
  }

  /// - Parameter trees: The parameters of the ports; `nil` if they are not known.
  private func report(
    _ control: Control, _ origin: ControlReport.Origin, trees: [String: ParameterTree?]
  ) -> ControlReport {
    var report = ControlReport(control, origin)
    guard let name = control.port else { return report }
    guard let tree = trees[name] else {
      report.problem = "there is no port '\(name)' now"
      return report
    }
    guard let tree, case .parameter(let controlled) = control.effect else { return report }
    do throws(ParameterError) {
      try tree.check(controlled)
    } catch {
      report.problem = error.withHint
    }
    return report
  }
}

extension ClearControls {
  fileprivate func includes(_ control: Control) -> Bool {
    switch scope {
    case .all: return true
    case .port: return control.port == port
    case .panic: return control.port == port && control.effect == .panic
    case .parameter:
      guard control.port == port, case .parameter(let controlled) = control.effect else {
        return false
      }
      return controlled.identifier == parameter
    }
  }
}

extension ParameterTree {
  /// Checks that there is a parameter with the values at the ends of a control.
  func check(_ controlled: ControlledParameter) throws(ParameterError) {
    guard let index = index(of: controlled.identifier) else {
      throw .unknown(identifier: controlled.identifier, known: parameters.map(\.identifier))
    }
    if let from = controlled.from { try parameters[index].check(from) }
    if let to = controlled.to { try parameters[index].check(to) }
  }
}

extension ParameterError {
  /// The description, with the closest identifier instead of all.
  var withHint: String {
    guard case .unknown(let identifier, let known) = self,
      let hint = closest(to: identifier, among: known)
    else { return description }
    return "there is no parameter '\(identifier)': did you mean \(hint)?"
  }
}
