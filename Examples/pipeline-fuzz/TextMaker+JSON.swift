extension TextMaker {
    typealias Part = (inout TextMaker) -> Void

    /// The members in their order; now and then one of them is not what it should be.
    mutating func object(_ members: [(key: String, value: Part)]) {
        let mistake = next()
        let wrong = mistake < 224 ? -1 : Int(mistake) % members.count
        write("{")
        for (index, member) in members.enumerated() {
            var copies = 1
            var value = member.value
            if index == wrong {
                switch next() % 4 {
                case 0: copies = 0
                case 1: copies = 2
                default: value = { $0.anything() }
                }
            }
            for _ in 0..<copies {
                if text.last != UInt8(ascii: "{") { write(",") }
                write("\"\(member.key)\":")
                value(&self)
            }
        }
        write("}")
    }

    mutating func array(atMost limit: UInt8, _ element: Part) {
        write("[")
        some(atMost: limit) { maker in
            if maker.text.last != UInt8(ascii: "[") { maker.write(",") }
            element(&maker)
        }
        write("]")
    }

    /// Whatever JSON has, and a little more.
    mutating func anything(_ depth: Int = 0) {
        switch next() % 12 {
        case 0: write("null")
        case 1: bool()
        case 2, 3: write("\(integer())")
        case 4: number()
        case 5, 6: string()
        case 7 where depth < 70 && !isAtEnd: array(atMost: 3) { $0.anything(depth + 1) }
        case 8 where depth < 70 && !isAtEnd:
            object([("a", { $0.anything(depth + 1) }), ("id", { $0.anything(depth + 1) })])
        case 9: for _ in 0..<Int(next()) { write("[") }
        case 10: some(atMost: 8) { maker in maker.write(byte: maker.next()) }
        default: write(pick(["", " ", "\t\r", "//", "1 2", "nul", "True", "{\"a\":1,}"]))
        }
    }

    mutating func bool() { write(next() & 1 == 0 ? "false" : "true") }

    /// Mostly what fits a page.
    mutating func number() {
        switch next() {
        case 240...: write("\(integer())")
        case 224...:
            write(
                pick([
                    "-0", "-0.0", "1e308", "1.7976931348623157e308", "1e309", "-1e308", "5e-324",
                    "1e-400", "0.1", "9007199254740993", "9223372036854775808",
                    "18446744073709551616", "00", "1.", "1e", "-",
                ])
            )
        case let byte: write("\(Double(byte) / 4)")
        }
    }

    mutating func string() {
        write("\"")
        some(atMost: 7) { maker in
            switch maker.next() {
            case 224...:
                maker.write(
                    maker.pick([
                        "\\u0000", "\\ud83d\\ude00", "\\ud83d", "\\n", "\\/", "\\\"", "\\u12",
                        "\\x", "\u{301}", "é", "e\\u0301", "\u{1F600}",
                    ])
                )
            case 200..<224: maker.write(byte: maker.next())
            case let byte: maker.write(byte: 0x20 + byte % 0x5F)
            }
        }
        write("\"")
    }

    mutating func integers() { array(atMost: 5) { $0.write("\($0.integer())") } }

    mutating func path() { write("[\(integer()),\(integer())]") }
}
