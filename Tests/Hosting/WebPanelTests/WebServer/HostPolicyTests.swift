import Testing
import WebPanel

@Suite(.timeLimit(.minutes(5)))
struct HostPolicyTests {
  private static func policy(_ addresses: String..., port: Int = 8080) -> HostPolicy {
    HostPolicy(port: port, addresses: addresses, machine: "Stage")
  }

  private let own = policy("127.0.0.1")
  private let one = policy("127.0.0.1", "192.168.1.5")
  private let all = policy("0.0.0.0")
  private let all6 = policy("127.0.0.1", "::")

  @Test func `the address of the loopback interface is admitted`() {
    for policy in [own, one, all, all6] { #expect(policy.admits(host: "127.0.0.1:8080")) }
  }

  @Test(arguments: [
    "evil.example:8080", "127.0.0.1:8081", "127.0.0.1", "localhost.evil.example:8080",
    "127.0.0.1.evil.example:8080", "127.0.0.1:8080:8080", "127.0.0.1:08080", "", ":8080",
    "[::1]", "[::1]:8080.evil", "[::1]:8080", "127.0.0.1.:8080", "user@127.0.0.1:8080",
    "127.0.0.1:8080/x", "192.168.1.5:8080", "stage:8080", "127.1:8080", "0x7f000001:8080",
    "127.0.0.2:8080", "0.0.0.0:8080", "[::ffff:127.0.0.1]:8080", "[127.0.0.1]:8080",
  ])
  func `any other name is refused on the loopback interface`(_ host: String) {
    #expect(!own.admits(host: host))
  }

  @Test func `localhost is refused, because it also is an address at which others can listen`() {
    for policy in [own, one, all, all6] { #expect(!policy.admits(host: "localhost:8080")) }
  }

  @Test func `a missing host is refused`() {
    for policy in [own, one, all, all6] { #expect(!policy.admits(host: nil)) }
  }

  @Test(arguments: ["stage:8080", "Stage.local:8080"])
  func `the machine's name is admitted if other machines reach the panel`(_ host: String) {
    for policy in [one, all, all6] { #expect(policy.admits(host: host)) }
  }

  @Test func `an address is admitted if the panel listens at it`() {
    #expect(one.admits(host: "192.168.1.5:8080") && !one.admits(host: "192.168.1.6:8080"))
    #expect(all.admits(host: "192.168.1.6:8080") && !all.admits(host: "[fe80::1]:8080"))
    #expect(all6.admits(host: "[fe80:0::1]:8080") && !all6.admits(host: "192.168.1.6:8080"))
  }

  @Test(arguments: [
    "evil.example:8080", "1.2.3:8080", "1.2.3.4.evil.example:8080", "256.1.1.1:8080",
    "1.2.3.4x:8080", "[evil.example]:8080", "stage.evil.example:8080", "1.2.3.+4:8080",
  ])
  func `a name that can be rebound is refused even then`(_ host: String) {
    for policy in [one, all, all6] { #expect(!policy.admits(host: host)) }
  }

  @Test func `programs send no origin, and browsers that of the host`() {
    func admits(_ origin: String?) -> Bool {
      all.admits(origin: origin, hasOrigin: true, host: "Stage:8080")
    }
    #expect(all.admits(origin: nil, hasOrigin: false, host: "stage:8080"))
    #expect(admits("http://stage:8080") && admits("http://Stage:8080"))
    for origin in [
      nil, "null", "https://stage:8080", "http://stage:8080/", "http://evil.example",
      // Hosts that the panel admits, but not the host of this request.
      "http://127.0.0.1:8080", "http://stage.local:8080",
    ] {
      #expect(!admits(origin), "\(origin ?? "too long")")
    }
  }

  @Test func `port 80 may be left out`() {
    let policy = Self.policy("127.0.0.1", port: 80)
    #expect(policy.admits(host: "127.0.0.1"))
    #expect(policy.admits(host: "127.0.0.1:80"))
    #expect(!policy.admits(host: "127.0.0.1:8080"))
  }
}
