extension PictureStyle {
    /// Rules for the style sheet of a page: where the system prefers dark colours, they turn the pictures
    /// that stand in the page dark.
    ///
    /// The pictures themselves have light colours, so that one that stands by itself can be read
    /// everywhere; in a page a rule goes before what an element says of itself. The rules speak of the
    /// colours of pictures only, but of all SVG in the page that has them.
    public static let darkRules: String = {
        let rules = darkColours.flatMap { light, dark in
            ["fill", "stroke"].map { "  [\($0)=\"\(light)\"] { \($0): \(dark); }\n" }
        }
        return "@media (prefers-color-scheme: dark) {\n" + rules.joined() + "}\n"
    }()

    /// What each colour becomes. Papers keep their order of brightness, from what is behind to what is
    /// in front, and lines and letters their contrast to them.
    static let darkColours: [(light: String, dark: String)] = [
        ("#ffffff", "#16191d"), ("#fafafa", "#1c2025"), ("#f3efe4", "#2b2719"),
        ("#f0f0f0", "#24282d"), ("#e7eaee", "#2a3037"), ("#ccd2d9", "#39414a"),
        ("#d3efd9", "#1d3a26"), ("#d6e6f8", "#1b324d"), ("#f8ebc6", "#423717"),
        ("#b8bcc0", "#4b5157"), ("#6b7075", "#9aa0a6"), ("#30363d", "#aab1b8"),
        ("#111111", "#e6e8ea"), ("#000000", "#ffffff"), ("#1a7f37", "#4cc26b"),
        ("#b42318", "#ff7b6b"), ("#8a5a00", "#e0a63c"), ("#0b5cad", "#6cb2ff"),
    ]
}
