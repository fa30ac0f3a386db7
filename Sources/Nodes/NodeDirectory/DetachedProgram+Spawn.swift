import CLinux
import Glibc
import Threads

extension DetachedProgram {
  /// Starts a program that is independent of this process.
  ///
  /// The program has its own session, so that it receives no signals from a terminal; `/` as its working directory,
  /// so that it keeps no file system busy; no open descriptors except `/dev/null` and the log; and no blocked or
  /// ignored signals.
  static func spawn(
    _ path: String, _ arguments: [String], _ variables: [String: String], _ log: CInt
  ) throws(SystemError) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // The log first: if this process has closed its standard input, the log may have descriptor 0.
    posix_spawn_file_actions_adddup2(&actions, log, 1)
    posix_spawn_file_actions_adddup2(&actions, log, 2)
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addclosefrom_np(&actions, 3)
    posix_spawn_file_actions_addchdir_np(&actions, "/")

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETSID | CInt(POSIX_SPAWN_SETSIGMASK) | CInt(POSIX_SPAWN_SETSIGDEF)))

    var argumentList = arguments.map { strdup($0) } + [nil]
    var environment = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in argumentList + environment { free(text) } }
    var pid: pid_t = 0
    // ETXTBSY: the process that wrote the file, or a child that it forked and that has not called exec yet, still has
    // the file open for writing.
    for attempt in 1... {
      let code = posix_spawn(&pid, path, &actions, &attributes, &argumentList, &environment)
      if code == 0 { break }
      if code != ETXTBSY || attempt == 50 { throw SystemError(code: code, call: "posix_spawn") }
      usleep(10_000)
    }
    return pid
  }
}
