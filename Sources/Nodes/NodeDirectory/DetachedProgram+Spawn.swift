import CLinux
import Glibc

extension DetachedProgram {
  /// Starts a program that owes nothing to this process: a session of its own, so that no
  /// terminal's signals reach it; `/` for its folder, so that no disk is kept busy; nothing open
  /// but `/dev/null` and the log; no signal blocked or ignored.
  static func spawn(
    _ path: String, _ arguments: [String], _ variables: [String: String], _ log: CInt
  ) throws(StartFailure) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // The log first: in a process that has closed its standard input, that may be its number.
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

    var words = arguments.map { strdup($0) } + [nil]
    var environment = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in words + environment { free(text) } }
    var pid: pid_t = 0
    // Whoever has just written the file may not have closed it; nor may another child of theirs
    // that has not begun its own program yet.
    for attempt in 1... {
      let code = posix_spawn(&pid, path, &actions, &attributes, &words, &environment)
      if code == 0 { break }
      if code != ETXTBSY || attempt == 50 { throw StartFailure(code: code) }
      usleep(10_000)
    }
    return pid
  }
}
