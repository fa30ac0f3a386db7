import Foundation
import ProgramTestSupport
import TestSupport
import Testing

/// Tests of nodes with `portative check`: `portative serve`, `Examples/node.c`, and that example with a fault.
@Suite(.timeLimit(.minutes(10))) struct ConformanceTests {
  private static let measurements =
    "messages,refusal,memory,events,connections,ramps,transport,end"

  /// - Parameter program: The program with its arguments.
  private func check(
    _ program: [String], only measurements: String = measurements, code: Int32 = 0
  ) throws -> [String: String] {
    try verdicts(
      of: program, only: measurements, code: code,
      variables: ["PORTATIVE_SOUNDFONT": bundledSoundFont], within: 180)
  }

  private static let allGood = Dictionary(
    uniqueKeysWithValues: measurements.split(separator: ",").map { (String($0), "good") })

  @Test func `a server answers, refuses and ends as the protocol says`() throws {
    let folder = try TemporaryFolder()
    let configuration = try folder.put(
      Data("{ports: [{name: 'Test: Echo', type: 'effect', subtype: 'echo', unit: 'delay'}]}".utf8),
      "config.json")
    let serve = ["serve", "--midi", "none", "--audio", "none", "--config", configuration]
    #expect(try check([Program.path.path()] + serve) == Self.allGood)
  }

  @Test func `the node in C does so, too, under sanitizers and for many hosts`() throws {
    var expected = Self.allGood
    // It has no parameters, and states no tail.
    expected["ramps"] = "unmeasured"
    expected["sysex"] = "good"
    expected["tail"] = "unmeasured"
    #expect(
      try check([ExamplePrograms.node.get(), "acme"], only: Self.measurements + ",sysex,tail")
        == expected)
    // AddressSanitizer keeps the memory that is freed.
    let checked = try check(
      [ExamplePrograms.checkedNode.get(), "acme"], only: "messages,refusal,memory,events,end")
    #expect(Set(checked.values) == ["good"] && checked.count == 5)
  }

  @Test(arguments: [
    ("messages", #"{"badSequence", message"#, #"{"badMessage", message"#, "bad"),
    ("refusal", "return host->errors < MAXIMUM_ERRORS;", "return true;", "warning"),
    ("refusal", "now() - hosts[i].since < 2000000000", "hosts[i].since > 0", "bad"),
    ("memory", "(found & seals) != seals", "seals == 0", "bad"),
    ("memory", "frames >= 1 && frames <= port.maximum_frames", "true", "bad"),
    ("events", "if (written - read > SEGMENT_EVENT_SLOTS) read = written;", "", "bad"),
    ("connections", "if (descriptor >= 0) close(descriptor);", "", "bad"),
    (
      "connections", "json_object_put(message);\n  json_tokener_free(tokener);",
      "json_tokener_free(tokener);", "bad"
    ),
    ("end", "unlink(socket_path);\n  unlink(lock_path);", "unlink(lock_path);", "bad"),
    ("end", "sigaction(SIGTERM, &action, NULL);", "", "warning"),
    (
      "sysex",
      "used += slot.count / SEGMENT_SLOT_SIZE + (slot.count % SEGMENT_SLOT_SIZE != 0);",
      "synth_event(&port.synth, 0x90, 60, 100);", "warning"
    ),
    ("tail", #""{\"latency\":0,\"#, #""{\"latency\":0,\"tail\":100,\"#, "bad"),
    ("onset", "slot.frame > position + frame && !is_last", "false", "bad"),
  ])
  func `check finds the fault of a node`(
    measurement: String, text: String, fault: String, verdict: String
  ) throws {
    let node = try ExamplePrograms.faultyNode(text, fault)
    defer { try? FileManager.default.removeItem(atPath: node) }
    let rows = try check([node, "acme"], only: measurement, code: verdict == "bad" ? 1 : 0)
    #expect(rows == [measurement: verdict])
  }

  @Test(arguments: [["check"], ["check", "--host"]])
  func `a signal ends the check, the program and its folders`(check: [String]) throws {
    let folder = try TemporaryFolder()
    let mark = folder("started")
    // Neither publishes nor plays a port.
    let program = try folder.put(
      Data("#!/bin/sh\necho $$ $XDG_RUNTIME_DIR > '\(mark)'\nexec sleep 1000\n".utf8), "program")
    chmod(program, 0o700)
    let run = try Program(check + [program])
    try run.wait {
      (try? String(contentsOfFile: mark, encoding: .utf8))?.hasSuffix("\n") == true
    }
    run.send(SIGTERM)
    _ = try run.result(within: 30)
    let words = try String(contentsOfFile: mark, encoding: .utf8).split(separator: " ")
    let pid = try #require(Int32(words[0]))
    #expect(eventually { kill(pid, 0) != 0 })
    #expect(!FileManager.default.fileExists(atPath: words[1].trimmingCharacters(in: .newlines)))
  }

  @Test func `a program that publishes nothing is an error`() throws {
    let result = try Program(["check", "/bin/true"]).result(within: 60)
    #expect(result.exitCode == 1)
    #expect(result.errors.contains("exited with status 0 before it published a port"))
  }
}
