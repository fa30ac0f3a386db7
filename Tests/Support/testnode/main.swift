import Glibc

// A node or a host for the tests, with simulated faults. TestNode.swift and TestHost.swift list the options.
exit(TestProgram.run(Array(CommandLine.arguments.dropFirst())))
