public import CPortative
import LiveMIDI
import LocalSystem
import NodeProtocol
import NodeServer
import RenderCore

public typealias PortChangeFunction =
  @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?) -> Void

extension OpaquePointer {
  /// The port of a `portative_node_port`.
  fileprivate var port: PublishedPort { object(PortHandle.self).port }
}

@_cdecl("portative_node_port_host")
public func portative_node_port_host(
  _ port: OpaquePointer!, _ processID: UnsafeMutablePointer<Int32>!
) -> UnsafeMutablePointer<CChar>! {
  guard let host = port.port.host else { return nil }
  processID?.pointee = host.processID
  return newString(host.name)
}

@_cdecl("portative_node_port_peer_nodes")
public func portative_node_port_peer_nodes(
  _ port: OpaquePointer!
) -> UnsafeMutablePointer<CChar>! {
  newString((try? json(port.port.peerNodes)) ?? "[]")
}

@_cdecl("portative_node_port_get_format")
public func portative_node_port_get_format(
  _ port: OpaquePointer!, _ format: UnsafeMutablePointer<portative_format>!
) -> Bool {
  guard let found = port.port.format else { return false }
  var fields = portative_format(found)
  copy(&fields, MemoryLayout<portative_format>.size, to: format)
  return true
}

@_cdecl("portative_node_port_get_transport")
public func portative_node_port_get_transport(
  _ port: OpaquePointer!, _ transport: UnsafeMutablePointer<portative_transport>!
) -> Bool {
  guard let found = port.port.transport else { return false }
  transport.pointee = portative_transport(found)
  return true
}

@_cdecl("portative_node_port_command")
public func portative_node_port_command(
  _ port: OpaquePointer!, _ command: UnsafePointer<portative_command>!
) -> portative_answer {
  guard let command = try? RemoteCommand(command) else { return PORTATIVE_IGNORED }
  return switch port.port.command(command) {
  case .done: PORTATIVE_DONE
  case .notNow: PORTATIVE_NOT_NOW
  case .ignored: PORTATIVE_IGNORED
  case .noHost: PORTATIVE_NO_HOST
  case .noAnswer: PORTATIVE_NO_ANSWER
  }
}

@_cdecl("portative_node_port_show_host")
public func portative_node_port_show_host(_ port: OpaquePointer!) { port.port.showHost() }

@_cdecl("portative_node_port_on_change")
public func portative_node_port_on_change(
  _ handle: OpaquePointer!, _ changed: PortChangeFunction!, _ context: UnsafeMutableRawPointer!
) {
  let handle = handle.object(PortHandle.self)
  let callback = Callback(changed, context)
  handle.setChange(callback)
  guard let callback else {
    handle.port.onChange = nil
    return
  }
  handle.port.onChange = { [unowned handle] _ in
    let port = OpaquePointer(Unmanaged.passUnretained(handle).toOpaque())
    _ = callback.call { $0($1, port) }
  }
}

@_cdecl("portative_node_port_play")
public func portative_node_port_play(
  _ port: OpaquePointer!, _ source: UInt8, _ time: Int64, _ bytes: UnsafePointer<UInt8>!,
  _ count: UInt32
) -> Bool {
  let bytes = UnsafeBufferPointer(start: bytes, count: Int(count))
  guard 1...63 ~= source, let message = MIDIMessage(bytes) else { return false }
  let live: MIDIContent =
    switch message {
    case .channel(let message): .channel(message)
    case .system(let message): .system(message)
    case .sysEx(let inner): .sysEx([UInt8](inner))
    }
  return port.port.input.send(live, from: LiveInput.Source(source), at: time)
}

@_cdecl("portative_node_port_release")
public func portative_node_port_release(_ port: OpaquePointer!, _ source: UInt8, _ time: Int64) {
  if 1...63 ~= source { port.port.input.end(LiveInput.Source(source), at: time) }
}

@_cdecl("portative_node_port_set_players")
public func portative_node_port_set_players(
  _ port: OpaquePointer!, _ names: UnsafePointer<UnsafePointer<CChar>?>!, _ count: UInt32
) {
  port.port.input.sourceNames = [String](names, count: count)
}
