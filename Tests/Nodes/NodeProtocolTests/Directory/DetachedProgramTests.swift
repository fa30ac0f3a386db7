import FoundationEssentials
import Glibc
import LocalSystem
import TestSupport
import Testing

@testable import NodeProtocol

/// Runs a program and returns how it ended and its output.
private func run(_ arguments: String...) throws -> (ending: DetachedProgram.Ending?, output: String)
{
  let system = TemporarySystem()
  let file = try system.add("log", "")
  let log = open(file, O_WRONLY | O_CLOEXEC)
  let program = try DetachedProgram(
    arguments[0], arguments: arguments, variables: ["ORGAN": "pipe"], log: log)
  close(log)
  try wait { program.ending != nil }
  // The program has been reaped: there is neither a zombie nor a child with that ID.
  #expect(waitpid(program.pid, nil, WNOHANG) == -1 && errno == ECHILD)
  program.kill()
  return (program.ending, try String(contentsOfFile: file, encoding: .utf8))
}

@Test func `reports how a program ended, and leaves no zombie`() throws {
  for (lines, ending) in [
    ("exit 0", .exited(status: 0)), ("exit 77", .exited(status: 77)),
    ("kill -9 $$", .signalled(SIGKILL)),
  ] as [(String, DetachedProgram.Ending)] {
    #expect(try run("/bin/sh", "-c", lines).ending == ending)
  }
  #expect("\(DetachedProgram.Ending.exited(status: 3))" == "exited with status 3")
  #expect("\(DetachedProgram.Ending.signalled(9))" == "was ended by signal 9")
}

@Test func `a program has its arguments and variables, and both its outputs are logged`() throws {
  let lines = "echo \"$1\"; echo $ORGAN >&2; pwd"
  #expect(try run("/bin/sh", "-c", lines, "sh", "two words").output == "two words\npipe\n/\n")
}

@Test func `a program inherits only its log`() throws {
  // A descriptor without close-on-exec, a blocked signal, and an ignored signal.
  let leak = open("/dev/null", O_RDONLY)
  var usr1 = sigset_t()
  sigemptyset(&usr1)
  sigaddset(&usr1, SIGUSR1)
  pthread_sigmask(SIG_BLOCK, &usr1, nil)
  let before = signal(SIGUSR2, SIG_IGN)
  defer {
    close(leak)
    pthread_sigmask(SIG_UNBLOCK, &usr1, nil)
    signal(SIGUSR2, before)
  }
  // Descriptor 3 is the one with which `ls` reads the folder.
  #expect(try run("/bin/ls", "/proc/self/fd").output == "0\n1\n2\n3\n")
  #expect(try run("/bin/readlink", "/proc/self/fd/0").output == "/dev/null\n")
  // Except signals 32 and 33, which the C library reserves.
  for line in try run("/bin/grep", "-E", "Sig(Blk|Ign)", "/proc/self/status").output
    .split(separator: "\n")
  {
    let set = try #require(line.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) })
    #expect(set & ~(3 << 31) == 0, "\(line)")
  }
  let ids = try run("/usr/bin/cut", "-d ", "-f1,5,6", "/proc/self/stat").output.dropLast()
    .split(separator: " ")
  #expect(ids.count == 3 && Set(ids).count == 1, "it leads its process group and session")
}

@Test func `killing a program kills what it has started`() throws {
  let nodes = try TemporaryNodes()
  let file = "\(nodes.system.root)/pids"
  let script = try nodes.addScript("script", "sleep 60 & echo $$ $! >'\(file)'; wait")
  let log = open("/dev/null", O_WRONLY | O_CLOEXEC)
  defer { close(log) }
  let program = try DetachedProgram(script, arguments: [script], variables: [:], log: log)
  var pids: [pid_t] = []
  try wait {
    let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
    pids = text.split(whereSeparator: \.isWhitespace).compactMap { pid_t($0) }
    return pids.count == 2
  }
  #expect(pids[0] == program.pid)
  program.kill()
  try wait { program.ending == .signalled(SIGKILL) }
  // Its parent has ended, so it may remain a zombie until init reaps it.
  try wait {
    let stat = (try? String(contentsOfFile: "/proc/\(pids[1])/stat", encoding: .utf8)) ?? ""
    return stat.isEmpty || stat.contains(") Z ")
  }
}

@Test func `states why a program cannot be executed`() throws {
  let nodes = try TemporaryNodes()
  let noFormat = try nodes.system.add("bin/no-format", "echo")
  #expect(chmod(noFormat, 0o755) == 0)
  #expect(throws: SystemError(code: ENOEXEC, call: "posix_spawn")) {
    try DetachedProgram(noFormat, arguments: ["x"], variables: [:], log: 2)
  }
  #expect(throws: SystemError(code: ENOENT, call: "posix_spawn")) {
    try DetachedProgram("/none", arguments: ["x"], variables: [:], log: 2)
  }
}
