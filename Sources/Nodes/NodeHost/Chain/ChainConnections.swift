import NodeProtocol
package import RenderCore

/// Connections that are rendered one after the other within a cycle. The audio of each node is the input of the next.
///
/// Every node that accepts MIDI receives the MIDI. A node that is late or lost passes silence to the next one.
///
/// Realtime: yes, except creation, destruction and the wait for each node. Threads: the render thread. The connections
/// must outlive this value.
package struct ChainConnections: @unchecked Sendable, BitwiseCopyable {
  private let connections: UnsafeMutablePointer<Unmanaged<Connection>>
  private let takesMIDI: UnsafeMutablePointer<Bool>
  private let count: Int
  private let mixesPairs: Bool

  /// Allocates memory. The caller must call ``destroy()``.
  ///
  /// - Parameters:
  ///   - connections: Initialized connections, from the first node of the chain to the last; at least one.
  ///   - mixesPairs: Whether the pairs of channels of each node are added up, for nodes that do not have stereo output.
  package init(_ connections: [Connection], mixesPairs: Bool = false) {
    precondition(!connections.isEmpty, "a chain has at least one node")
    count = connections.count
    self.mixesPairs = mixesPairs
    self.connections = .allocate(capacity: count)
    takesMIDI = .allocate(capacity: count)
    for (index, connection) in connections.enumerated() {
      (self.connections + index).initialize(to: .passUnretained(connection))
      (takesMIDI + index).initialize(to: connection.port.component.type.takesMIDI)
    }
  }

  package func destroy() {
    connections.deallocate()
    takesMIDI.deallocate()
  }

  /// Schedules an event of a cycle, at its offset, for every node that accepts MIDI.
  ///
  /// - Returns: The status of the first of these nodes. If that node does not accept the event, the others do not
  ///   receive it.
  @_noLocks package func schedule(_ event: MIDIEvent, of cycle: MIDICycle) -> ScheduleStatus {
    var isFirst = true
    for index in 0..<count where takesMIDI[index] {
      let status = connections[index]._withUnsafeGuaranteedRef { $0.schedule(event, of: cycle) }
      if isFirst { guard case .accepted = status else { return status } }
      isFirst = false
    }
    return .accepted
  }

  /// Schedules a change of a parameter of the first node, at its offset.
  @_noLocks package func schedule(_ change: ParameterChange) {
    _ = connections[0]._withUnsafeGuaranteedRef {
      $0.schedule(
        parameter: Int(change.index), to: change.value, over: Int(change.ramp),
        at: Int(change.offset))
    }
  }

  /// Renders a cycle.
  ///
  /// - Parameters:
  ///   - frames: The number of frames: 1 to the format's maximum.
  ///   - hostTime: The time at which the first frame is audible, in nanoseconds of ``MonotonicClock``; `nil` for now.
  ///   - transport: The transports of the cycle, for all nodes.
  ///   - input: The input of the first node.
  ///   - feedback: Receives the number of late notes, and progress for each node that has answered.
  ///   - isFreewheeling: Whether to wait for nodes for longer than a part of the cycle.
  ///   - stopsAtLoss: Whether no further node is rendered after one that is lost or parked, so that a cycle waits for one
  ///     node that hangs, and not for all.
  /// - Returns: The output of the last node. Valid until the next cycle.
  @_noLocks package func render(
    frames: Int, hostTime: Int64?, transport: UnsafeBufferPointer<TransportPoint>,
    input: AudioInput = AudioInput(), feedback: CycleFeedback = CycleFeedback(),
    isFreewheeling: Bool = false, stopsAtLoss: Bool = false
  ) -> AudioInput {
    var audio = input
    for index in 0..<count {
      if stopsAtLoss, !isRunning { return AudioInput() }
      connections[index]._withUnsafeGuaranteedRef { connection in
        for point in transport {
          connection.setTransport(point.transport, at: Int(point.offset))
        }
        _ = connection.render(
          frames: frames, hostTime: hostTime, input: audio,
          within: isFreewheeling ? RenderCycle.longestWait : nil)
        audio = mixesPairs ? connection.mixToStereo() : connection.audio
        feedback.count(lateNotes: connection.defects.lateNotes)
        feedback.advance()
      }
    }
    return audio
  }

  /// Whether the first node is lost or parked, so that it sends nothing until it is connected or initialized again.
  package var hasLostFirst: Bool {
    @_noLocks get { connections[0]._withUnsafeGuaranteedRef { !$0.phase.isRunning } }
  }

  /// Whether no node is lost or parked.
  package var isRunning: Bool {
    @_noLocks get {
      for index in 0..<count {
        if !connections[index]._withUnsafeGuaranteedRef({ $0.phase.isRunning }) { return false }
      }
      return true
    }
  }

  /// Whether every node has answered a cycle since it was initialized.
  package var hasAnswered: Bool {
    @_noLocks get {
      for index in 0..<count {
        if connections[index]._withUnsafeGuaranteedRef({ $0.answeredCycles }) == 0 { return false }
      }
      return true
    }
  }

  /// The MIDI that the first node sent in the last cycle.
  package var received: MIDICycle {
    @_noLocks get { connections[0]._withUnsafeGuaranteedRef { $0.receivedEvents } }
  }

  /// The number of late cycles, summed over all nodes.
  package var lateCycles: Int {
    @_noLocks get {
      var sum = 0
      for index in 0..<count {
        sum += connections[index]._withUnsafeGuaranteedRef { $0.lateCycles }
      }
      return sum
    }
  }
}
