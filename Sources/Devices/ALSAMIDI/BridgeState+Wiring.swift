extension BridgeState {
  mutating func handle(
    _ announcement: Announcement, in event: SequencerEvent, at time: Int64
  ) throws(SequencerError) {
    hasNewConnections = true
    switch announcement {
    case .subscribed(let sender, let receiver):
      connect(sender, to: receiver)
      if event.destination == watch.announcementPort {
        react(to: .subscribed(sender: sender, receiver: receiver))
      }
    case .unsubscribed(let sender, let receiver):
      disconnect(sender, from: receiver, at: time)
      // Our ports also receive this event when the sender vanishes. Only the announcement port's copy is a user action.
      if event.destination == watch.announcementPort {
        react(to: .unsubscribed(sender: sender, receiver: receiver))
      }
    case .portExited(let address): end(at: time) { $0 == address }
    case .clientExited(let client): end(at: time) { $0.client == client }
    case .clientStarted, .clientChanged, .portStarted, .portChanged: break
    }
    for change in try watch.handle(event) { react(to: change) }
  }

  mutating func react(to change: PortChange) {
    for action in wiring.react(to: change) {
      do throws(SequencerError) {
        switch action {
        case .connect(let sender, let receiver): try sequencer.connect(sender, to: receiver)
        case .disconnect(let sender, let receiver):
          try sequencer.disconnect(sender, from: receiver)
        }
      } catch {
        events.append(.notWired(error))
      }
    }
  }

  /// Reads the senders connected to one of our ports again, because announcements may have been lost.
  mutating func refreshSenders(to address: PortAddress, at time: Int64) throws(SequencerError) {
    let senders = try sequencer.senders(to: address)
    for sender in ports[address]?.senders.keys.filter({ !senders.contains($0) }) ?? [] {
      disconnect(sender, from: address, at: time)
    }
    for sender in senders { connect(sender, to: address) }
  }

  /// Disconnects the senders that are gone and releases their notes, including those of unconnected senders.
  private mutating func end(at time: Int64, where isGone: (PortAddress) -> Bool) {
    for address in ports.keys {
      for sender in ports[address]?.senders.keys.filter(isGone) ?? [] {
        disconnect(sender, from: address, at: time)
      }
      ports[address]?.release(at: time, where: isGone)
    }
  }

  private mutating func connect(_ sender: PortAddress, to address: PortAddress) {
    let name = name(of: sender)
    guard let port = ports[address]?.name, ports[address]?.connect(sender, named: name) == true
    else { return }
    events.append(.wired(sender: name, port: port))
  }

  mutating func disconnect(_ sender: PortAddress, from address: PortAddress, at time: Int64) {
    guard let port = ports[address]?.name,
      ports[address]?.disconnect(sender, at: time) == true
    else { return }
    events.append(.unwired(sender: name(of: sender), port: port))
  }

  func name(of sender: PortAddress) -> String {
    watch.known[sender]?.clientName ?? sender.description
  }
}
