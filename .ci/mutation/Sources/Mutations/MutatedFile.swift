/// A file with its mutations compiled in; each is switched on by its number.
package struct MutatedFile: Sendable {
    /// The path of the file, relative to the root of the package.
    package let path: String
    /// The mutated text.
    package private(set) var text = ""
    /// The mutations, with the numbers that switch them on.
    package private(set) var mutations: [(number: Int, mutation: Mutation)] = []

    /// The offsets of a site in the mutated text, and the keys of its mutations.
    private struct Placed: Sendable {
        let keys: [String]
        let span: Range<Int>
        let statement: Range<Int>
        let function: Range<Int>
        let changesFlow: Bool
    }

    private var placed: [Placed] = []

    /// Returns all possible mutations of a file.
    package static func mutations(in text: String, path: String) -> [Mutation] {
        MutationFinder(file: path, text: text).find().flatMap(\.mutations)
    }

    /// Compiles mutations into the text of a file.
    ///
    /// - Parameters:
    ///   - path: the path of the file, relative to the root of the package.
    ///   - original: the text of the file.
    ///   - firstNumber: the number of the first mutation.
    ///   - isWanted: returns whether to compile a mutation in.
    package init(
        path: String,
        original: String,
        firstNumber: Int,
        isWanted: (Mutation) -> Bool
    ) {
        self.path = path
        var number = firstNumber
        var numbered: [(site: MutationSite, number: Int)] = []
        // Unwanted mutations keep their numbers, so that the numbers of other files do not change.
        for site in MutationFinder(file: path, text: original).find() {
            let wanted = site.mutations.indices.filter { isWanted(site.mutations[$0]) }
            if !wanted.isEmpty { numbered.append((site, number)) }
            mutations += wanted.map { (number + $0, site.mutations[$0]) }
            // Every site has two numbers: comparisons also check the second number, even if it is
            // unused.
            number += 2
        }
        nextNumber = number
        text = write(original, numbered.map(\.site), numbered.map(\.number))
    }

    /// The first number after those of this file.
    package private(set) var nextNumber = 0

    // MARK: Writing

    private struct Piece {
        let offset: Int
        /// The order at one offset: first the rank (closings, openings, replacements), then the
        /// order among pieces of one rank.
        let order: (rank: Int, Int, Int)
        let removed: Int
        let text: String
    }

    private func pieces(_ sites: [MutationSite], _ numbers: [Int]) -> [Piece] {
        var pieces: [Piece] = []
        for (index, site) in sites.enumerated() {
            func add(_ offset: Int, _ order: (Int, Int, Int), _ text: String, removing: Int = 0) {
                let text = text.replacing(String(MutationSite.number), with: "\(numbers[index])")
                pieces.append(Piece(offset: offset, order: order, removed: removing, text: text))
            }
            let (start, end) = (site.span.lowerBound, site.span.upperBound)
            // Of the sites that start at one offset, the longest opens first; of those that end at
            // one offset, it closes last.
            add(start, (1, -end, index), site.opening)
            add(end, (0, -start, -index), site.closing)
            if let new = site.replacement {
                add(new.range.lowerBound, (2, 0, index), new.text, removing: new.range.count)
            }
        }
        func key(_ piece: Piece) -> (Int, Int, Int, Int) {
            (piece.offset, piece.order.rank, piece.order.1, piece.order.2)
        }
        return pieces.sorted { key($0) < key($1) }
    }

    private mutating func write(
        _ original: String,
        _ sites: [MutationSite],
        _ numbers: [Int]
    ) -> String {
        guard !sites.isEmpty else { return original }
        let bytes = Array(original.utf8)
        var written = Array("import MutationSwitch; ".utf8)
        /// The new offsets of the original's edges, before and after the text that is inserted
        /// there.
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

    // MARK: Mutations that do not compile

    /// Returns the keys of the mutations that most likely caused a compiler error. Line and column
    /// refer to the mutated text, from 1.
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
