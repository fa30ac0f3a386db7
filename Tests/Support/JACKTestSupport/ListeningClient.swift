package import CJACK
import Glibc
import Synchronization
import Testing

/// A client of a JACK server that keeps what two other ports send.
package final class ListeningClient {
  private let jack: jack_library
  private let client: OpaquePointer
  private let ports: [OpaquePointer]
  private let heard: UnsafeMutablePointer<Heard>

  fileprivate struct Heard: ~Copyable {
    static let capacity = 480_000
    let ports: (OpaquePointer, OpaquePointer)
    let samples: (UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>)
    let count = Atomic(0)
    /// What a cycle of ours takes longer.
    let microseconds = Atomic<UInt32>(0)
  }

  package init(server: String) throws {
    jack = try #require(cjack_load()).pointee
    var status = jack_status_t(0)
    client = try #require(cjack_open("Listener", server, &status))
    ports = try ["left", "right"].map { [jack, client] (name: String) in
      try #require(
        jack.port_register(
          client, name, JACK_DEFAULT_AUDIO_TYPE, UInt(JackPortIsInput.rawValue), 0))
    }
    heard = .allocate(capacity: 1)
    heard.initialize(
      to: Heard(
        ports: (ports[0], ports[1]),
        samples: (.allocate(capacity: Heard.capacity), .allocate(capacity: Heard.capacity))))
    _ = jack.set_process_callback(client, keep, heard)
    try #require(jack.activate(client) == 0)
  }

  deinit {
    _ = jack.client_close(client)
    heard.pointee.samples.0.deallocate()
    heard.pointee.samples.1.deallocate()
    heard.deinitialize(count: 1)
    heard.deallocate()
  }

  /// Connects two ports of another client with ours.
  package func listen(to names: [String]) {
    for (name, port) in zip(names, ports) { _ = jack.connect(client, name, jack.port_name(port)) }
  }

  /// Sleeps in the next cycle, and so the server has an xrun.
  package func sleep(milliseconds: UInt32) {
    heard.pointee.microseconds.store(milliseconds * 1000, ordering: .releasing)
  }

  package var left: [Float] { samples(heard.pointee.samples.0) }
  package var right: [Float] { samples(heard.pointee.samples.1) }

  private func samples(_ samples: UnsafeMutablePointer<Float>) -> [Float] {
    Array(
      UnsafeBufferPointer(start: samples, count: heard.pointee.count.load(ordering: .acquiring)))
  }

  /// The names of all ports that have these flags.
  package func ports(_ flags: JackPortFlags) -> [String] {
    Self.strings(jack.get_ports(client, nil, JACK_DEFAULT_AUDIO_TYPE, UInt(flags.rawValue)))
  }

  /// The names of the ports that one is connected to.
  package func connections(of port: String) throws -> [String] {
    let library = dlopen("libjack.so.0", RTLD_NOW)
    typealias Find = @convention(c) (OpaquePointer, UnsafePointer<CChar>) -> OpaquePointer?
    typealias Ask =
      @convention(c) (OpaquePointer, OpaquePointer?) -> UnsafeMutablePointer<
        UnsafePointer<CChar>?
      >?
    let find = unsafeBitCast(try #require(dlsym(library, "jack_port_by_name")), to: Find.self)
    let ask = unsafeBitCast(
      try #require(dlsym(library, "jack_port_get_all_connections")), to: Ask.self)
    return Self.strings(ask(client, find(client, port)))
  }

  private static func strings(_ names: UnsafeMutablePointer<UnsafePointer<CChar>?>?) -> [String] {
    guard let names else { return [] }
    defer { free(names) }
    var strings: [String] = []
    while let name = names[strings.count] { strings.append(String(cString: name)) }
    return strings
  }
}

private func keep(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> CInt {
  guard let heard = context?.assumingMemoryBound(to: ListeningClient.Heard.self) else { return 0 }
  let microseconds = heard.pointee.microseconds.exchange(0, ordering: .acquiringAndReleasing)
  if microseconds > 0 { usleep(microseconds) }
  let count = heard.pointee.count.load(ordering: .relaxed)
  let frames = min(Int(frames), ListeningClient.Heard.capacity - count)
  guard let left = cjack_buffer(heard.pointee.ports.0, UInt32(frames)),
    let right = cjack_buffer(heard.pointee.ports.1, UInt32(frames))
  else { return 0 }
  (heard.pointee.samples.0 + count).update(from: left, count: frames)
  (heard.pointee.samples.1 + count).update(from: right, count: frames)
  heard.pointee.count.store(count + frames, ordering: .releasing)
  return 0
}
