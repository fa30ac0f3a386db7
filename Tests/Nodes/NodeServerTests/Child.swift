import ConnectionTestSupport
import Foundation
import Glibc
import NodeHost
import NodeProtocol
import RenderCore
import TestSupport
import Testing

/// A `testnode` process: a node or a host with faults.
final class Child {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var heard: [UInt8] = []
  private let socketPath: String

  /// The path of the program, next to the test bundle.
  private static let path = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "testnode")

  struct SaidNothing: Error, CustomStringConvertible {
    let description: String
  }

  /// - Parameter options: `NAME VALUE NAME VALUE`, as in TestNode.swift and TestHost.swift.
  init(_ role: String, _ socketPath: String, _ options: String = "") throws {
    self.socketPath = socketPath
    process.executableURL = Self.path
    process.arguments = [role, socketPath] + options.split(separator: " ").map(String.init)
    // The backtraces of intended crashes are not needed. With one arena, the allocator's memory does not depend on the
    // number of threads that happened to allocate at the same time.
    process.environment = Sanitizer.variables.merging(
      ["SWIFT_BACKTRACE": "enable=no", "MALLOC_ARENA_MAX": "1"]
    ) { _, new in new }
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  deinit {
    if process.isRunning { kill(processID, SIGKILL) }
    process.waitUntilExit()
  }

  /// Starts a node and waits until it listens.
  static func node(_ socketPath: String, _ options: String = "") throws -> Child {
    let child = try Child("node", socketPath, options)
    try child.await("ready")
    return child
  }

  /// Connects a new host to the port of the node.
  func connect() throws -> Connection {
    try AudioHost(name: "Tester").connect(to: pulses(), ofNode: "test", socketPath: socketPath)
  }

  /// Returns whether the node renders for a new host.
  func renders() throws -> Bool {
    let connection = try connect()
    try connection.initialize(Format(maximumFrames: 64), mode: .offline)
    return connection.rendered(64).status == .rendered
  }

  /// Waits for a line with this prefix and returns it. The limit only ends a wait for a process that hangs.
  @discardableResult
  func await(_ line: String, seconds: Int = 240) throws -> String {
    let descriptor = output.fileHandleForReading.fileDescriptor
    while true {
      while let end = heard.firstIndex(of: 10) {
        let found = String(decoding: heard[..<end], as: UTF8.self)
        heard.removeSubrange(...end)
        if found.hasPrefix(line) { return found }
      }
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      var chunk = [UInt8](repeating: 0, count: 4096)
      guard poll(&entry, 1, CInt(clamping: seconds * 1000)) > 0 else {
        throw SaidNothing(description: "not heard in time: \(line)")
      }
      let count = read(descriptor, &chunk, chunk.count)
      guard count > 0 else { throw SaidNothing(description: "it ended before it said: \(line)") }
      heard += chunk[..<count]
    }
  }

  /// Lets the process continue after a pause.
  func go() { input.fileHandleForWriting.write(Data([10])) }

  var processID: Int32 { process.processIdentifier }
  var isRunning: Bool { process.isRunning }
  func signal(_ number: CInt) { kill(processID, number) }
  func waitUntilExit() { process.waitUntilExit() }

  /// Stops all threads of the process until SIGCONT.
  func stop() {
    signal(SIGSTOP)
    _ = eventually {
      let threads = "/proc/\(processID)/task"
      let names = (try? FileManager.default.contentsOfDirectory(atPath: threads)) ?? []
      return names.allSatisfy { name in
        let stat = try? String(contentsOfFile: "\(threads)/\(name)/stat", encoding: .utf8)
        return stat?.contains(") T ") ?? true
      }
    }
  }

  /// The resources of a process that can leak.
  struct Holdings: Equatable, CustomStringConvertible {
    var descriptors = 0
    var threads = 0
    /// The number of mappings of memory shared between host and node.
    var segments = 0
    /// The resident memory in kilobytes.
    var memory = 0

    /// Whether these resources exceed earlier ones by less than a tenth. The memory may grow by a megabyte, because an
    /// allocator keeps what it has been given.
    ///
    /// - Parameter segmentSlack: By how many the segments may exceed the earlier ones, which were counted while hosts came and went.
    func isBack(to before: Holdings, segmentSlack: Int = 0) -> Bool {
      func isNear(_ now: Int, _ then: Int, _ slack: Int) -> Bool {
        now <= then + max(slack, then / 10)
      }
      return isNear(descriptors, before.descriptors, 2) && isNear(threads, before.threads, 2)
        && isNear(memory, before.memory, 1024) && segments <= before.segments + segmentSlack
    }

    var description: String {
      "\(descriptors) descriptors, \(threads) threads, \(segments) segments, \(memory) kB"
    }

    init(of processID: Int32) {
      let folder = "/proc/\(processID)"
      let files = FileManager.default
      descriptors = (try? files.contentsOfDirectory(atPath: folder + "/fd").count) ?? -1
      threads = (try? files.contentsOfDirectory(atPath: folder + "/task").count) ?? -1
      let maps = (try? String(contentsOfFile: folder + "/maps", encoding: .utf8)) ?? ""
      segments = maps.split(separator: "\n").filter { $0.contains("memfd:portative") }.count
      // It keeps freed memory.
      if Sanitizer.isLoaded { return }
      let status = (try? String(contentsOfFile: folder + "/status", encoding: .utf8)) ?? ""
      for line in status.split(separator: "\n") where line.hasPrefix("VmRSS") {
        memory = line.split(separator: " ").compactMap { Int($0) }.first ?? -1
      }
    }
  }

  var holdings: Holdings { Holdings(of: processID) }
}

/// How often tests whose faults have no seeds repeat them.
let faultFactor = Faults.count(usual: 1)

/// Reports messages that a server in this process has survived, and expects that it has its resources back.
///
/// It does so in `make endurance` only: usually, other tests run in the process.
func reportMessages(_ count: Int, since before: Child.Holdings?) {
  guard Faults.isEndurance, let before else { return }
  let isBack = eventually { Child.Holdings(of: getpid()).isBack(to: before, segmentSlack: 2) }
  #expect(isBack, "\(before) → \(Child.Holdings(of: getpid()))")
  Faults.report(count, "messages: server \(before) → \(Child.Holdings(of: getpid()))")
}
