import Foundation

/// A parser for one JSON text.
///
/// Foundation's decoder reads only the strings, because a linter must not guess: the decoder keeps
/// one of two equal keys, accepts `1.0` as an integer, and cannot report the column of an error.
struct JSONParser {
    private let bytes: [UInt8]
    private var position = 0
    private var depth = 0

    /// The maximum depth: deeper than any scenario, and far from exhausting the stack.
    private static let depthLimit = 64

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Returns the value in `bytes`, which may have only white space around it.
    static func parse(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSONValue {
        var parser = JSONParser(bytes)
        let value = try parser.value()
        parser.skipSpace()
        guard parser.position == bytes.count else {
            throw parser.error("expected the end of the line")
        }
        return value
    }

    // MARK: Values

    private mutating func value() throws(JSONSyntaxError) -> JSONValue {
        skipSpace()
        guard let byte = peek else { throw error("expected a value, but the line ends") }
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            guard depth < Self.depthLimit else {
                throw error("nested deeper than \(Self.depthLimit) levels")
            }
            depth += 1
            position += 1
            defer { depth -= 1 }
            return byte == UInt8(ascii: "{") ? try object() : try array()
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: throw error("expected a value")
        }
    }

    private mutating func object() throws(JSONSyntaxError) -> JSONValue {
        var members: [JSONValue.Member] = []
        var keys: Set<String> = []
        skipSpace()
        if take(UInt8(ascii: "}")) { return .object([]) }
        repeat {
            skipSpace()
            guard peek == UInt8(ascii: "\"") else { throw error("expected a key in quotes") }
            let start = position
            let key = try string()
            guard keys.insert(key).inserted else {
                position = start
                throw error("the key \"\(key.prefix(24))\" occurs twice")
            }
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw error("expected ':'") }
            members.append(JSONValue.Member(key: key, value: try value()))
            skipSpace()
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "}")) else { throw error("expected ',' or '}'") }
        return .object(members)
    }

    private mutating func array() throws(JSONSyntaxError) -> JSONValue {
        var elements: [JSONValue] = []
        skipSpace()
        if take(UInt8(ascii: "]")) { return .array([]) }
        repeat {
            elements.append(try value())
            skipSpace()
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "]")) else { throw error("expected ',' or ']'") }
        return .array(elements)
    }

    private mutating func word(
        _ word: String,
        _ value: JSONValue
    ) throws(JSONSyntaxError) -> JSONValue {
        guard bytes[position...].starts(with: word.utf8) else { throw error("expected a value") }
        position += word.utf8.count
        return value
    }

    private mutating func number() throws(JSONSyntaxError) -> JSONValue {
        let start = position
        _ = take(UInt8(ascii: "-"))
        let firstDigit = position
        let count = skipDigits()
        guard count > 0 else { throw error("expected a digit") }
        if count > 1, bytes[firstDigit] == UInt8(ascii: "0") {
            position = firstDigit
            throw error("a number must not begin with 0")
        }
        if take(UInt8(ascii: ".")), skipDigits() == 0 { throw error("expected a digit") }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            _ = take(UInt8(ascii: "+")) || take(UInt8(ascii: "-"))
            guard skipDigits() > 0 else { throw error("expected a digit") }
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        return Int(text).map(JSONValue.integer) ?? .number(text)
    }

    // MARK: Strings

    private mutating func string() throws(JSONSyntaxError) -> String {
        let start = position
        position += 1
        while let byte = peek, byte != UInt8(ascii: "\"") {
            guard byte >= 0x20 else { throw error("a control character in a string") }
            position += byte == UInt8(ascii: "\\") ? 2 : 1
        }
        guard take(UInt8(ascii: "\"")) else {
            position = start
            throw error("unterminated string")
        }
        let text = Data(bytes[start..<position])
        guard let string = try? JSONDecoder().decode(String.self, from: text) else {
            position = start
            throw error("a string with an invalid escape sequence, or not in UTF-8")
        }
        return string
    }

    // MARK: Bytes

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipDigits() -> Int {
        let start = position
        while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
            position += 1
        }
        return position - start
    }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            position += 1
        }
    }

    private func error(_ message: String) -> JSONSyntaxError {
        JSONSyntaxError(column: position + 1, message: message)
    }
}

/// The reason why a text is not valid JSON.
struct JSONSyntaxError: Error, Equatable {
    /// The column of the invalid byte, counted from 1.
    let column: Int
    /// The expected text at the column, or the fault there.
    let message: String
}
