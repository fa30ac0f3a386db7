import NodeDirectory
package import RenderCore

/// Connections as a render thread holds them: each one's audio is the next one's input, within the cycle.
///
/// MIDI goes to every one that takes it. A node that is late or gone gives silence to the next one.
///
/// Realtime: yes, apart from making and destroying it, and from the wait for each node. Threads: the one that
/// renders. The connections must outlive it.
package struct ChainConnections: @unchecked Sendable, BitwiseCopyable {
  private let links: UnsafeMutablePointer<Unmanaged<Connection>>
  private let takesMIDI: UnsafeMutablePointer<Bool>
  private let count: Int

  /// Allocates. ``destroy()`` must follow.
  ///
  /// - Parameter connections: One at least, all initialized.
  package init(_ connections: [Connection]) {
    precondition(!connections.isEmpty, "a chain has a node at least")
    count = connections.count
    links = .allocate(capacity: count)
    takesMIDI = .allocate(capacity: count)
    for (index, connection) in connections.enumerated() {
      (links + index).initialize(to: .passUnretained(connection))
      (takesMIDI + index).initialize(to: connection.port.component.type.takesMIDI)
    }
  }

  package func destroy() {
    links.deallocate()
    takesMIDI.deallocate()
  }

  /// Schedules an event of a cycle, at its own offset, for every node that takes MIDI.
  ///
  /// - Returns: What became of it at the first of them: where that has no room, no other has got it.
  @_noLocks package func schedule(_ event: MIDIEvent, of cycle: MIDICycle) -> ScheduleStatus {
    var isFirst = true
    for index in 0..<count where takesMIDI[index] {
      let status = links[index]._withUnsafeGuaranteedRef { $0.schedule(event, of: cycle) }
      if isFirst { guard case .accepted = status else { return status } }
      isFirst = false
    }
    return .accepted
  }

  /// Renders a cycle.
  ///
  /// - Parameters:
  ///   - transport: For all of them.
  ///   - input: That of the first.
  ///   - feedback: Hears of late notes, and of each node that has answered.
  /// - Returns: What comes out of the last. Valid until the next cycle.
  @_noLocks package func render(
    frames: Int, hostTime: Int64?, transport: UnsafeBufferPointer<TransportPoint>,
    input: AudioInput = AudioInput(), feedback: CycleFeedback = CycleFeedback()
  ) -> AudioInput {
    var audio = input
    for index in 0..<count {
      links[index]._withUnsafeGuaranteedRef { connection in
        for point in transport {
          connection.setTransport(point.transport, at: Int(point.offset))
        }
        _ = connection.render(frames: frames, hostTime: hostTime, input: audio)
        audio = connection.audio
        feedback.count(lateNotes: connection.defects.lateNotes)
        feedback.advance()
      }
    }
    return audio
  }

  /// What the first node sent in the last cycle.
  package var received: MIDICycle {
    @_noLocks get { links[0]._withUnsafeGuaranteedRef { $0.receivedEvents } }
  }

  /// Cycles in which one of the nodes was late, added up.
  package var lateCycles: Int {
    @_noLocks get {
      var sum = 0
      for index in 0..<count {
        sum += links[index]._withUnsafeGuaranteedRef { $0.statistics.lateCycles }
      }
      return sum
    }
  }
}
