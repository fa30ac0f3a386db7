import Glibc

// A node or a host for the tests, which may be as bad as they like: TestNode.swift and TestHost.swift tell their options.
exit(TestProgram.run(Array(CommandLine.arguments.dropFirst())))
