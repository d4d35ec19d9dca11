import CollectionPipeline

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

    /// Returns an array of the section and the item.
    static func path(_ path: ItemPath) -> JSONValue { .integers([path.section, path.item]) }

    /// Returns an integer.
    static func animation(_ option: AnimationOption) -> JSONValue { .integer(option.rawValue) }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
    /// Makes an object with the members that have a value, in the order of the literal.
    init(dictionaryLiteral members: (String, JSONValue?)...) {
        self = .object(
            members.compactMap { key, value in value.map { Member(key: key, value: $0) } }
        )
    }
}

extension JSONValue {
    /// The compact text: no spaces, members in order, characters outside ASCII unescaped.
    var text: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .number(let text): text
        case .string(let value): Self.quoted(value)
        case .array(let elements): "[\(elements.map(\.text).joined(separator: ","))]"
        case .object(let members):
            "{"
                + members.map { "\(Self.quoted($0.key)):\($0.value.text)" }.joined(separator: ",")
                + "}"
        }
    }

    private static func quoted(_ string: String) -> String {
        var result = "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case "\n": result += "\\n"
            case "\0"..<" ":
                let digits = String(scalar.value, radix: 16)
                result += "\\u00\(digits.count < 2 ? "0" : "")\(digits)"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
