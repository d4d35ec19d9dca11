/// Markup for a page. Text is escaped unless the code declares it to be markup.
///
/// The literal is markup. Interpolated values are text, which is safe in content and in quoted
/// attributes; so are literals among them, unless they are marked: `"<b>new</b>" as HTML`.
///
/// ```swift
/// let title = #"Fish & "Chips""#
/// let row: HTML = "<p title=\"\(title)\">\(title)</p>"
/// // <p title="Fish &amp; &quot;Chips&quot;">Fish &amp; &quot;Chips&quot;</p>
/// ```
///
/// An interpolated `HTML`, or an array of them, is inserted unchanged. Use ``init(markup:)`` for
/// markup from another source. Unquoted attributes, scripts and styles need other rules: do not
/// interpolate into those.
///
/// Threading: a value, readable from any thread.
public struct HTML: Hashable, Sendable {
    /// The markup.
    public let markup: String

    /// Declares that a text is markup. Nothing is escaped.
    public init(markup: String) { self.markup = markup }
}

extension HTML: ExpressibleByStringInterpolation {
    /// Creates markup from a literal, unchanged.
    public init(stringLiteral markup: String) { self.init(markup: markup) }

    /// Creates markup from a literal with interpolated values.
    public init(stringInterpolation: StringInterpolation) {
        self.init(markup: stringInterpolation.markup)
    }

    /// Collects the parts of an interpolated literal.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var markup = ""

        /// Creates an empty collector.
        public init(literalCapacity: Int, interpolationCount: Int) {
            markup.reserveCapacity(literalCapacity + 16 * interpolationCount)
        }

        /// Appends a part of the literal, unchanged.
        public mutating func appendLiteral(_ literal: String) { markup += literal }

        /// Appends markup, unchanged.
        public mutating func appendInterpolation(_ html: HTML) { markup += html.markup }

        /// Appends pieces of markup in order, unchanged.
        public mutating func appendInterpolation(_ pieces: [HTML]) {
            for piece in pieces { markup += piece.markup }
        }

        /// Appends a text, or the description of a value, escaped.
        public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            markup += value.description.escapedHTML
        }
    }
}

extension HTML: CustomStringConvertible {
    /// The markup.
    public var description: String { markup }
}

extension StringProtocol {
    /// The text, with each character escaped that has a special meaning in HTML content or in a
    /// quoted attribute.
    ///
    /// Control characters that a page must not contain become U+FFFD.
    public var escapedHTML: String {
        var escaped = ""
        escaped.reserveCapacity(utf8.count)
        for scalar in unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            case "\t", "\n", "\r": escaped.unicodeScalars.append(scalar)
            case "\u{0}"..<" ", "\u{7f}"..."\u{9f}": escaped += "\u{fffd}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}

extension PublishedPayload {
    /// Creates a payload from markup.
    public init(_ html: HTML) { self.init(utf8: html.markup) }
}

extension PayloadNode {
    /// Creates a node that shows markup.
    public convenience init(_ html: HTML) { self.init(PublishedPayload(html)) }
}
