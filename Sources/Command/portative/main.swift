import Glibc
import LocalSystem

StandardStreams.openMissing()
// Swift's own `arguments` replaces bytes that are not UTF-8.
let arguments = (0..<Int(CommandLine.argc)).compactMap { index in
  CommandLine.unsafeArgv[index].map { String(platformString: $0) }
}
exit(Command.run(Array(arguments.dropFirst())).rawValue)
