/// Makes texts of the kind that a program expects, with mistakes here and there: what comes is up to the
/// bytes, but what is written around it is right.
struct TextMaker {
    private var source: Bytes
    private(set) var text: [UInt8] = []

    /// A text, made of `bytes` from where they are.
    static func text(_ bytes: inout Bytes, _ make: (inout TextMaker) -> Void) -> [UInt8] {
        var maker = TextMaker(source: bytes)
        make(&maker)
        maker.spoil()
        bytes = maker.source
        return maker.text
    }

    private init(source: Bytes) { self.source = source }

    /// The longest text made; objects in objects could go on for ever.
    private static let limit = 1_500

    private var isFull: Bool { text.count > Self.limit }

    // MARK: Bytes

    var isAtEnd: Bool { source.isAtEnd || isFull }

    mutating func next() -> UInt8 { source.next() }

    mutating func integer() -> Int { source.integer() }

    mutating func pick<Element>(_ elements: [Element]) -> Element { source.pick(elements) }

    mutating func write(_ string: String) { text.append(contentsOf: string.utf8) }

    mutating func write(byte: UInt8) { text.append(byte) }

    /// What `body` writes, which is not written here.
    mutating func cut(_ body: (inout TextMaker) -> Void) -> ArraySlice<UInt8> {
        let start = text.count
        body(&self)
        defer { text.removeLast(text.count - start) }
        return text[start...]
    }

    /// So many times `body`; the mean is small.
    mutating func some(atMost limit: UInt8, _ body: (inout TextMaker) -> Void) {
        for _ in 0..<(next() % (limit + 1)) where !isFull { body(&self) }
    }

    /// One text in four has a byte that is another one, or the last.
    private mutating func spoil() {
        let kind = next()
        guard kind >= 192, !text.isEmpty else { return }
        let place = (Int(next()) << 8 | Int(next())) % text.count
        if kind & 1 == 0 { text[place] = next() } else { text.removeLast(text.count - place) }
    }
}
