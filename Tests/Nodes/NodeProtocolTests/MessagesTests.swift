import Foundation
import NodeProtocol
import RenderCore
import Testing

@Suite(.timeLimit(.minutes(5))) struct MessagesTests {
  @Test(arguments: MessageExample.all)
  func `each message has the documented JSON`(example: MessageExample) throws {
    #expect(try example.decode(Array(example.text.utf8)))
    #expect(try json(example.packet) == json(Array(example.text.utf8)))
  }

  @Test func `an unknown error code is an error all the same`() throws {
    let text = #"{"id": 7, "error": {"code": "tired", "message": "not today"}}"#
    #expect(
      try ReceivedMessage(Array(text.utf8)).kind == .error(id: 7, .init(.other, "not today")))
  }

  @Test func `unknown fields are ignored, and missing parameters are empty`() throws {
    let text = #"""
      {"id": 3, "later": [1], "method": "open", "params": {"sooner": null, "component":
      {"type": "instrument", "subtype": "gmsy", "manufacturer": "Ptvo", "more": {"a": 1}}}}
      """#
    let message = try ReceivedMessage(Array(text.utf8))
    #expect(try message.parameters(OpenPort.self) == OpenPort(component: MessageExample.component))
    let empty = try ReceivedMessage(Array(#"{"id": 3, "method": "values"}"#.utf8))
    #expect(try empty.parameters(GetValues.self) == GetValues())
  }

  @Test(
    arguments: [
      ("", nil), ("{", nil), ("null", nil), ("[]", nil), ("17", nil), ("\u{FEFF}", nil),
      ("{}", nil),
      (#"{"id": 1}"#, 1), (#"{"result": {}}"#, nil), (#"{"id": 1, "method": 5}"#, 1),
      (#"{"id": 1, "method": "x", "result": {}}"#, 1), (#"{"id": -1, "method": "values"}"#, nil),
      (#"{"id": 4294967296, "method": "values"}"#, nil), (#"{"id": 1.5, "method": "values"}"#, nil),
      (#"{"id": "1", "method": "values"}"#, nil), (#"{"id": 1, "error": {"code": "x"}}"#, 1),
      (String(repeating: "[", count: 60_000), nil),
      (#"{"id":1,"method":"# + String(repeating: #"{"a":"#, count: 10_000), nil),
    ] as [(String, UInt32?)])
  func `what is not a message is refused with its ID if it has one`(text: String, id: UInt32?) {
    do throws(ReceivedMessage.Malformed) {
      _ = try ReceivedMessage(Array(text.utf8))
      Issue.record("it was accepted")
    } catch {
      #expect(error.id == id)
      #expect(error.error.code == .badMessage)
    }
  }

  @Test(arguments: [
    (#"{}"#, "params.component"), (#"{"component": 5}"#, "params.component"),
    (#"{"component": {"type": "effect", "manufacturer": "Ptvo"}}"#, "params.component.subtype"),
    (
      #"{"component": {"type": "x", "subtype": "gmsy", "manufacturer": "Ptvo"}}"#,
      "params.component.type"
    ),
    (
      #"{"component": {"type": "effect", "subtype": "gms", "manufacturer": "Ptvo"}}"#,
      "params.component.subtype"
    ),
  ])
  func `an error names the missing or invalid field`(params: String, field: String) throws {
    let message = try ReceivedMessage(
      Array(#"{"id": 1, "method": "open", "params": \#(params)}"#.utf8))
    do throws(ProtocolError) {
      _ = try message.parameters(OpenPort.self)
      Issue.record("it was accepted")
    } catch {
      #expect(error.code == .badMessage)
      #expect(error.data?.field == field)
      #expect(error.message.contains("'\(field)'"))
    }
  }

  private func json(_ bytes: [UInt8]) throws -> NSDictionary {
    try #require(JSONSerialization.jsonObject(with: Data(bytes)) as? NSDictionary)
  }
}
