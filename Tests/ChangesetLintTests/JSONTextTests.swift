import Testing

@testable import changeset_lint

/// What a text may consist of, down to its characters.
@Suite struct JSONTextTests {
    private func parse(_ text: String) throws(JSONSyntaxError) -> JSONValue {
        try JSONParser.parse(Array(text.utf8))
    }

    private func fault(_ text: String) -> JSONSyntaxError? {
        do throws(JSONSyntaxError) {
            _ = try parse(text)
            return nil
        } catch {
            return error
        }
    }

    @Test func spaceOfFourKindsMayStandBetweenAll() throws {
        let tokens = ["{", "\"a\"", ":", "[", "1", ",", "{", "}", "]", ",", "\"b\"", ":", "[", "]"]
        let compact = tokens.joined() + "}"
        let value = try parse(compact)
        for byte in 0..<0x21 as Range<UInt8> {
            let space = String(Character(Unicode.Scalar(byte)))
            let text = space + (tokens + ["}"]).joined(separator: space + space) + space
            if [0x09, 0x0A, 0x0D, 0x20].contains(byte) {
                #expect(try parse(text) == value, "\(byte)")
            } else {
                #expect(fault(text) == JSONSyntaxError(column: 1, message: "expected a value"))
                #expect(fault("[1\(space)]")?.column == 3)
            }
        }
        #expect(try parse("{ }") == .object([]))
    }

    @Test(
        arguments: [
            ("\"", "\""), ("\\", "\\"), ("/", "/"), ("b", "\u{8}"), ("f", "\u{c}"), ("n", "\n"),
            ("r", "\r"), ("t", "\t"), ("u0000", "\0"), ("u00e9", "é"), ("u00E9", "é"),
            ("ud7ff", "\u{d7ff}"), ("ue000", "\u{e000}"), ("uffff", "\u{ffff}"),
            ("ud800\\udc00", "\u{10000}"), ("ud800\\udfff", "\u{103ff}"),
            ("udbff\\udc00", "\u{10fc00}"), ("udbff\\udfff", "\u{10ffff}"),
            ("uD83D\\uDE00", "😀"),
        ]
    )
    func anEscapeIsItsCharacter(escape: String, character: String) throws {
        #expect(try parse("\"<\\\(escape)>\"") == .string("<\(character)>"))
        #expect(try parse("[\"\\\(escape)\",1]") == .array([.string(character), .integer(1)]))
    }

    /// What is behind the backslash, up to the end of the text.
    @Test(
        arguments: [
            "a\"", "x\"", "0\"", "U0041\"", "u12", "u123\"", "u123", "u12g4\"", "u+123\"",
            "udc00\"", "udfff\"", "udc00\\ud800\"", "ud800\"", "ud800x\"", "ud800\\n\"",
            "ud800\\ud7ff\"", "ud800\\ud800\"", "ud800\\udbff\"", "ud800\\ue000\"",
            "ud83dude00\"", "ud83d\\de00\"", "udbff\\ue000\"", "udbff\"",
        ]
    )
    func anyOtherEscapeIsAFaultWhereItBegins(escape: String) {
        #expect(
            fault("\"<\\\(escape)")
                == JSONSyntaxError(column: 3, message: "an escape that JSON does not have")
        )
    }

    @Test(
        arguments: [
            "0", "7", "10", "-1", "0.5", "-0.25", "10.01", "1e3", "1E3", "1e+3", "1e-3", "1E+03",
            "2.5e-07", "0e0",
        ]
    )
    func aNumberIsKeptAsItIsWritten(text: String) throws {
        let value = try parse(text)
        #expect(value == (Int(text).map(JSONValue.integer) ?? .number(text)))
        #expect(try parse("[\(text)]") == .array([value]))
    }

    @Test(
        arguments: [
            ("00", 1, "a number must not begin with 0"),
            ("-007", 2, "a number must not begin with 0"), ("-", 2, "expected a digit"),
            ("1.", 3, "expected a digit"), ("1.e3", 3, "expected a digit"),
            ("1e", 3, "expected a digit"), ("1e+", 4, "expected a digit"),
            ("1e+-3", 4, "expected a digit"), ("1e-+3", 4, "expected a digit"),
            ("", 1, "expected a value, but the line ends"),
            ("[", 2, "expected a value, but the line ends"),
            ("nul", 1, "expected a value"), ("[1", 3, "expected ',' or ']'"),
            (#"{"a""#, 5, "expected ':'"), (#"{"a":1"#, 7, "expected ',' or '}'"),
            ("1 2", 3, "expected the end of the line"), ("\"a", 1, "a string without an end"),
            ("[\"a\\", 5, "a string without an end"),
            ("\"a\nb\"", 3, "a control character in a string"),
        ]
    )
    func whatIsWrongIsSaidInItsColumn(text: String, column: Int, message: String) {
        #expect(fault(text) == JSONSyntaxError(column: column, message: message))
    }

    @Test func bytesThatAreNotUTF8AreAFaultWhereTheirStringBegins() {
        #expect(throws: JSONSyntaxError(column: 2, message: "a string that is not UTF-8")) {
            try JSONParser.parse(Array("[\"abc".utf8) + [0xFF] + Array("\"]".utf8))
        }
    }

    @Test func aLongKeyIsNamedByItsBeginning() {
        let key = "abcdefghijklmnopqrstuvwxyz"
        #expect(
            fault("{\"\(key)\":1,\"\(key)\":2}")
                == JSONSyntaxError(
                    column: 33,
                    message: "the key \"abcdefghijklmnopqrstuvwx\" is there twice"
                )
        )
    }

    @Test func sixtyFourLevelsMayBeNestedAndNoMore() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        _ = try parse(nested(64))
        // Siblings are not deeper.
        _ = try parse("[" + Array(repeating: nested(63), count: 3).joined(separator: ",") + "]")
        #expect(
            fault(nested(65))
                == JSONSyntaxError(column: 65, message: "nested deeper than 64 levels")
        )
    }
}
