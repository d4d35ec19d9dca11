import CollectionPublishing

extension HTML {
    /// Returns a `span` of a class, with a label for screen readers if that says more than the text.
    static func span(_ name: String, _ text: String, label: String? = nil) -> HTML {
        guard let label else { return "<span class=\"\(name)\">\(text)</span>" }
        return "<span class=\"\(name)\" aria-label=\"\(label)\">\(text)</span>"
    }

    /// Returns the text that was escaped.
    static func unescaped(_ text: some StringProtocol) -> String {
        let marks: [(String, Unicode.Scalar)] = [
            ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&"),
        ]
        // By scalars, because a mark that is composed with a bracket would make one character with it.
        var scalars = Array(text.unicodeScalars)
        for (mark, plain) in marks {
            scalars = scalars.replacing(Array(mark.unicodeScalars), with: CollectionOfOne(plain))
        }
        return String(String.UnicodeScalarView(scalars))
    }
}
