/// A JSON text as a value. Objects keep the order of their members, and numbers that are not 64-bit
/// integers keep their digits, so nothing is rounded or reordered between reading and writing.
enum JSONValue: Equatable, Sendable {
    case null
    case bool(Bool)
    case integer(Int)
    /// A number with a fraction, an exponent or too many digits for an integer, as it was written.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([Member])

    struct Member: Equatable, Sendable {
        var key: String
        var value: JSONValue
    }

    /// The value of an object's first member with this key.
    subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }

    /// A name for the kind of value, for messages.
    var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a Boolean"
        case .integer: "an integer"
        case .number(let text): "the number \(text.count > 24 ? "\(text.prefix(24))…" : text)"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }

    /// Returns an array of integers.
    static func integers(_ numbers: some Sequence<Int>) -> JSONValue {
        .array(numbers.map(JSONValue.integer))
    }

    /// Returns an array of strings.
    static func strings(_ strings: some Sequence<String>) -> JSONValue {
        .array(strings.map(JSONValue.string))
    }
}

extension JSONValue {
    /// The compact text: no spaces, members in order, characters outside ASCII unescaped.
    var text: String {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the compact text.
    func write(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
        case .integer(let value): bytes.append(contentsOf: String(value).utf8)
        case .number(let text): bytes.append(contentsOf: text.utf8)
        case .string(let value): Self.write(value, to: &bytes)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                element.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                Self.write(member.key, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.value.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    private static func write(_ string: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in string.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case UInt8(ascii: "\n"): bytes.append(contentsOf: "\\n".utf8)
            case 0..<0x20:
                let digits = String(byte, radix: 16)
                bytes.append(contentsOf: "\\u00\(digits.count < 2 ? "0" : "")\(digits)".utf8)
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
