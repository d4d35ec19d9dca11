import Foundation

/// Any JSON value, to be damaged and compared.
enum JSONValue: Hashable, Sendable {
    case object([String: JSONValue])
    case array([JSONValue])
    case integer(Int)
    case real(Double)
    case text(String)
    case null
}

extension JSONValue: Codable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let integer = try? container.decode(Int.self) {
            self = .integer(integer)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let array = try? container.decode([JSONValue].self) {
            self = .array(array)
        } else if let members = try? container.decode([String: JSONValue].self) {
            self = .object(members)
        } else {
            self = .real(try container.decode(Double.self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .object(let members): try container.encode(members)
        case .array(let elements): try container.encode(elements)
        case .integer(let integer): try container.encode(integer)
        case .real(let real): try container.encode(real)
        case .text(let text): try container.encode(text)
        case .null: try container.encodeNil()
        }
    }

    init(_ text: String) throws {
        self = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
    }

    init(of value: some Encodable) throws { try self.init(value.json) }
}

extension Encodable {
    /// The value as JSON, with a fixed order of keys.
    var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }
}

extension JSONValue {
    /// All values that differ from this one in one place: a part is removed, doubled, swapped with
    /// its neighbour, or replaced by another value or kind.
    var mutations: [JSONValue] {
        var mutations = Self.strangers.filter { $0 != self }
        switch self {
        case .object(let members):
            for (key, value) in members.sorted(by: { $0.key < $1.key }) {
                mutations += value.mutations.map { changed in
                    .object(members.merging([key: changed]) { $1 })
                }
                mutations.append(.object(members.filter { $0.key != key }))
            }
        case .array(let elements):
            for (index, value) in elements.enumerated() {
                mutations += value.mutations.map { changed in
                    var others = elements
                    others[index] = changed
                    return .array(others)
                }
                var (dropped, doubled, swapped) = (elements, elements, elements)
                dropped.remove(at: index)
                doubled.insert(value, at: index)
                mutations += [.array(dropped), .array(doubled)]
                if index > 0 {
                    swapped.swapAt(index, index - 1)
                    mutations.append(.array(swapped))
                }
            }
        case .integer(let integer):
            mutations += [.integer(integer + 1), .integer(integer - 1), .integer(integer + 7)]
        case .text(let text):
            mutations += [.text(text + "1"), .text(String(text.dropLast())), .text("")]
        case .real, .null: break
        }
        return mutations
    }

    private static let strangers: [JSONValue] = [
        .null, .array([]), .object([:]), .text("x"), .real(1.5), .real(1e300),
        .integer(-1), .integer(0), .integer(2), .integer(1 << 53), .integer(.max), .integer(.min),
    ]
}
