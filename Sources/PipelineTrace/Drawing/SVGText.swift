/// Numbers and characters as SVG has them.
enum SVGText {
    /// The number with as many decimals as it needs, at most `decimals`; the same text on every machine.
    ///
    /// Pictures are drawn of numbers that fit; should one not, it is 0, since a picture must be readable
    /// whatever comes in.
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

    /// Appends characters as they may stand in an element or in a quoted attribute.
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

    /// The character, or one that stands for it where XML has none or would change it: control
    /// characters become their pictures, the rest the replacement character.
    private static func visible(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        let replacement: Unicode.Scalar = "\u{FFFD}"
        switch scalar.value {
        case 0..<0x20: return Unicode.Scalar(0x2400 + scalar.value) ?? replacement
        case 0x7F: return "\u{2421}"
        case 0x80..<0xA0, 0xFFFE, 0xFFFF: return replacement
        default:
            // The last two of every plane are no characters.
            return scalar.value & 0xFFFE == 0xFFFE ? replacement : scalar
        }
    }
}
