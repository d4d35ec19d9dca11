import Testing

@testable import changeset_lint

@Suite struct JSONDifferenceTests {
    private func difference(_ expected: String, _ found: String?) throws -> String {
        func value(_ text: String) throws -> JSONValue { try JSONParser.parse(Array(text.utf8)) }
        let found = try found.map(value)
        return JSONDifference(expected: try value(expected), found: found, at: "x").description
    }

    @Test(
        arguments: [
            ("1", "2", "x: expected 1, found 2"),
            ("[1,2,3,4]", "[1,5,3,6]", "x[1]: expected 2, found 5"),
            ("[1,2]", "[1]", "x: expected [1,2], found [1]"),
            ("[1]", "[2,3]", "x: expected [1], found [2,3]"),
            ("[1,2]", "[3]", "x: expected [1,2], found [3]"),
            ("[]", "{}", "x: expected [], found {}"),
            (
                #"{"a":1,"b":2,"c":3}"#, #"{"a":1,"b":4,"c":5}"#,
                "x.b: expected 2, found 4"
            ),
            (#"{"a":1}"#, #"{"b":2}"#, #"x: expected {"a":1}, found {"b":2}"#),
            (#"{"a":1}"#, #"{"a":2,"b":2}"#, #"x: expected {"a":1}, found {"a":2,"b":2}"#),
            (#"{"a":1,"b":2}"#, #"{"a":2}"#, #"x: expected {"a":1,"b":2}, found {"a":2}"#),
            (
                #"[0,{"a":[[],[true,{"b":null}]]}]"#, #"[0,{"a":[[],[true,{"b":"c"}]]}]"#,
                #"x[1].a[1][1].b: expected null, found "c""#
            ),
            // Where nothing differs, there is nowhere to descend to.
            (#"[{"a":1}]"#, #"[{"a":1}]"#, #"x: expected [{"a":1}], found [{"a":1}]"#),
        ]
    )
    func theFirstPlaceThatDiffersIsNamed(expected: String, found: String, text: String) throws {
        #expect(try difference(expected, found) == text)
    }

    @Test func whatIsNotThereIsNothing() throws {
        #expect(try difference("[1]", nil) == "x: expected [1], found nothing")
    }

    @Test func aLongTextIsCutAfterItsBeginning() throws {
        let digits = (0..<161).map { String($0 % 10) }.joined()
        func text(_ count: Int) throws -> String {
            // The quotes count.
            try difference("\"\(digits.prefix(count - 2))\"", "1")
        }
        #expect(try text(160) == "x: expected \"\(digits.prefix(158))\", found 1")
        #expect(try text(161) == "x: expected \"\(digits.prefix(159))…, found 1")
    }
}
