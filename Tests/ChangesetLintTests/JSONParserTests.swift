import Testing

@testable import changeset_lint

@Suite struct JSONParserTests {
    private func parse(_ text: String) throws -> JSONValue {
        try JSONParser.parse(Array(text.utf8))
    }

    @Test(
        arguments: [
            (" null ", JSONValue.null), ("true", .bool(true)), ("false", .bool(false)),
            ("-0", .integer(0)), ("9223372036854775807", .integer(.max)),
            ("-9223372036854775808", .integer(.min)),
            ("9223372036854775808", .number("9223372036854775808")),
            ("1e400", .number("1e400")), ("-0.5E+3", .number("-0.5E+3")), ("1.0", .number("1.0")),
            (#""a\"\\\/\n\u00e9\ud83d\ude00""#, .string("a\"\\/\né😀")),
            ("[ ]", .array([])), ("[1,[]]", .array([.integer(1), .array([])])), ("{}", .object([])),
            (
                #"{"b":1, "a":null}"#,
                .object([.init(key: "b", value: .integer(1)), .init(key: "a", value: .null)])
            ),
        ]
    )
    func aTextBecomesAValue(text: String, value: JSONValue) throws {
        #expect(try parse(text) == value)
        #expect(try parse(value.text) == value)
    }

    @Test(
        arguments: [
            ("", 1), ("nul", 1), ("[1,2", 5), ("[1 2]", 4), ("[1,]", 4), ("{", 2), ("{1:2}", 2),
            (#"{"a" 1}"#, 6), (#"{"a":1,}"#, 8), (#"{"a":1,"a":2}"#, 8), ("01", 1), ("-", 2),
            ("-01", 2), ("1.", 3), ("1e", 3), ("+1", 1), (".5", 1), ("NaN", 1), ("\"a", 1),
            (#""\x""#, 2), (#""\u12""#, 2), (#""\ud800""#, 2), (#""\u+123""#, 2), ("\"\u{1}\"", 2),
            ("1 1", 3), ("[1]]", 4),
        ]
    )
    func anythingElseIsAFaultInItsColumn(text: String, column: Int) {
        #expect {
            try parse(text)
        } throws: {
            ($0 as? JSONSyntaxError)?.column == column
        }
    }

    @Test func bytesThatAreNotUTF8AreAFault() {
        #expect(throws: JSONSyntaxError.self) {
            try JSONParser.parse([UInt8(ascii: "\""), 0xFF, UInt8(ascii: "\"")])
        }
    }

    @Test func deepNestingIsAFaultAndNoCrash() throws {
        let depth = 100_000
        #expect(throws: JSONSyntaxError.self) {
            try parse(String(repeating: "[", count: depth) + String(repeating: "]", count: depth))
        }
        _ = try parse(String(repeating: "[", count: 64) + String(repeating: "]", count: 64))
    }

    @Test func everyPrefixOfAScenarioIsAFault() throws {
        let text = #"{"id":"\u00e9","oldCounts":[1,-2.5e3],"ops":[{"op":null}],"x":true}"#
        _ = try parse(text)
        for length in 0..<text.utf8.count {
            #expect(throws: JSONSyntaxError.self) {
                try JSONParser.parse(Array(text.utf8.prefix(length)))
            }
        }
    }
}
