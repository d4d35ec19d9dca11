/// The name that git gives an object: 20 bytes (SHA-1) or 32 (SHA-256).
///
/// Four words in place of an array, because every file of the model keeps one.
struct ObjectID: Hashable, Sendable {
    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    private let digitCount: UInt8

    /// Reads 40 or 64 hexadecimal digits, or returns nil.
    init?(hexadecimal digits: some Collection<UInt8>) {
        guard digits.count == 40 || digits.count == 64 else { return nil }
        digitCount = UInt8(digits.count)
        for (position, digit) in digits.enumerated() {
            let value: UInt8
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - UInt8(ascii: "a") + 10
            default: return nil
            }
            switch position / 16 {
            case 0: words.0 = words.0 << 4 | UInt64(value)
            case 1: words.1 = words.1 << 4 | UInt64(value)
            case 2: words.2 = words.2 << 4 | UInt64(value)
            default: words.3 = words.3 << 4 | UInt64(value)
            }
        }
    }

    init?(_ text: some StringProtocol) { self.init(hexadecimal: Array(text.utf8)) }

    static func == (left: ObjectID, right: ObjectID) -> Bool {
        left.words == right.words && left.digitCount == right.digitCount
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
        hasher.combine(words.1)
    }

    /// The first seven digits, which is how people write it.
    var abbreviated: String { String(description.prefix(7)) }
}

extension ObjectID: CustomStringConvertible {
    /// All digits, as git takes them.
    var description: String {
        var digits = ""
        let counts = digitCount == 40 ? [16, 16, 8] : [16, 16, 16, 16]
        for (count, word) in zip(counts, [words.0, words.1, words.2, words.3]) {
            let text = String(word, radix: 16)
            digits += String(repeating: "0", count: count - text.count) + text
        }
        return digits
    }
}
