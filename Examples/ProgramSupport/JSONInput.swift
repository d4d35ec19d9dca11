import Foundation

/// The reason why bytes are not the expected JSON, as a sentence.
package struct JSONFault: Error, CustomStringConvertible {
    package let description: String

    /// - Parameter noun: A noun for the whole value.
    fileprivate init(_ error: DecodingError, _ noun: String) {
        func path(_ context: DecodingError.Context, _ last: (any CodingKey)? = nil) -> String {
            let keys = context.codingPath + (last.map { [$0] } ?? [])
            return keys.reduce(into: "") { path, key in
                if let index = key.intValue {
                    path += "[\(index)]"
                } else {
                    path += path.isEmpty ? key.stringValue : ".\(key.stringValue)"
                }
            }
        }
        description =
            switch error {
            case .keyNotFound(let key, let context): "missing field '\(path(context, key))'"
            case .typeMismatch(_, let context), .valueNotFound(_, let context):
                context.codingPath.isEmpty
                    ? "\(noun) must be an object" : "'\(path(context))' is of the wrong type"
            case .dataCorrupted(let context) where !context.codingPath.isEmpty:
                "'\(path(context))' is invalid"
            default: "invalid JSON"
            }
    }
}

/// Decodes a JSON object.
///
/// - Parameter noun: A noun for the value, for messages.
/// - Throws: `JSONFault`, or another error that the type throws.
package func decodeJSON<Value: Decodable>(
    _ type: Value.Type,
    from bytes: some Sequence<UInt8>,
    _ noun: String
) throws -> Value {
    do {
        // Without a final newline, the decoder traps if the last byte opens one nested array too
        // many.
        return try JSONDecoder().decode(type, from: Data(bytes) + [UInt8(ascii: "\n")])
    } catch let error as DecodingError {
        throw JSONFault(error, noun)
    }
}
