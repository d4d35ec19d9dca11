/// Reads rows and headers back from what they are on a page: whoever goes on with a list that another server has made
/// has nothing else of it.
///
/// What reads anything but what `ListRow.html` and `ListHeader.html` write gives nil.
enum Markup {
    /// An element of a page: its attributes, and the spans in it.
    struct Element: Equatable {
        fileprivate(set) var attributes: [String: String] = [:]
        fileprivate(set) var spans: [Span] = []

        /// The class, which may be several words.
        var classes: [Substring] { attributes["class", default: ""].split(separator: " ") }

        /// The first span of a class.
        func span(_ name: String) -> Span? {
            spans.first { $0.attributes["class"]?.split(separator: " ").first == name[...] }
        }
    }

    /// An element within a row.
    struct Span: Equatable {
        fileprivate(set) var attributes: [String: String]
        fileprivate(set) var text = ""
    }

    /// Reads one element, whose children have text alone.
    // Byte by byte: what follows on a bracket may be a mark that makes one character with it.
    static func element(_ bytes: [UInt8]) -> Element? {
        var rest = bytes[...]
        guard let outer = tag(&rest), outer.name == "div" else { return nil }
        var element = Element(attributes: outer.attributes)
        while rest.first == UInt8(ascii: "<"), !rest.starts(with: "</".utf8) {
            guard let inner = tag(&rest) else { return nil }
            let end = rest.firstIndex(of: UInt8(ascii: "<")) ?? rest.endIndex
            guard let content = unescaped(rest[..<end]) else { return nil }
            rest = rest[end...]
            guard drop("</\(inner.name)>", from: &rest) else { return nil }
            element.spans.append(Span(attributes: inner.attributes, text: content))
        }
        guard drop("</div>", from: &rest), rest.isEmpty else { return nil }
        return element
    }

    private typealias Bytes = ArraySlice<UInt8>

    private static func tag(_ rest: inout Bytes) -> (name: String, attributes: [String: String])? {
        guard drop("<", from: &rest) else { return nil }
        let name = word(&rest)
        guard !name.isEmpty else { return nil }
        var attributes: [String: String] = [:]
        while drop(" ", from: &rest) {
            let key = word(&rest)
            guard !key.isEmpty, drop("=\"", from: &rest),
                let end = rest.firstIndex(of: UInt8(ascii: "\"")),
                let value = unescaped(rest[..<end]),
                attributes.updateValue(value, forKey: key) == nil
            else { return nil }
            rest = rest[(end + 1)...]
        }
        return drop(">", from: &rest) ? (name, attributes) : nil
    }

    private static func word(_ rest: inout Bytes) -> String {
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        let word = rest.prefix { letters.contains($0) || $0 == UInt8(ascii: "-") }
        rest = rest[word.endIndex...]
        return String(decoding: word, as: UTF8.self)
    }

    private static func drop(_ prefix: String, from rest: inout Bytes) -> Bool {
        guard rest.starts(with: prefix.utf8) else { return false }
        rest = rest.dropFirst(prefix.utf8.count)
        return true
    }

    /// The text that `HTMLText.escaped` was given; nil where it would have written something else.
    private static func unescaped(_ bytes: Bytes) -> String? {
        var (plain, rest): ([UInt8], Bytes) = ([], bytes)
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "&"):
                let name = rest.prefix { $0 != UInt8(ascii: ";") }
                guard name.endIndex < rest.endIndex,
                    let found = entities[String(decoding: name, as: UTF8.self)]
                else { return nil }
                plain.append(found)
                rest = rest[(name.endIndex + 1)...]
            case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"):
                return nil
            default: plain.append(byte)
            }
        }
        return String(validating: plain, as: UTF8.self)
    }

    private static let entities: [String: UInt8] = [
        "amp": UInt8(ascii: "&"), "lt": UInt8(ascii: "<"), "gt": UInt8(ascii: ">"),
        "quot": UInt8(ascii: "\""), "#39": UInt8(ascii: "'"),
    ]
}
