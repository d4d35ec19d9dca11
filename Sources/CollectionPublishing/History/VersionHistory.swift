/// Which update leads from an older version to the newest: of the newest versions, and of older ones that somebody
/// retains.
///
/// Updates are numbered, and composed by stretches of 2ᵏ neighbours that begin at a multiple of 2ᵏ. So what leads from
/// anywhere to now is the composition of a few such stretches, each of which is composed at most once. Where nobody can
/// begin in the middle of a stretch any more, what it is made of is dropped: a version that somebody retains costs what
/// has changed since, and not how often.
///
/// A pure value: it knows no readers, lanes or payloads.
///
/// Complexity: O(log h) compositions for a question about h updates, and one for each update that was composed into
/// stretches before, amortised.
///
/// Source: the skip list of deltas, as in Subversion's repositories ("skip-deltas"); binary counters.
struct VersionHistory {
    /// How much is kept.
    struct Limits: Hashable, Sendable {
        /// How many updates, so that their versions are known whoever retains them.
        var updates: Int
        /// How many edits these may have together.
        var edits: Int
        /// How many older versions may be retained.
        var retained: Int
        /// How many edits what is kept for them may have together, and what was composed for questions.
        var retainedEdits = Int.max
    }

    /// Some updates in a row: the `index`th stretch of 2^`level`.
    struct Stretch: Hashable {
        var level: Int
        var index: Int

        var first: Int { index << level }
        var end: Int { (index + 1) << level }
        var halves: (Stretch, Stretch) {
            (
                Stretch(level: level - 1, index: index * 2),
                Stretch(level: level - 1, index: index * 2 + 1)
            )
        }
    }

    let limits: Limits

    /// The number of the oldest update of those that are kept whoever retains them.
    private(set) var start = 0
    /// The versions that these updates begin at, and the newest.
    private var versions = FIFO<Int>()
    /// How many edits they have.
    private var edits = 0
    /// How many edits everything has that is kept.
    private var keptEdits = 0
    /// What updates do, alone and by stretches.
    private var compositions: [Stretch: ValidatedChangeSet] = [:]
    /// How often the version that an update begins at is retained, by the update's number.
    private var holders: [Int: Int] = [:]
    /// The updates before ``start`` whose versions are retained, ascending.
    private var retained: [(update: Int, version: Int)] = []

    init(at version: Int, limits: Limits) {
        self.limits = limits
        versions.append(version)
    }

    /// The newest version.
    var newest: Int { versions[versions.count - 1] }
    /// The number that the next update gets.
    private var end: Int { start + versions.count - 1 }

    /// How many versions are known.
    var knownVersions: Int { versions.count + retained.count }
    /// How many change sets are kept.
    var keptChangeSets: Int { compositions.count }

    // MARK: What happens

    /// Goes on by an update to a later version.
    mutating func append(_ changeSet: ValidatedChangeSet, to version: Int) {
        keep(changeSet, Stretch(level: 0, index: end))
        edits += changeSet.weight
        versions.append(version)
        while versions.count - 1 > max(0, limits.updates) || edits > limits.edits, start < end {
            passFirst()
        }
        // Everything is shorter than what has changed since the oldest then.
        while keptEdits - edits > max(0, limits.retainedEdits), !retained.isEmpty {
            forgetOldest()
        }
    }

    private mutating func keep(_ changeSet: ValidatedChangeSet, _ stretch: Stretch) {
        compositions[stretch] = changeSet
        keptEdits += changeSet.weight
    }

    private mutating func drop(_ stretch: Stretch) {
        keptEdits -= compositions.removeValue(forKey: stretch)?.weight ?? 0
    }

    /// Keeps a version known until it is released as often as it was retained.
    ///
    /// - Returns: whether it is known.
    @discardableResult
    mutating func retain(_ version: Int) -> Bool {
        guard let update = update(from: version) else { return false }
        holders[update, default: 0] += 1
        return true
    }

    /// Lets go of a version that was retained; does nothing where it was forgotten since.
    mutating func release(_ version: Int) {
        guard let update = update(from: version), let count = holders[update] else { return }
        holders[update] = count > 1 ? count - 1 : nil
        if count == 1, update < start { dropRetained(update) }
    }

    // MARK: Questions

    /// Whether it is known what has changed since `version`.
    func knows(_ version: Int) -> Bool { update(from: version) != nil }

    /// What leads from `version` to the newest; nil where that is not known, or is the newest.
    mutating func changes(since version: Int) -> ValidatedChangeSet? {
        guard var next = update(from: version) else { return nil }
        var composition: ChangeSetComposition?
        while next < end {
            var stretch = Stretch(level: 0, index: next)
            while stretch.index.isMultiple(of: 2), next + 2 << stretch.level <= end {
                stretch = Stretch(level: stretch.level + 1, index: stretch.index / 2)
            }
            append(compose(stretch), to: &composition)
            next = stretch.end
        }
        return composition?.update
    }

    /// The number of the update that begins at a version that is known; for the newest that of the next.
    private func update(from version: Int) -> Int? {
        if version >= versions[0] {
            let position = partitionPoint(versions.count) { versions[$0] >= version }
            return position < versions.count && versions[position] == version
                ? start + position : nil
        }
        let position = partitionPoint(retained.count) { retained[$0].version >= version }
        return position < retained.count && retained[position].version == version
            ? retained[position].update : nil
    }

    // MARK: Composing

    /// What the updates of a stretch do, which is kept from now on.
    private mutating func compose(_ stretch: Stretch) -> ValidatedChangeSet {
        if let known = compositions[stretch] { return known }
        let (left, right) = stretch.halves
        var composition: ChangeSetComposition?
        append(compose(left), to: &composition)
        append(compose(right), to: &composition)
        guard let changeSet = composition?.update else { fatalError("a stretch has two halves") }
        keep(changeSet, stretch)
        return changeSet
    }

    private func append(_ next: ValidatedChangeSet, to composition: inout ChangeSetComposition?) {
        var sum = composition ?? ChangeSetComposition(from: next.oldShape)
        // Given up before it is changed, or it would be copied.
        composition = nil
        do throws(HierarchyUpdateError) {
            try sum.append(next)
        } catch {
            fatalError("updates of one history follow each other: \(error)")
        }
        composition = sum
    }

    // MARK: Forgetting

    /// The first of those that are kept whoever retains them becomes an older one.
    private mutating func passFirst() {
        let first = start
        guard let version = versions.popFirst(),
            let passed = compositions[Stretch(level: 0, index: first)]
        else { return }
        edits -= passed.weight
        start += 1
        if holders[first] != nil {
            retained.append((first, version))
            if retained.count > max(0, limits.retained) { forgetOldest() }
        }
        if retained.isEmpty { return dropStretches(from: first) }
        fold(around: first, from: 1)
    }

    /// The oldest version that is retained is not known any more.
    private mutating func forgetOldest() {
        let oldest = retained[0].update
        holders[oldest] = nil
        dropRetained(oldest)
    }

    /// The version that `update`, an older one, begins at is not retained any more.
    private mutating func dropRetained(_ update: Int) {
        let position = partitionPoint(retained.count) { retained[$0].update >= update }
        retained.remove(at: position)
        if position == 0 { return dropStretches(from: update) }
        // What ended there and what begins there may be one stretch now. Smaller ones begin there, and nobody could
        // begin in the middle of those before either.
        fold(around: update, from: update.trailingZeroBitCount + 1)
    }

    /// Composes the stretches around an older update, from a level on, as long as nobody can begin in their middle; and
    /// drops what they are made of.
    private mutating func fold(around update: Int, from lowest: Int) {
        var next = Stretch(level: lowest, index: update >> lowest)
        while next.end <= start, !isRetained(inside: next) {
            _ = compose(next)
            let (left, right) = next.halves
            drop(left)
            drop(right)
            next = Stretch(level: next.level + 1, index: next.index / 2)
        }
    }

    /// Whether somebody may begin in the middle of a stretch of older updates.
    private func isRetained(inside stretch: Stretch) -> Bool {
        let position = partitionPoint(retained.count) { retained[$0].update > stretch.first }
        return position < retained.count && retained[position].update < stretch.end
    }

    /// Nobody begins at `update`, the oldest, any more, or between it and the next that somebody may begin at.
    private mutating func dropStretches(from update: Int) {
        let oldest = retained.first?.update ?? start
        guard oldest - update < compositions.count else {
            for stretch in compositions.keys where stretch.first < oldest { drop(stretch) }
            return
        }
        for first in update..<oldest {
            for level in 0...first.trailingZeroBitCount {
                drop(Stretch(level: level, index: first >> level))
            }
        }
    }
}

extension ValidatedChangeSet {
    /// How much it takes to keep.
    fileprivate var weight: Int {
        // A shape takes a number for each section, an edit some fifty bytes.
        edits.count + reconfigurations.count + supplementaryReloads.count + 1
            + newShape.numberOfSections / 8
    }
}
