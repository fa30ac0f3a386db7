package import CJACK
import Glibc
import Synchronization
import Testing

/// A client of a JACK server that records the audio of two other ports.
package final class RecordingClient {
  private let jack: jack_library
  private let client: OpaquePointer
  private let ports: [OpaquePointer]
  private let recording: UnsafeMutablePointer<Recording>

  fileprivate struct Recording: ~Copyable {
    static let capacity = 480_000
    let ports: (OpaquePointer, OpaquePointer)
    let samples: (UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>)
    let count = Atomic(0)
    /// The time by which the next cycle is delayed, in microseconds.
    let microseconds = Atomic<UInt32>(0)
  }

  package init(server: String, name: String = "Recorder") throws {
    jack = try #require(cjack_load()).pointee
    var status = jack_status_t(0)
    client = try #require(cjack_open(name, server, &status))
    ports = try ["left", "right"].map { [jack, client] (name: String) in
      try #require(
        jack.port_register(
          client, name, JACK_DEFAULT_AUDIO_TYPE, UInt(JackPortIsInput.rawValue), 0))
    }
    recording = .allocate(capacity: 1)
    recording.initialize(
      to: Recording(
        ports: (ports[0], ports[1]),
        samples: (
          .allocate(capacity: Recording.capacity), .allocate(capacity: Recording.capacity)
        )))
    _ = jack.set_process_callback(client, record, recording)
    try #require(jack.activate(client) == 0)
  }

  deinit {
    _ = jack.client_close(client)
    recording.pointee.samples.0.deallocate()
    recording.pointee.samples.1.deallocate()
    recording.deinitialize(count: 1)
    recording.deallocate()
  }

  /// Connects two ports of another client to the ports of this client.
  package func connect(to names: [String]) {
    for (name, port) in zip(names, ports) { _ = jack.connect(client, name, jack.port_name(port)) }
  }

  /// Ends the connection from a port to another.
  package func disconnect(_ from: String, _ to: String) throws {
    let library = dlopen("libjack.so.0", RTLD_NOW)
    typealias Disconnect =
      @convention(c) (OpaquePointer, UnsafePointer<CChar>, UnsafePointer<CChar>) -> CInt
    let disconnect = unsafeBitCast(
      try #require(dlsym(library, "jack_disconnect")), to: Disconnect.self)
    #expect(disconnect(client, from, to) == 0)
  }

  /// Sleeps in the next cycle, which causes an xrun of the server.
  package func sleep(milliseconds: UInt32) {
    recording.pointee.microseconds.store(milliseconds * 1000, ordering: .releasing)
  }

  package var left: [Float] { samples(recording.pointee.samples.0) }
  package var right: [Float] { samples(recording.pointee.samples.1) }

  private func samples(_ samples: UnsafeMutablePointer<Float>) -> [Float] {
    Array(
      UnsafeBufferPointer(
        start: samples, count: recording.pointee.count.load(ordering: .acquiring)))
  }

  /// Returns the names of all audio ports with these flags.
  package func ports(_ flags: JackPortFlags) -> [String] {
    Self.strings(jack.get_ports(client, nil, JACK_DEFAULT_AUDIO_TYPE, UInt(flags.rawValue)))
  }

  /// Returns the names of all ports whose type matches.
  ///
  /// - Parameter type: A regular expression; "" for all.
  package func ports(type: String) -> [String] {
    Self.strings(jack.get_ports(client, nil, type, 0))
  }

  /// Returns the names of the ports to which a port is connected.
  package func connections(of port: String) throws -> [String] {
    let library = dlopen("libjack.so.0", RTLD_NOW)
    typealias Find = @convention(c) (OpaquePointer, UnsafePointer<CChar>) -> OpaquePointer?
    typealias GetConnections =
      @convention(c) (OpaquePointer, OpaquePointer?) -> UnsafeMutablePointer<
        UnsafePointer<CChar>?
      >?
    let find = unsafeBitCast(try #require(dlsym(library, "jack_port_by_name")), to: Find.self)
    let getConnections = unsafeBitCast(
      try #require(dlsym(library, "jack_port_get_all_connections")), to: GetConnections.self)
    return Self.strings(getConnections(client, find(client, port)))
  }

  private static func strings(_ names: UnsafeMutablePointer<UnsafePointer<CChar>?>?) -> [String] {
    guard let names else { return [] }
    defer { free(names) }
    var strings: [String] = []
    while let name = names[strings.count] { strings.append(String(cString: name)) }
    return strings
  }
}

private func record(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> CInt {
  guard let recording = context?.assumingMemoryBound(to: RecordingClient.Recording.self) else {
    return 0
  }
  let microseconds = recording.pointee.microseconds.exchange(0, ordering: .acquiringAndReleasing)
  if microseconds > 0 { usleep(microseconds) }
  let count = recording.pointee.count.load(ordering: .relaxed)
  let frames = min(Int(frames), RecordingClient.Recording.capacity - count)
  guard let left = cjack_buffer(recording.pointee.ports.0, UInt32(frames)),
    let right = cjack_buffer(recording.pointee.ports.1, UInt32(frames))
  else { return 0 }
  (recording.pointee.samples.0 + count).update(from: left, count: frames)
  (recording.pointee.samples.1 + count).update(from: right, count: frames)
  recording.pointee.count.store(count + frames, ordering: .releasing)
  return 0
}
