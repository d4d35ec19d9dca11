// The texts of each program.

extension TextMaker {
    // MARK: Lines of changeset-lint

    mutating func scenarios() {
        repeat {
            scenario()
            write("\n")
        } while !isAtEnd && next() & 3 == 0
    }

    private mutating func scenario() {
        object([
            ("id", { $0.anything(50) }), ("oldCounts", { $0.integers() }),
            ("newCounts", { $0.integers() }), ("ops", { $0.array(atMost: 6) { $0.operation() } }),
            ("result", { $0.anything(50) }),
        ])
    }

    private mutating func operation() {
        let name = pick([
            "deleteItems", "insertItems", "reloadItems", "reconfigureItems", "moveItem",
            "deleteSections", "insertSections", "reloadSections", "reconfigureSections",
            "moveSection", "reloadSupplementaries", "reloadData", "complete", "readChanges",
            "readMapping", "moveItems",
        ])
        var members: [(key: String, value: Part)] = [("op", { $0.write("\"\(name)\"") })]
        switch name {
        case "moveItem": members += [("from", { $0.path() }), ("to", { $0.path() })]
        case "moveSection":
            members += [
                ("from", { $0.write("\($0.integer())") }), ("to", { $0.write("\($0.integer())") }),
            ]
        case _ where name.hasSuffix("Items"):
            members.append(("at", { $0.array(atMost: 4) { $0.path() } }))
        default: members.append(("at", { $0.integers() }))
        }
        if name == "reloadSupplementaries" { members.append(("kind", { $0.string() })) }
        if next() & 1 == 0 { members.append(("anim", { $0.write("\($0.integer())") })) }
        object(members)
    }

    // MARK: Git

    mutating func log() {
        repeat {
            object()
            write(byte: 0)
            write(pick(["", "fix", ":subject", "a\tb", "\u{1b}[2J", "e\u{301}"]))
            write(byte: 0)
            var isFirst = true
            some(atMost: 6) { maker in
                if isFirst { maker.write("\n") }
                isFirst = false
                maker.change()
            }
        } while !isAtEnd
    }

    private mutating func change() {
        write(":100644 \(pick(["100644", "100755", "120000", "7777777"])) ")
        object()
        write(" ")
        object()
        let status = pick(["A", "A", "A", "M", "D", "R100", "R050", "C100", "T", "U", ""])
        write(" \(status)")
        write(byte: 0)
        endedFileName()
        if status.hasPrefix("R") || status.hasPrefix("C") { endedFileName() }
    }

    private mutating func endedFileName() {
        fileName()
        write(byte: 0)
    }

    private mutating func fileName() {
        let byte = next()
        guard byte < 240 else {
            return some(atMost: 6) { maker in maker.write(byte: maker.next()) }
        }
        write(pick(["", "", "", "d/", "d/", "d/e/", "./", "/", "é/", "\u{1b}/"]))
        write(Self.names[Int(byte) % Self.names.count])
    }

    private static let names = ["a", "b", "c", "d", "e", "B", "é", "a.b", "", ".", "\n", ":"]

    private mutating func object() {
        let byte = next()
        let count = byte < 224 ? 40 : byte < 248 ? 64 : Int(byte & 7) * 10
        let digit = "0123456789abcdef".utf8.map { $0 }[Int(byte & 15)]
        for _ in 0..<count { write(byte: digit) }
    }

    mutating func tree() {
        repeat {
            write("\(pick(["100644", "040000", "7777777", "8", ""])) \(pick(["blob", "commit"])) ")
            object()
            write("\t")
            fileName()
            write(byte: 0)
        } while !isAtEnd
    }

    // MARK: Collections of layout-gallery

    mutating func frames() {
        var members: [(key: String, value: Part)] = [
            ("width", { $0.number() }), ("sections", { $0.array(atMost: 4) { $0.section() } }),
        ]
        let given = next()
        if given & 1 == 0 {
            members.append(
                ("direction", { $0.write($0.pick(["\"vertical\"", "\"horizontal\"", "\"\""])) })
            )
        }
        if given & 2 != 0 { members.append(("scale", { $0.number() })) }
        object(members)
    }

    private mutating func section() {
        var members: [(key: String, value: Part)] = [
            ("items", { $0.array(atMost: 12) { $0.numbers(2) } })
        ]
        let given = next()
        if given & 1 == 0 { members.append(("inset", { $0.numbers(4) })) }
        for (bit, key) in ["line", "interitem", "header", "footer"].enumerated()
        where given & (2 << UInt8(bit)) == 0 {
            members.append((key, { $0.number() }))
        }
        object(members)
    }

    private mutating func numbers(_ count: Int) {
        write("[")
        for index in 0..<count {
            if index > 0 { write(",") }
            number()
        }
        write("]")
    }
}
