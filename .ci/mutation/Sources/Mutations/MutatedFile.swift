/// A file with all of its mutations compiled in, each of which its number switches on.
package struct MutatedFile: Sendable {
    /// The file, from the package's root.
    package let path: String
    package private(set) var text = ""
    /// What can be switched on, by number.
    package private(set) var mutations: [(number: Int, mutation: Mutation)] = []

    /// Where a site came to stand in the mutated text, and whose it is.
    private struct Placed: Sendable {
        let keys: [String]
        let span: Range<Int>
        let statement: Range<Int>
        let function: Range<Int>
        let changesFlow: Bool
    }

    private var placed: [Placed] = []

    /// Finds what can be mutated in a file, none of it compiled in.
    package static func mutations(in text: String, path: String) -> [Mutation] {
        MutationFinder(file: path, text: text).find().flatMap(\.mutations)
    }

    /// - Parameters:
    ///   - path: the file, from the package's root.
    ///   - original: its text.
    ///   - firstNumber: the number of the first mutation.
    ///   - isWanted: whether a mutation is to be compiled in.
    package init(
        path: String,
        original: String,
        firstNumber: Int,
        isWanted: (Mutation) -> Bool
    ) {
        self.path = path
        var number = firstNumber
        var numbered: [(site: MutationSite, number: Int)] = []
        // What is not wanted keeps its number, so that those of other files stay what they are.
        for site in MutationFinder(file: path, text: original).find() {
            let wanted = site.mutations.indices.filter { isWanted(site.mutations[$0]) }
            if !wanted.isEmpty { numbered.append((site, number)) }
            mutations += wanted.map { (number + $0, site.mutations[$0]) }
            // Two for every site: what compares asks for the second number too, where nothing has it.
            number += 2
        }
        nextNumber = number
        text = write(original, numbered.map(\.site), numbered.map(\.number))
    }

    /// The first number that is free behind it.
    package private(set) var nextNumber = 0

    // MARK: Writing

    private struct Piece {
        let offset: Int
        /// Closings first, then openings, then what stands in place of something.
        let rank: Int
        /// Among those of a rank.
        let order: (Int, Int)
        let removed: Int
        let text: String
    }

    private func pieces(_ sites: [MutationSite], _ numbers: [Int]) -> [Piece] {
        var pieces: [Piece] = []
        for (index, site) in sites.enumerated() {
            func numbered(_ text: String) -> String {
                String(
                    text.flatMap { $0 == MutationSite.number ? String(numbers[index]) : String($0) }
                )
            }
            let (start, end) = (site.span.lowerBound, site.span.upperBound)
            // Of what begins together the longest opens first; of what ends together it closes last.
            pieces.append(
                Piece(
                    offset: start,
                    rank: 1,
                    order: (-end, index),
                    removed: 0,
                    text: numbered(site.opening)
                )
            )
            pieces.append(
                Piece(
                    offset: end,
                    rank: 0,
                    order: (-start, -index),
                    removed: 0,
                    text: numbered(site.closing)
                )
            )
            if let replacement = site.replacement {
                pieces.append(
                    Piece(
                        offset: replacement.range.lowerBound,
                        rank: 2,
                        order: (0, index),
                        removed: replacement.range.count,
                        text: numbered(replacement.text)
                    )
                )
            }
        }
        return pieces.sorted {
            ($0.offset, $0.rank, $0.order.0, $0.order.1)
                < ($1.offset, $1.rank, $1.order.0, $1.order.1)
        }
    }

    private mutating func write(
        _ original: String,
        _ sites: [MutationSite],
        _ numbers: [Int]
    ) -> String {
        guard !sites.isEmpty else { return original }
        let bytes = Array(original.utf8)
        var written = Array("import MutationSwitch; ".utf8)
        /// Where each offset of the original came to stand; the places before and after what is put there.
        var before: [Int: Int] = [:]
        var after: [Int: Int] = [:]
        let edges = Set(
            sites.flatMap { site in
                [site.span, site.statement, site.function].flatMap {
                    [$0.lowerBound, $0.upperBound]
                }
            }
        )
        var pieces = pieces(sites, numbers)[...]
        var offset = 0
        while offset <= bytes.count {
            if edges.contains(offset) { before[offset] = written.count }
            var removed = 0
            while let piece = pieces.first, piece.offset == offset {
                written += piece.text.utf8
                removed = max(removed, piece.removed)
                pieces.removeFirst()
            }
            if edges.contains(offset) { after[offset] = written.count }
            if removed > 0 {
                offset += removed
                continue
            }
            if offset < bytes.count { written.append(bytes[offset]) }
            offset += 1
        }
        func moved(_ range: Range<Int>) -> Range<Int> {
            let start = before[range.lowerBound] ?? 0
            return start..<max(start, after[range.upperBound] ?? written.count)
        }
        placed = sites.map { site in
            Placed(
                keys: site.mutations.map(\.key),
                span: moved(site.span),
                statement: moved(site.statement),
                function: moved(site.function),
                changesFlow: site.changesFlow
            )
        }
        return String(decoding: written, as: UTF8.self)
    }

    // MARK: What does not compile

    /// The keys of the mutations that an error of the compiler is most likely about; line and column are of
    /// the mutated text, from 1.
    package func suspects(line: Int, column: Int) -> [String] {
        let offset = SourceText(text).offset(line: line, column: column)
        if let inner = placed.filter({ $0.span.contains(offset) }).min(by: {
            $0.span.count < $1.span.count
        }) {
            return inner.keys
        }
        let inStatement = placed.filter { $0.statement.contains(offset) }
        let smallest = inStatement.map(\.statement.count).min()
        let near = inStatement.filter { $0.statement.count == smallest }
        if !near.isEmpty { return near.flatMap(\.keys) }
        let inFunction = placed.filter {
            $0.function.lowerBound <= offset && offset <= $0.function.upperBound
        }
        let flow = inFunction.filter(\.changesFlow)
        return (flow.isEmpty ? inFunction : flow).flatMap(\.keys)
    }
}
