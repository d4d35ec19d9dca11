/// How a picture is drawn.
///
/// Threading: a value, usable anywhere.
public struct PictureStyle: Hashable, Sendable {
    /// How many pixels of the picture a unit of the layout takes; what is no positive number counts
    /// as 1, and more than 100 as 100.
    public var scale = 1.0

    /// What the names of the picture's patterns begin with. A page that has several pictures in it gives
    /// each its own, so that no name stands there twice; only letters, digits and hyphens are kept.
    public var namePrefix = "picture"

    /// Whether what the marks mean stands below the picture.
    public var showsLegend = true

    /// Makes the style that a single picture has by default.
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
}
