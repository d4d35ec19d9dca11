import CollectionLayouts

// These types only write SVG text. Other types decide what is drawn.

/// The value of an attribute.
enum SVGValue: ExpressibleByStringInterpolation {
    case number(Double)
    /// Text, escaped when it is written.
    case text(String)

    init(stringLiteral value: String) { self = .text(value) }
}

/// Attributes, in the order in which they are written.
struct SVGAttributes: ExpressibleByDictionaryLiteral {
    private(set) var pairs: [(name: String, value: SVGValue)]

    init(dictionaryLiteral pairs: (String, SVGValue)...) { self.pairs = pairs }

    static func + (left: SVGAttributes, right: SVGAttributes) -> SVGAttributes {
        var sum = left
        sum.pairs += right.pairs
        return sum
    }
}

/// Writes SVG elements in the order of the calls.
struct SVGWriter {
    private(set) var text = ""

    /// Writes an element without content.
    mutating func element(_ name: String, _ attributes: SVGAttributes) {
        start(name, attributes)
        text += "/>\n"
    }

    /// Writes an element around the output of `content`.
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

    /// Writes an element that contains text.
    mutating func element(_ name: String, _ attributes: SVGAttributes, text content: String) {
        start(name, attributes)
        text += ">"
        SVGText.escape(content, into: &text)
        text += "</\(name)>\n"
    }

    /// Appends the output of another writer.
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

// Each function takes the geometry of a shape and its other attributes.

extension SVGWriter {
    mutating func rect(_ rect: Rect, _ attributes: SVGAttributes) {
        element(
            "rect",
            [
                "x": .number(rect.minX), "y": .number(rect.minY),
                "width": .number(rect.size.width), "height": .number(rect.size.height),
            ] + attributes
        )
    }

    /// Writes a path that is not filled.
    mutating func path(_ path: String, stroke colour: String, width: SVGValue) {
        element(
            "path",
            ["d": .text(path), "fill": "none", "stroke": .text(colour), "stroke-width": width]
        )
    }

    mutating func line(
        from start: (x: Double, y: Double),
        to end: (x: Double, y: Double),
        _ attributes: SVGAttributes
    ) {
        element(
            "line",
            [
                "x1": .number(start.x), "y1": .number(start.y), "x2": .number(end.x),
                "y2": .number(end.y),
            ] + attributes
        )
    }
}

/// Formats numbers and escapes characters for SVG.
enum SVGText {
    /// Returns the number with as many decimals as it needs, at most `decimals`. The text is the
    /// same on every machine.
    ///
    /// Drawable numbers always fit. Any other number becomes 0, so that the picture stays readable.
    static func number(_ value: Double, decimals: Int = 2) -> String {
        guard value.magnitude < 1e12 else { return "0" }
        var power = 1
        for _ in 0..<decimals { power *= 10 }
        let scaled = Int((value * Double(power)).rounded())
        let (whole, fraction) = scaled.magnitude.quotientAndRemainder(dividingBy: UInt(power))
        var text = (scaled < 0 ? "-" : "") + String(whole)
        guard fraction > 0 else { return text }
        var digits = String(fraction)
        while digits.utf8.count < decimals { digits = "0" + digits }
        while digits.hasSuffix("0") { digits.removeLast() }
        text += "." + digits
        return text
    }

    /// Appends text, escaped for an element or a quoted attribute.
    static func escape(_ content: String, into text: inout String) {
        for scalar in content.unicodeScalars {
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            default: text.unicodeScalars.append(visible(scalar))
            }
        }
    }

    /// Returns the character, or a replacement if XML does not allow it or would change it. Control
    /// characters become their Unicode pictures; others become the replacement character.
    private static func visible(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        let replacement: Unicode.Scalar = "\u{FFFD}"
        switch scalar.value {
        case 0..<0x20: return Unicode.Scalar(0x2400 + scalar.value) ?? replacement
        case 0x7F: return "\u{2421}"
        case 0x80..<0xA0, 0xFFFE, 0xFFFF: return replacement
        default:
            // The last two code points of every plane are noncharacters.
            return scalar.value & 0xFFFE == 0xFFFE ? replacement : scalar
        }
    }
}
