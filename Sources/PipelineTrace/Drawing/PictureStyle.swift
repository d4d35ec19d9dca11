/// Options for drawing a picture.
///
/// Threading: a value, usable anywhere.
public struct PictureStyle: Hashable, Sendable {
    /// The number of pixels per layout unit. A value that is not a positive finite number counts as
    /// 1, and a value greater than 100 counts as 100.
    public var scale = 1.0

    /// The prefix of the names of the picture's patterns. On a page with several pictures, give
    /// each its own prefix, so that every name is unique. Only letters, digits and hyphens are
    /// kept.
    public var namePrefix = "picture"

    /// Whether a legend below the picture explains the marks.
    public var showsLegend = true

    /// Creates the default style of a single picture.
    public init() {}

    var usableScale: Double { scale > 0 && scale.isFinite ? min(scale, 100) : 1 }

    var usablePrefix: String {
        let letters = namePrefix.unicodeScalars.filter {
            $0 == "-" || ("0"..."9").contains($0) || ("a"..."z").contains($0)
                || ("A"..."Z").contains($0)
        }
        // A name must begin with a letter.
        return "p-" + String(String.UnicodeScalarView(letters))
    }

    /// Rules for the style sheet of a page. They give the pictures in the page dark colours if the
    /// system prefers a dark appearance.
    ///
    /// A picture has light colours, so that it is readable on its own everywhere. In a page, a
    /// style rule takes precedence over an attribute of an element. The rules apply to every SVG
    /// element in the page that uses one of the colours of pictures.
    public static let darkRules: String = {
        let rules = darkColours.flatMap { light, dark in
            ["fill", "stroke"].map { "  [\($0)=\"\(light)\"] { \($0): \(dark); }\n" }
        }
        return "@media (prefers-color-scheme: dark) {\n" + rules.joined() + "}\n"
    }()

    /// The dark replacement of each colour. Backgrounds keep their order of brightness from back to
    /// front. Lines and letters keep their contrast with the backgrounds.
    static let darkColours: [(light: String, dark: String)] = [
        ("#ffffff", "#16191d"), ("#fafafa", "#1c2025"), ("#f3efe4", "#2b2719"),
        ("#f0f0f0", "#24282d"), ("#e7eaee", "#2a3037"), ("#ccd2d9", "#39414a"),
        ("#d3efd9", "#1d3a26"), ("#d6e6f8", "#1b324d"), ("#f8ebc6", "#423717"),
        ("#b8bcc0", "#4b5157"), ("#6b7075", "#9aa0a6"), ("#30363d", "#aab1b8"),
        ("#111111", "#e6e8ea"), ("#000000", "#ffffff"), ("#1a7f37", "#4cc26b"),
        ("#b42318", "#ff7b6b"), ("#8a5a00", "#e0a63c"), ("#0b5cad", "#6cb2ff"),
    ]
}
