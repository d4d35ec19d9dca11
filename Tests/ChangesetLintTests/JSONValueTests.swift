import Testing

@testable import changeset_lint

@Suite struct JSONValueTests {
    @Test func theFirstMemberOfAKeyIsItsValue() {
        let object = JSONValue.object([
            .init(key: "a", value: .integer(1)), .init(key: "b", value: .integer(2)),
            .init(key: "a", value: .integer(3)),
        ])
        #expect(object["a"] == .integer(1))
        #expect(object["b"] == .integer(2))
        #expect(object["c"] == nil)
        #expect(JSONValue.array([object])["a"] == nil)
    }

    @Test func everyKindHasAName() {
        let digits = "1.2345678901234567890123"
        #expect(JSONValue.null.kind == "null")
        #expect(JSONValue.bool(true).kind == "a truth value")
        #expect(JSONValue.integer(1).kind == "an integer")
        #expect(JSONValue.string("a").kind == "a string")
        #expect(JSONValue.array([]).kind == "an array")
        #expect(JSONValue.object([]).kind == "an object")
        #expect(digits.count == 24)
        #expect(JSONValue.number(digits).kind == "the number \(digits)")
        #expect(JSONValue.number(digits + "4").kind == "the number \(digits)…")
    }

    @Test func membersAndElementsAreWrittenInTheirOrder() {
        let value = JSONValue.object([
            .init(key: "b", value: .array([.number("1.50"), .integer(-2), .null])),
            .init(key: "a", value: .array([.bool(true), .bool(false), .string("é")])),
            .init(key: "", value: .object([.init(key: "x", value: .array([]))])),
        ])
        #expect(value.text == #"{"b":[1.50,-2,null],"a":[true,false,"é"],"":{"x":[]}}"#)
    }

    @Test func everyControlCharacterIsWrittenAsItsCodeAndReadBack() throws {
        for code in 0..<0x80 as Range<UInt8> {
            let character = String(Character(Unicode.Scalar(code)))
            let written =
                switch code {
                case 0x0A: "\\n"
                case 0..<0x10: "\\u000\(String(code, radix: 16))"
                case 0x10..<0x20: "\\u00\(String(code, radix: 16))"
                case UInt8(ascii: "\""), UInt8(ascii: "\\"): "\\\(character)"
                default: character
                }
            let value = JSONValue.array([.string("<" + character + ">")])
            #expect(value.text == "[\"<\(written)>\"]")
            #expect(try JSONParser.parse(Array(value.text.utf8)) == value)
        }
    }
}
