// SVG as text, and nothing else: what is drawn is decided elsewhere.

/// The value of an attribute.
enum SVGValue: ExpressibleByStringInterpolation {
    case number(Double)
    /// Escaped when it is written.
    case text(String)

    init(stringLiteral value: String) { self = .text(value) }
}

/// Attributes in the order in which they are written.
struct SVGAttributes: ExpressibleByDictionaryLiteral {
    private(set) var pairs: [(name: String, value: SVGValue)]

    init(dictionaryLiteral pairs: (String, SVGValue)...) { self.pairs = pairs }

    static func + (left: SVGAttributes, right: SVGAttributes) -> SVGAttributes {
        var sum = left
        sum.pairs += right.pairs
        return sum
    }
}

/// Writes elements one after the other, in the order of the calls.
struct SVGWriter {
    private(set) var text = ""

    /// An element with nothing in it.
    mutating func element(_ name: String, _ attributes: SVGAttributes) {
        start(name, attributes)
        text += "/>\n"
    }

    /// An element around what `content` writes.
    mutating func element(
        _ name: String,
        _ attributes: SVGAttributes,
        _ content: (inout SVGWriter) -> Void
    ) {
        start(name, attributes)
        text += ">\n"
        content(&self)
        text += "</\(name)>\n"
    }

    /// An element with text in it.
    mutating func element(_ name: String, _ attributes: SVGAttributes, text content: String) {
        start(name, attributes)
        text += ">"
        SVGText.escape(content, into: &text)
        text += "</\(name)>\n"
    }

    /// What another writer has written.
    mutating func append(_ other: SVGWriter) { text += other.text }

    private mutating func start(_ name: String, _ attributes: SVGAttributes) {
        text += "<\(name)"
        for (name, value) in attributes.pairs {
            text += " \(name)=\""
            switch value {
            case .number(let number): text += SVGText.number(number)
            case .text(let content): SVGText.escape(content, into: &text)
            }
            text += "\""
        }
    }
}
