import FoundationEssentials
import Glibc
public import LocalSystem
public import NodeProtocol
public import RenderCore
import Synchronization

/// A program that plays nodes. Creates connections.
///
/// Realtime: no. Threads: any.
public final class AudioHost: Sendable {
  /// The properties of this process that nodes receive.
  public let peer: Peer
  private let peerNodes = PeerNodes()
  private let environment: ProcessEnvironment

  /// Creates a host.
  ///
  /// - Parameters:
  ///   - name: The name of the program, as shown to users.
  ///   - icon: The path of an image.
  ///   - url: The address of further information.
  ///   - environment: Determines the folders of manifests and running nodes.
  public init(
    name: String, icon: String? = nil, url: String? = nil,
    environment: ProcessEnvironment = .current
  ) {
    peer = Peer(name: name, processID: getpid(), icon: icon, url: url)
    self.environment = environment
  }

  /// Acquires a port. Starts its node if it does not run.
  ///
  /// - Parameters:
  ///   - component: A component of a ``ComponentRegistry``.
  ///   - limit: The longest wait for a node to start and publish the component.
  /// - Throws: ``ConnectionError``: `refused` with `portInUse` and the name of the other host when the port is in use;
  ///   `launch` when the node cannot be started.
  public func connect(
    to component: Component, within limit: Duration = .seconds(5)
  ) throws(ConnectionError) -> Connection {
    try launch(component, within: limit)
    let connection = try connect(
      to: component.port.component, ofNode: component.node,
      socketPath: socketPath(ofNode: component.node))
    // The connection is usable even if the time of use cannot be recorded.
    try? LastUse(NodeDirectories(environment)).record(component.port.component, of: component.node)
    return connection
  }

  /// Starts a component's node if it does not run.
  func launch(_ component: Component, within limit: Duration) throws(ConnectionError) {
    if component.isRunning { return }
    _ = try mapError(
      NodeLauncher(environment).launch(
        component.node, publishing: component.port.component, within: limit),
      ConnectionError.launch)
  }

  /// Returns the ports of a node and their state.
  public func report(ofNode node: String) throws(ConnectionError) -> NodeReport {
    try report(ofNode: node, socketPath: socketPath(ofNode: node))
  }

  /// Gives the calling thread realtime priority: within the system's limits, or otherwise by RealtimeKit.
  ///
  /// Call this on the thread that calls ``Connection/render(frames:hostTime:input:into:)``, before
  /// ``Connection/initialize(_:mode:priority:)``, which requests one priority less for the node's render thread.
  /// Threads that the calling thread starts have default priority. May block for seconds.
  ///
  /// - Parameter priority: The SCHED_FIFO priority, 1…99.
  /// - Returns: The resulting priority, which may be lower.
  /// - Throws: ``RealtimePriorityError``, which describes the remedy. A host without realtime priority may
  ///   miss cycles on a busy machine.
  @discardableResult
  public static func requestRealtimePriority(
    _ priority: Int = 70
  ) throws(RealtimePriorityError) -> Int {
    try RealtimePriority.request(priority)
  }

  /// Pins the calling thread to its current processor, so that a node can render there while the thread waits. The
  /// measured round trip is 5 µs instead of 25 µs.
  ///
  /// Call this once on the thread that calls ``Connection/render(frames:hostTime:input:into:)``, before the first
  /// cycle. It has no effect without realtime priority; with it, the kernel would otherwise run the two threads on two
  /// processors, one of which always sleeps.
  public static func keepThreadOnProcessor() { SystemThread.pinToCurrentProcessor() }

  func socketPath(ofNode node: String) throws(ConnectionError) -> String {
    do throws(NodeError) {
      return try NodeDirectories(environment).socketPath(of: node)
    } catch {
      throw .system(error.description)
    }
  }

  /// Connects to the socket of a node and exchanges hello messages.
  func openLink(_ node: String, _ path: String) throws(ConnectionError) -> ControlLink {
    let link = try connectSocket(node, path)
    do throws(ConnectionError) {
      _ = try hello(link, node)
      return link
    } catch {
      link.close()
      throw error
    }
  }

  /// Sends a single request to a node, and waits for its result.
  ///
  /// - Parameters:
  ///   - path: The path of the node's socket.
  ///   - seconds: The longest wait, in seconds.
  func ask<R: Request>(
    _ node: String, _ path: String, _ request: R, seconds: Double = ControlLink.answerLimit
  ) throws(ConnectionError) -> R.Response {
    let link = try openLink(node, path)
    defer { link.close() }
    return try link.send(request, seconds: seconds)
  }

  /// Acquires a port of the node that listens at a path.
  package func connect(
    to component: ComponentDescription, ofNode node: String, socketPath: String
  ) throws(ConnectionError) -> Connection {
    try connect(to: component, ofNode: node, over: connectSocket(node, socketPath))
  }

  /// Acquires a port of a node over a socket that is connected to it: a node of this process, or of a program that this process
  /// has started.
  package func connect(
    to component: ComponentDescription, ofNode node: String, over socket: PacketSocket,
    program: DetachedProgram? = nil
  ) throws(ConnectionError) -> Connection {
    let link: ControlLink
    do throws(SystemError) {
      link = try ControlLink(socket, node: node, process: program?.pid)
    } catch {
      throw .system("cannot connect to the node '\(node)': \(error)")
    }
    return try connect(to: component, ofNode: node, over: link, program)
  }

  private func connect(
    to component: ComponentDescription, ofNode node: String, over link: ControlLink,
    _ program: DetachedProgram? = nil
  ) throws(ConnectionError) -> Connection {
    do throws(ConnectionError) {
      let connection = try openPort(link, component, node, program)
      link.onEnd.withLock { $0 = { [peerNodes] in peerNodes.remove($0) } }
      peerNodes.add(link, name: connection.port.name)
      return connection
    } catch {
      link.close()
      throw error
    }
  }

  /// Returns the ports and their state of the node that listens at a path.
  package func report(
    ofNode node: String, socketPath: String
  ) throws(ConnectionError) -> NodeReport {
    let link = try openLink(node, socketPath)
    defer { link.close() }
    let (ports, last) = try link.requestAll { GetReport(offset: $0) }
    var peer = last.peer
    peer.name = node
    var report = NodeReport(node: peer, sound: last.sound, ports: ports)
    report.song = last.song
    return report
  }

  private func connectSocket(
    _ node: String, _ path: String
  ) throws(ConnectionError) -> ControlLink {
    do throws(SystemError) {
      return try ControlLink(PacketSocket(connectingTo: path), node: node)
    } catch {
      if error.code == ENOENT || error.code == ECONNREFUSED { throw .notRunning(node: node) }
      throw .system("cannot connect to the node '\(node)': \(error)")
    }
  }

  private func hello(_ link: ControlLink, _ name: String) throws(ConnectionError) -> Peer {
    let hello = try link.send(Hello(peer: peer))
    // A node may not use what it was not offered.
    link.features.withLock { $0 = hello.features.filter(Feature.supported.contains) }
    var node = hello.peer
    // The node is found again by this name, whatever it calls itself.
    node.name = name
    // The process ID from the kernel is reliable; the one from the node is not.
    node.processID = link.peerProcess ?? node.processID
    return node
  }

  private func openPort(
    _ link: ControlLink, _ component: ComponentDescription, _ name: String,
    _ program: DetachedProgram?
  ) throws(ConnectionError) -> Connection {
    let node = try hello(link, name)
    let port = try link.send(OpenPort(component: component)).port
    return Connection(link, node: node, port: port, program)
  }
}

extension AudioHost {
  /// Asks a node to learn the control that a player moves next, and waits for it.
  ///
  /// - Throws: ``ConnectionError``: `refused` with `unknownMethod` by a node that is not a server for keyboards.
  package func learn(
    _ request: LearnControl, ofNode node: String
  ) throws(ConnectionError) -> LearnControl.Response {
    // The node may make a unit first, to find its parameters.
    try ask(
      node, socketPath(ofNode: node), request,
      seconds: request.seconds + ControlLink.preparationLimit)
  }

  /// Returns the controls of a node.
  package func controls(ofNode node: String) throws(ConnectionError) -> [ControlReport] {
    let link = try openLink(node, socketPath(ofNode: node))
    defer { link.close() }
    return try link.requestAll(seconds: ControlLink.preparationLimit) { GetControls(offset: $0) }
      .items
  }

  /// Makes a node forget learned controls.
  package func clear(
    _ request: ClearControls, ofNode node: String
  ) throws(ConnectionError) -> ClearControls.Response {
    try ask(node, socketPath(ofNode: node), request)
  }
}

/// The properties of a port: its description, latency, parameters and presets.
public struct PortDetails: Sendable {
  public let port: PortDescription
  /// The unit's latency in frames.
  public let latency: Int
  /// The unit's tail in frames; `nil` if unknown.
  public let tail: Int?
  public let parameters: ParameterTree
  /// The current values, in the order of the parameters.
  public let values: [Float]
  public let presets: [Preset]
}

extension AudioHost {
  /// Returns the properties of a port without acquiring it. The values are the current ones if a host has initialized
  /// the port, otherwise the initial ones. Starts the node if it does not run.
  ///
  /// - Parameters:
  ///   - component: A component of a ``ComponentRegistry``.
  ///   - limit: The longest wait for a node to start and publish the component.
  public func details(
    of component: Component, within limit: Duration = .seconds(5)
  ) throws(ConnectionError) -> PortDetails {
    try PortDetails(control(of: component, within: limit))
  }

  /// Returns the properties of a port of the node that listens at a path.
  package func details(
    of component: ComponentDescription, ofNode node: String, socketPath: String
  ) throws(ConnectionError) -> PortDetails {
    try PortDetails(control(of: component, ofNode: node, socketPath: socketPath))
  }
}

extension PortDetails {
  init(_ control: PortControl) throws(ConnectionError) {
    port = control.port
    latency = control.latency
    tail = control.tail
    parameters = control.parameters
    values = try control.values()
    presets = try control.presets()
  }
}

extension AudioHost {
  /// Ends everything that sounds in real time on a node: notes, held keys and pedals, tails, and the songs of hosts that
  /// accept the command to stop. Parameters, programs and controllers remain.
  ///
  /// Realtime: no. Threads: any.
  ///
  /// - Parameters:
  ///   - node: The name of a running node.
  ///   - component: The port; `nil` for all ports of the node.
  /// - Throws: ``ConnectionError``: `refused` with `unknownMethod` by a node of an earlier version.
  public func panic(
    _ node: String, component: ComponentDescription? = nil
  ) throws(ConnectionError) {
    try panic(node, component: component, socketPath: socketPath(ofNode: node))
  }

  /// Ends everything that sounds on the node that listens at a path.
  package func panic(
    _ node: String, component: ComponentDescription?, socketPath: String
  ) throws(ConnectionError) {
    _ = try ask(
      node, socketPath, Panic(component: component), seconds: ControlLink.preparationLimit)
  }
}

/// The scenes of a node.
public struct NodeSceneList: Codable, Equatable, Sendable {
  /// The names of the scenes in the order of the set list.
  public var setList: [String]
  /// The names of the scenes that are not in the set list.
  public var others: [String]
  /// The name of the current scene; `nil`: none has been chosen.
  public var current: String?
  /// The next scene of the set list; `nil` at its end.
  public var next: String?
  /// The transposition of all ports in semitones; `nil` for none.
  public var transposition: Int?
  /// What the player wants to read in the current scene.
  public var text: String?
}

extension AudioHost {
  /// Returns the scenes of a node.
  ///
  /// Realtime: no. Threads: any.
  ///
  /// - Parameter node: The name of a running node.
  /// - Throws: ``ConnectionError``: `refused` with `unknownMethod` by a node that is not a server for keyboards.
  public func scenes(of node: String) throws(ConnectionError) -> NodeSceneList {
    let link = try openLink(node, socketPath(ofNode: node))
    defer { link.close() }
    let (names, last) = try link.requestAll(seconds: ControlLink.preparationLimit) {
      GetScenes(offset: $0)
    }
    // The list may have changed between two parts.
    let setListCount = min(last.setListCount, names.count)
    return NodeSceneList(
      setList: Array(names[..<setListCount]), others: Array(names[setListCount...]),
      current: last.current, next: last.next, transposition: last.transposition,
      text: last.text)
  }

  /// Chooses a scene of a node by its name, or by a part that no other scene has.
  ///
  /// Realtime: no. Threads: any.
  ///
  /// - Returns: The name of the scene.
  /// - Throws: ``ConnectionError``: `refused` if there is no such scene or if it cannot be played. The current scene
  ///   remains then.
  @discardableResult
  public func chooseScene(_ name: String, of node: String) throws(ConnectionError) -> String {
    try choose(ChooseScene(name: name), of: node)
  }

  /// Chooses the next or the previous scene of a node's set list. Scenes that cannot be played are left out.
  ///
  /// - Returns: The name of the scene.
  /// - Throws: ``ConnectionError``: `refused` at the end of the list.
  @discardableResult
  public func chooseNextScene(
    of node: String, backwards: Bool = false
  ) throws(ConnectionError) -> String {
    try choose(ChooseScene(step: backwards ? -1 : 1), of: node)
  }

  private func choose(
    _ request: ChooseScene, of node: String
  ) throws(ConnectionError) -> String {
    try ask(node, socketPath(ofNode: node), request, seconds: ControlLink.preparationLimit).scene
  }

  /// Transposes what keyboards play on all ports of a node, drums excepted. Held notes remain.
  ///
  /// Realtime: no. Threads: any.
  ///
  /// - Parameter semitones: −36…36, besides the transposition of the scene.
  /// - Returns: The transposition by the scene and the player, in semitones.
  /// - Throws: ``ConnectionError``: `refused` outside of the range.
  @discardableResult
  public func transpose(_ semitones: Int, of node: String) throws(ConnectionError) -> Int {
    try ask(node, socketPath(ofNode: node), Transpose(semitones: semitones)).transposition
  }

  /// Saves what keyboards play on a node as a scene in its configuration, and chooses it.
  ///
  /// Realtime: no. Threads: any.
  ///
  /// - Parameter replaces: Whether to replace a scene of this name.
  /// - Returns: The path of the configuration file.
  /// - Throws: ``ConnectionError``: `refused` if the scene cannot be saved.
  package func saveScene(
    _ name: String, of node: String, replaces: Bool
  ) throws(ConnectionError) -> String {
    try ask(
      node, socketPath(ofNode: node), SaveScene(name: name, replaces: replaces),
      seconds: ControlLink.preparationLimit
    ).file
  }

  /// Returns what parts of keyboards play on a port, as a list of zones in the notation of the configuration; `nil` if
  /// its unit plays everything.
  package func zones(of component: Component) throws(ConnectionError) -> String? {
    try ask(
      component.node, socketPath(ofNode: component.node),
      GetZones(component: component.port.component)
    ).zones
  }

  /// Replaces the zones of a port until a scene is chosen.
  ///
  /// - Parameter zones: A list of zones in the notation of the configuration; `nil`: those of the scene or of the
  ///   configuration.
  /// - Throws: ``ConnectionError``: `refused` if the zones cannot be played.
  package func setZones(_ zones: String?, of component: Component) throws(ConnectionError) {
    _ = try ask(
      component.node, socketPath(ofNode: component.node),
      SetZones(component: component.port.component, zones: zones),
      seconds: ControlLink.preparationLimit)
  }
}

/// The music that keyboards have played on a node's sound device.
public struct NodeTake: Sendable {
  /// A Standard MIDI File with a track for each port; empty if no note was played.
  public let file: [UInt8]
  public let properties: TakeProperties
}

extension AudioHost {
  /// Returns what keyboards have played on the sound device of a running node.
  ///
  /// Realtime: no. Threads: any.
  ///
  /// - Parameters:
  ///   - node: The name of a running node.
  ///   - component: The port; `nil` for all ports of the node.
  ///   - seconds: The events of so many seconds before now; `nil` for all that the node has kept.
  ///   - keepsSilence: Whether the file begins where the instrument began to render, if one instrument played all of
  ///     it or all began together, instead of with the first note.
  /// - Throws: ``ConnectionError``: `refused` with `unknownMethod` by a node that is not a server for keyboards.
  public func take(
    ofNode node: String, component: ComponentDescription? = nil, seconds: Double? = nil,
    keepsSilence: Bool = false
  ) throws(ConnectionError) -> NodeTake {
    try take(
      ofNode: node, component: component, seconds: seconds, keepsSilence: keepsSilence,
      socketPath: socketPath(ofNode: node))
  }

  /// Returns what keyboards have played on the node that listens at a path.
  package func take(
    ofNode node: String, component: ComponentDescription?, seconds: Double?, keepsSilence: Bool,
    socketPath: String
  ) throws(ConnectionError) -> NodeTake {
    let link = try openLink(node, socketPath)
    defer { link.close() }
    let (file, last) = try link.requestBytes { offset in
      GetTake(component: component, seconds: seconds, keepsSilence: keepsSilence, offset: offset)
    }
    return NodeTake(file: file, properties: last.take)
  }
}
