/// How many mutations the tests find, by file.
package struct Score {
    package struct Row {
        package var found = 0
        package var survived = 0
        package var notReached = 0
        package var listed = 0

        package var percentage: Double {
            let all = found + survived + notReached
            return all == 0 ? 100 : 100 * Double(found) / Double(all)
        }
    }

    package private(set) var total = Row()
    package private(set) var files: [(file: String, row: Row)] = []
    package private(set) var modules: [(module: String, row: Row)] = []
    /// What was tried and not found, in the order of the files.
    package private(set) var survivors: [Mutation] = []
    /// What is listed as without effect and was found.
    package private(set) var listedButFound: [Mutation] = []
    package private(set) var untried = 0

    package init(_ mutations: [Mutation], _ log: VerdictLog, withoutEffect: KnownMutations) {
        var byFile: [String: Row] = [:]
        var byModule: [String: Row] = [:]
        var listedAndFound: [KnownMutations.Entry: [(Mutation, Bool)]] = [:]
        for mutation in mutations {
            let module = mutation.file.split(separator: "/").prefix(2).joined(separator: "/")
            var row = Row()
            let verdict = log[mutation.key]
            if withoutEffect.contains(mutation) {
                row.listed = 1
                if let verdict {
                    listedAndFound[mutation.entry, default: []].append((mutation, verdict.isFound))
                }
            } else if let verdict {
                switch verdict.outcome {
                case .found, .tookTooLong: row.found = 1
                case .survived: row.survived = 1
                case .notReached: row.notReached = 1
                }
                if !verdict.isFound { survivors.append(mutation) }
            } else {
                untried += 1
                continue
            }
            byFile[mutation.file, default: Row()].add(row)
            byModule[module, default: Row()].add(row)
            total.add(row)
        }
        // Of several that read the same, one without effect is reason enough for the entry.
        listedButFound = listedAndFound.values.filter { $0.allSatisfy(\.1) }.compactMap {
            $0.first?.0
        }
        .sorted { ($0.file, $0.line) < ($1.file, $1.line) }
        files = byFile.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        modules = byModule.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}

extension Score.Row {
    fileprivate mutating func add(_ other: Self) {
        found += other.found
        survived += other.survived
        notReached += other.notReached
        listed += other.listed
    }
}
