/// A file of text as sections of lines.
struct LineFile {
    /// A line without its end, recognised by its bytes: what looks alike need not be the same.
    struct Line: Hashable {
        let bytes: ArraySlice<UInt8>

        func hash(into hasher: inout Hasher) {
            bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        }

        /// The line for a person: what would move the cursor or end the line is escaped.
        var text: String {
            let text = String(decoding: bytes, as: UTF8.self)
            guard text.unicodeScalars.contains(where: Self.isEscaped) else { return text }
            return text.unicodeScalars.reduce(into: "") { result, scalar in
                if Self.isEscaped(scalar) {
                    result += scalar == "\t" ? "\\t" : "\\u{\(String(scalar.value, radix: 16))}"
                } else {
                    result.unicodeScalars.append(scalar)
                }
            }
        }

        private static func isEscaped(_ scalar: Unicode.Scalar) -> Bool {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: true
            // Marks that turn the direction of what follows.
            default: scalar.properties.isBidiControl
            }
        }
    }

    /// In order, each with its name: nil for the lines before the first section that has one.
    private(set) var sections: [(name: Line?, lines: [Line])] = []

    /// How many lines each section has.
    var counts: [Int] { sections.map(\.lines.count) }

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - name: what messages call it; `-` for standard input.
    ///   - hasSections: whether a line that begins with `# ` begins a section of that name.
    /// - Throws: where it is no UTF-8, with the number of the line.
    init(_ bytes: [UInt8], name: String, hasSections: Bool) throws(ScenarioFault) {
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        // The end of the last line begins none.
        if lines.last?.isEmpty ?? false { lines.removeLast() }
        if String(validating: bytes, as: UTF8.self) == nil {
            let bad = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0
            throw ScenarioFault(
                "\(name == "-" ? "standard input" : "'\(name)'") is not UTF-8 in line \(bad + 1)"
            )
        }
        if !hasSections { sections.append((nil, [])) }
        for line in lines {
            if hasSections, line.starts(with: "# ".utf8) {
                sections.append((Line(bytes: line.dropFirst(2)), []))
            } else {
                if sections.isEmpty { sections.append((nil, [])) }
                sections[sections.count - 1].lines.append(Line(bytes: line))
            }
        }
    }
}
