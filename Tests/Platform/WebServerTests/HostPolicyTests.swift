import Testing

@testable import WebServer

@Suite(.timeLimit(.minutes(1)))
struct HostPolicyTests {
  private let own = HostPolicy(port: 8080, isPublic: false, machine: "Stage")
  private let open = HostPolicy(port: 8080, isPublic: true, machine: "Stage")

  @Test(arguments: ["127.0.0.1:8080", "localhost:8080", "[::1]:8080", "LOCALHOST:8080"])
  func `a loopback name is admitted`(_ host: String) {
    #expect(own.admits(host: host))
    #expect(open.admits(host: host))
    #expect(own.admits(origin: "http://\(host)", hasOrigin: true))
  }

  @Test(arguments: [
    "evil.example:8080", "127.0.0.1:8081", "127.0.0.1", "localhost.evil.example:8080",
    "127.0.0.1.evil.example:8080", "localhost:8080:8080", "localhost:08080", "", ":8080",
    "[::1]", "[::1]:8080.evil", "localhost.:8080", "user@localhost:8080", "127.0.0.1:8080/x",
    "192.168.1.5:8080", "stage:8080",
  ])
  func `any other name is refused on the loopback interface`(_ host: String) {
    #expect(!own.admits(host: host))
    #expect(!own.admits(origin: "http://\(host)", hasOrigin: true))
  }

  @Test func `a missing host is refused`() {
    #expect(!own.admits(host: nil))
    #expect(!open.admits(host: nil))
  }

  @Test(arguments: ["192.168.1.5:8080", "[fe80::1]:8080", "stage:8080", "Stage.local:8080"])
  func `an address or the machine's name is admitted if other machines reach the panel`(
    _ host: String
  ) {
    #expect(open.admits(host: host))
  }

  @Test(arguments: [
    "evil.example:8080", "1.2.3:8080", "1.2.3.4.evil.example:8080", "256.1.1.1:8080",
    "1.2.3.4x:8080", "[evil.example]:8080", "stage.evil.example:8080", "1.2.3.+4:8080",
  ])
  func `a name that can be rebound is refused even then`(_ host: String) {
    #expect(!open.admits(host: host))
  }

  @Test func `programs send no origin, and browsers a right one`() {
    #expect(own.admits(origin: nil, hasOrigin: false))
    #expect(!own.admits(origin: nil, hasOrigin: true))
    #expect(!own.admits(origin: "null", hasOrigin: true))
    #expect(!own.admits(origin: "https://localhost:8080", hasOrigin: true))
    #expect(!own.admits(origin: "http://localhost:8080/", hasOrigin: true))
    #expect(!own.admits(origin: "http://evil.example", hasOrigin: true))
  }

  @Test func `port 80 may be left out`() {
    let policy = HostPolicy(port: 80, isPublic: false, machine: "")
    #expect(policy.admits(host: "localhost"))
    #expect(policy.admits(host: "localhost:80"))
    #expect(!policy.admits(host: "localhost:8080"))
  }
}
