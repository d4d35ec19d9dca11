/// A JSON text as a value. Objects keep the order of their members, and numbers that are no 64-bit
/// integers keep their digits, so that nothing is rounded or reordered between reading and writing.
enum JSONValue: Equatable, Sendable {
    case null
    case bool(Bool)
    case integer(Int)
    /// A fraction, an exponent, or more digits than an integer holds; as it was written.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([Member])

    struct Member: Equatable, Sendable {
        var key: String
        var value: JSONValue
    }

    /// The first member of an object that has this key.
    subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }

    /// What kind of value it is, for messages.
    var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a truth value"
        case .integer: "an integer"
        case .number(let text): "the number \(text.count > 24 ? "\(text.prefix(24))…" : text)"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }

    /// An array of integers.
    static func integers(_ numbers: some Sequence<Int>) -> JSONValue {
        .array(numbers.map(JSONValue.integer))
    }

    /// An array of strings.
    static func strings(_ strings: some Sequence<String>) -> JSONValue {
        .array(strings.map(JSONValue.string))
    }
}
