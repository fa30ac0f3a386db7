import LocalSystem
import Testing

@Test func `takes a folder from its variable, otherwise from home, and ignores a relative path`() {
  var environment = ProcessEnvironment(variables: ["HOME": "/home/a"])
  #expect(environment.folder("XDG_DATA_HOME", inHome: ".local/share") == "/home/a/.local/share")
  environment.variables["XDG_DATA_HOME"] = "relative"
  #expect(environment.folder("XDG_DATA_HOME", inHome: ".local/share") == "/home/a/.local/share")
  environment.variables["XDG_DATA_HOME"] = "/data"
  #expect(environment.folder("XDG_DATA_HOME", inHome: ".local/share") == "/data")
  #expect(ProcessEnvironment(variables: ["HOME": ""]).folder("X", inHome: "y") == nil)
}

@Test func `reads this process's environment`() {
  let current = ProcessEnvironment.current
  #expect(current.variables["PATH"]?.isEmpty == false)
  #expect(current.executable?.hasPrefix("/") == true)
}
