/// The numbers of mutations that tests find, in total and by module.
package struct Score {
    package struct Row {
        package private(set) var found = 0
        package private(set) var survived = 0
        package private(set) var notReached = 0

        package var percentage: Double {
            let all = found + survived + notReached
            return all == 0 ? 100 : 100 * Double(found) / Double(all)
        }

        fileprivate mutating func count(_ verdict: Verdict) {
            switch verdict {
            case .found: found += 1
            case .survived: survived += 1
            case .notReached: notReached += 1
            }
        }
    }

    package private(set) var total = Row()
    package private(set) var modules: [String: Row] = [:]
    /// The mutations that no test found, in the order in which they were given.
    package private(set) var survivors: [Mutation] = []

    package init(_ mutations: [Mutation], _ verdicts: [String: Verdict]) {
        for mutation in mutations {
            guard let verdict = verdicts[mutation.key] else { continue }
            let module = mutation.file.split(separator: "/").prefix(2).joined(separator: "/")
            modules[module, default: Row()].count(verdict)
            total.count(verdict)
            if verdict != .found { survivors.append(mutation) }
        }
    }
}
