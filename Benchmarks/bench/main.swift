import FoundationEssentials
import Glibc

let arguments = CommandLine.arguments.dropFirst()
let help = """
  usage: bench [--quick] [SECTION …]

  Measures Portative on this machine. Prints tables in Markdown to standard output and writes all
  results to bench.json. Sections: \(Section.allCases.map(\.rawValue).joined(separator: " "))
  (default: all). --quick takes a few minutes instead of about fifty and measures less.

  """

if arguments.contains("--help") {
  print(help, terminator: "")
  exit(0)
}

// The child processes that the sections on round trips and on units start.
do {
  let rest = Array(arguments.dropFirst())
  switch arguments.first {
  case "connection-echo":
    try ConnectionEcho.run(rest)
    exit(0)
  case "connection-node":
    try EchoNode.run(rest)
    exit(0)
  case "unit-node":
    try UnitNode.run(rest)
    exit(0)
  default: break
  }
} catch {
  printError("\(error)")
  exit(1)
}

let names = arguments.filter { $0 != "--quick" }
let sections = names.compactMap(Section.init)
guard sections.count == names.count else {
  printError("unknown section among '\(names.joined(separator: " "))'\n\(help)")
  exit(2)
}

Interruption.watch()
do {
  let bench = try Bench(isQuick: arguments.contains("--quick"))
  defer { bench.cleanUp() }
  try bench.run(Section.allCases.filter { sections.isEmpty || sections.contains($0) })
} catch {
  printError("\(error)")
  exit(1)
}
