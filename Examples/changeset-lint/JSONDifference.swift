/// The first place where two values part.
struct JSONDifference: CustomStringConvertible {
    /// Such as `map[2][0]`.
    private(set) var place: String
    private(set) var expected: JSONValue?
    private(set) var found: JSONValue?

    /// Descends into arrays of equal length and objects of equal keys.
    init(expected: JSONValue?, found: JSONValue?, at place: String) {
        (self.place, self.expected, self.found) = (place, expected, found)
        while let step = step() {
            (self.place, self.expected, self.found) = step
        }
    }

    private func step() -> (String, JSONValue?, JSONValue?)? {
        switch (expected, found) {
        case (.array(let expected), .array(let found)) where expected.count == found.count:
            for (index, pair) in zip(expected, found).enumerated() where pair.0 != pair.1 {
                return ("\(place)[\(index)]", pair.0, pair.1)
            }
        case (.object(let expected), .object(let found))
        where expected.map(\.key) == found.map(\.key):
            for (left, right) in zip(expected, found) where left.value != right.value {
                return ("\(place).\(left.key)", left.value, right.value)
            }
        default: break
        }
        return nil
    }

    var description: String {
        "\(place): expected \(Self.text(expected)), found \(Self.text(found))"
    }

    private static func text(_ value: JSONValue?) -> String {
        guard let text = value?.text else { return "nothing" }
        return text.count > 160 ? "\(text.prefix(160))…" : text
    }
}
