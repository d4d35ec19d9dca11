import PipelineTestSupport

@testable import CollectionPublishing

/// The obviously correct model of a ``VersionHistory``: all updates, what there was at each version, and who holds which.
struct HistoryModel {
    private(set) var updates: [ValidatedChangeSet] = []
    /// What there was, from before the first update on.
    private(set) var states: [StateModel]
    private(set) var versions = [0]
    private(set) var holders: [Int: Int] = [:]
    /// The versions that were forgotten though somebody held them.
    private(set) var forgotten: [Int] = []
    /// Where what is kept whoever holds it begins.
    private(set) var start = 0
    private let limits: VersionHistory.Limits

    init(_ state: StateModel, _ limits: VersionHistory.Limits) {
        states = [state]
        self.limits = limits
    }

    var newest: Int { versions[versions.count - 1] }

    mutating func append(_ update: ValidatedChangeSet, to version: Int, _ state: StateModel) {
        updates.append(update)
        versions.append(version)
        states.append(state)
        while updates.count - start > limits.updates || weight(from: start) > limits.edits {
            start += 1
        }
        let older = held.filter { $0 < versions[start] }
        for version in older.dropLast(limits.retained) {
            holders[version] = nil
            forgotten.append(version)
        }
    }

    private func weight(from start: Int) -> Int {
        updates[start...].reduce(0) { sum, update in
            sum + update.edits.count + update.reconfigurations.count
                + update.supplementaryReloads.count + 1
        }
    }

    mutating func retain(_ version: Int) {
        if knows(version) { holders[version, default: 0] += 1 }
    }

    mutating func release(_ version: Int) {
        guard let count = holders[version] else { return }
        holders[version] = count > 1 ? count - 1 : nil
    }

    /// The versions that somebody holds, ascending.
    var held: [Int] { holders.keys.sorted() }

    /// The versions that are known, ascending.
    var known: [Int] { held.filter { $0 < versions[start] } + versions[start...] }

    func knows(_ version: Int) -> Bool { known.contains(version) }

    /// What is wrong with what `history` says, which is to be asked about `asked`; nil where nothing is.
    func fault(of history: VersionHistory, asking asked: [Int]) -> String? {
        if history.newest != newest { return "the newest is \(history.newest), not \(newest)" }
        if history.knownVersions != known.count {
            return "\(history.knownVersions) versions are known, not \(known.count)"
        }
        for version in asked {
            guard history.knows(version) == knows(version) else {
                return "\(version) is \(knows(version) ? "not known" : "known")"
            }
            let changes = history.answer(since: version)
            guard knows(version), version != newest else {
                if changes != nil { return "something leads from \(version)" }
                continue
            }
            guard let changes else { return "nothing leads from \(version)" }
            if let fault = fault(of: changes, since: version) {
                return "since \(version): \(fault)"
            }
        }
        return nil
    }

    /// What is wrong with what is said to have changed; nil where nothing is.
    private func fault(of changes: ValidatedChangeSet, since version: Int) -> String? {
        guard let update = versions.firstIndex(of: version) else { return "no such version" }
        let expected = Difference(from: states[update], to: states[states.count - 1])
        let found = Difference(changes)
        return found == expected ? nil : "\(found) and not \(expected)"
    }
}

extension HistoryModel {
    /// How many change sets answer everything: each update that anybody may begin at, and the largest stretches of older
    /// ones that nobody begins in the middle of.
    var leastKept: Int {
        let beginnings = held.compactMap { versions.firstIndex(of: $0) }
        var (count, next) = (updates.count - start, min(beginnings.first ?? start, start))
        while next < start {
            var length = 1
            while next.isMultiple(of: length * 2), next + length * 2 <= start,
                !beginnings.contains(where: { next < $0 && $0 < next + length * 2 })
            {
                length *= 2
            }
            next += length
            count += 1
        }
        return count
    }

    /// What is kept though the limits and the holders do not need it; nil where nothing is.
    ///
    /// - Parameter isAsked: whether there were questions, whose answers are kept too: the inner nodes of trees.
    func excess(of history: VersionHistory, isAsked: Bool) -> String? {
        let least = leastKept
        let most = isAsked ? max(0, least * 2 - 1) : least
        return (least...most).contains(history.keptChangeSets)
            ? nil : "\(history.keptChangeSets) change sets are kept, not \(least) to \(most)"
    }
}
