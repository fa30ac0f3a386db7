import Testing

@testable import LocalSystem

@Test func `takes a folder from its variable, else from home, and ignores a relative one`() {
  var surroundings = Surroundings(variables: ["HOME": "/home/a"])
  #expect(surroundings.folder("XDG_DATA_HOME", inHome: ".local/share") == "/home/a/.local/share")
  surroundings.variables["XDG_DATA_HOME"] = "relative"
  #expect(surroundings.folder("XDG_DATA_HOME", inHome: ".local/share") == "/home/a/.local/share")
  surroundings.variables["XDG_DATA_HOME"] = "/data"
  #expect(surroundings.folder("XDG_DATA_HOME", inHome: ".local/share") == "/data")
  #expect(Surroundings(variables: ["HOME": ""]).folder("X", inHome: "y") == nil)
}

@Test func `finds this process's own`() {
  let current = Surroundings.current
  #expect(current.variables["PATH"]?.isEmpty == false)
  #expect(current.executable?.hasPrefix("/") == true)
}
