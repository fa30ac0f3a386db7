public import CPortative
import NodeHost
import NodeProtocol
import Synchronization

public typealias ChangeFunction =
  @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<portative_connection_status>?) -> Void
public typealias NoticeFunction =
  @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<portative_notice>?) -> Void
public typealias CommandFunction =
  @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<portative_command>?) -> Bool

@c @implementation
public func portative_connection_on_change(
  _ connection: OpaquePointer!, _ changed: ChangeFunction!, _ context: UnsafeMutableRawPointer!
) {
  let callback = Callback(changed, context)
  connection.connectionResources.replace(\.change, by: callback)
  guard let callback else {
    connection.connectionObject.onChange = nil
    return
  }
  connection.connectionObject.onChange = { state in
    var status = portative_connection_status(state)
    _ = callback.call { $0($1, &status) }
  }
}

@c @implementation
public func portative_connection_on_notice(
  _ connection: OpaquePointer!, _ noticed: NoticeFunction!, _ context: UnsafeMutableRawPointer!
) {
  let callback = Callback(noticed, context)
  connection.connectionResources.replace(\.notice, by: callback)
  guard let callback else {
    connection.connectionObject.onNotice = nil
    return
  }
  connection.connectionObject.onNotice = { notice in
    var notice = portative_notice(notice)
    _ = callback.call { $0($1, &notice) }
  }
}

@c @implementation
public func portative_connection_accept_commands(
  _ connection: OpaquePointer!, _ kinds: UInt32, _ execute: CommandFunction!,
  _ context: UnsafeMutableRawPointer!
) {
  let callback = Callback(execute, context)
  connection.connectionResources.replace(\.command, by: callback)
  let supported = RemoteCommand.Kind.allCases.filter {
    kinds & 1 << portative_command_kind($0).rawValue != 0
  }
  connection.connectionObject.acceptCommands(callback == nil ? [] : Set(supported)) { command in
    var command = portative_command(command)
    return callback?.call { $0($1, &command) } ?? false
  }
}

func removeCallbacks(of connection: OpaquePointer) {
  let resources = connection.connectionResources
  resources.replace(\.change, by: nil)
  resources.replace(\.notice, by: nil)
  resources.replace(\.command, by: nil)
}

extension ConnectionResources {
  /// Replaces a callback. The old one is not running afterwards.
  fileprivate func replace<Function>(
    _ path: WritableKeyPath<Callbacks, Callback<Function>?>,
    by new: Callback<Function>?
  ) {
    let old = callbacks.withLock { callbacks in
      let old = callbacks[keyPath: path]
      callbacks[keyPath: path] = new
      return old
    }
    // Not under the mutex, because a callback that is running may set another one.
    old?.remove()
  }
}

extension portative_connection_status {
  init(_ status: ConnectionState) {
    self.init()
    size = UInt32(MemoryLayout<Self>.size)
    switch status {
    case .open: state = PORTATIVE_OPEN
    case .initialized: state = PORTATIVE_INITIALIZED
    case .parked(let reason):
      state = PORTATIVE_PARKED
      park_reason = portative_park_reason(reason)
    case .lost(let reason):
      state = PORTATIVE_LOST
      loss_reason = portative_loss_reason(reason)
    }
  }
}

extension portative_park_reason {
  init(_ reason: ParkReason) {
    self =
      switch reason {
      case .late: PORTATIVE_PARKED_LATE
      case .notRendered: PORTATIVE_PARKED_NOT_RENDERED
      }
  }
}

extension portative_loss_reason {
  fileprivate init(_ reason: LossReason) {
    self =
      switch reason {
      case .closed: PORTATIVE_LOST_CLOSED
      case .nodeEnded: PORTATIVE_LOST_NODE_ENDED
      case .portRemoved: PORTATIVE_LOST_PORT_REMOVED
      case .noAnswer: PORTATIVE_LOST_NO_ANSWER
      case .protocolViolation: PORTATIVE_LOST_PROTOCOL_VIOLATION
      }
  }
}

extension portative_notice {
  fileprivate init(_ notice: ConnectionNotice) {
    self.init()
    size = UInt32(MemoryLayout<Self>.size)
    switch notice {
    case .latency(let latency):
      kind = PORTATIVE_NOTICE_LATENCY
      frames = Int64(latency)
    case .tail(let tail):
      kind = PORTATIVE_NOTICE_TAIL
      frames = tail.map { Int64($0) } ?? -1
    case .show: kind = PORTATIVE_NOTICE_SHOW
    case .settings: kind = PORTATIVE_NOTICE_SETTINGS
    }
  }
}
