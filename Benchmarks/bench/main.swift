import FoundationEssentials
import Glibc

let arguments = CommandLine.arguments.dropFirst()
let help = """
  usage: bench [--quick] [SECTION …]

  Measures Portative on this machine: tables in Markdown on standard output, all figures in
  bench.json. Sections: \(Section.allCases.map(\.rawValue).joined(separator: " ")) (all).
  --quick takes some minutes instead of some forty, and shows less.

  """

if arguments.contains("--help") {
  print(help, terminator: "")
  exit(0)
}

// The processes of connections, which the sections on round trips and on units start.
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
  complain("\(error)")
  exit(1)
}

let words = arguments.filter { $0 != "--quick" }
let sections = words.compactMap(Section.init)
guard sections.count == words.count else {
  complain("unknown section among '\(words.joined(separator: " "))'\n\(help)")
  exit(2)
}

Interruption.watch()
do {
  let bench = try Bench(isQuick: arguments.contains("--quick"))
  defer { bench.cleanUp() }
  try bench.run(Section.allCases.filter { sections.isEmpty || sections.contains($0) })
} catch {
  complain("\(error)")
  exit(1)
}
