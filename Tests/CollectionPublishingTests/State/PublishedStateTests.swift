import PipelineTestSupport
import Testing

@testable import CollectionPublishing

/// Compares states, contents and digests after updates with a model of arrays.
struct PublishedStateTests {
    /// A state with its digest, and the updates with their model.
    private struct Run {
        var updates: PublishedUpdates
        var state = PublishedState()
        var digest = PublishedDigest(of: PublishedState())

        /// Applies an update and returns the first fault.
        mutating func go(by changeSet: ValidatedChangeSet, _ contents: PublishedContents) -> String?
        {
            let (old, oldModel) = (state, StateModel(state))
            state = old.applying(changeSet, contents)
            digest = digest.updated(by: changeSet, from: old, to: state)
            let model = updates.model
            if StateModel(state) != model { return "the state is wrong" }
            if state != model.state || StateModel(old) != oldModel { return "equality is wrong" }
            if state.shape != model.shape { return "the shape is wrong" }
            let count = model.sections.reduce(0) { $0 + $1.items.count }
            if state.numberOfItems != count { return "there are \(count) items" }
            for (section, entry) in model.sections.enumerated() {
                for (item, value) in entry.items.enumerated()
                where state.item(at: ItemPath(section, item)) != value {
                    return "wrong item at \(section), \(item)"
                }
            }
            if PublishedContents(of: changeSet, in: state) != contents { return "wrong contents" }
            if digest != PublishedDigest(of: state) || digest.value != state.digest {
                return "the updated digest is wrong"
            }
            if state.digest != documentedDigest(model) { return "the digest is not as documented" }
            if state.entries.brokenInvariant() != nil { return "the tree of sections is invalid" }
            if !state.entries.allSatisfy({ $0.items.brokenInvariant() == nil }) {
                return "a tree of items is invalid"
            }
            if !contents.fit(changeSet) { return "the contents do not fit the change set" }
            let misfits = PublishedStateTests.misfits(contents)
            return misfits.contains { $0.fit(changeSet) }
                ? "wrong contents fit the change set" : nil
        }
    }

    @Test func updatedStatesMatchArrays() throws {
        for seed in UInt64(0)..<UInt64(Effort.number(2_000, usually: 120)) {
            var run = Run(updates: PublishedUpdates(seed: seed))
            for step in 0..<12 {
                let (changeSet, contents) = try run.updates.next()
                let fault = run.go(by: changeSet, contents)
                try #require(fault == nil, "seed \(seed), step \(step)")
            }
        }
    }

    // A state with trees of several levels.
    @Test(arguments: 0..<UInt64(Effort.number(100, usually: 4)))
    func updatedLargeStatesMatchArrays(seed: UInt64) throws {
        var run = Run(updates: PublishedUpdates(seed: seed))
        var changes = HierarchyChangeSet()
        changes.insertSections([0, 1, 2])
        let first = try changes.validated(from: [], to: [900, 0, 1_500])
        let contents = run.updates.take(first)
        let fault = run.go(by: first, contents)
        #expect(fault == nil)
        for step in 0..<4 {
            let (changeSet, contents) = try run.updates.next(rate: 0.04)
            let fault = run.go(by: changeSet, contents)
            try #require(fault == nil, "seed \(seed), step \(step)")
        }
    }

    /// Returns variants of the contents with one place missing, added or moved.
    private static func misfits(_ contents: PublishedContents) -> [PublishedContents] {
        let item = PublishedItem(number: 90, payload: nil)
        let section = PublishedSection(number: 91, payload: nil)
        var misfits: [PublishedContents] = []
        func mismatch(_ edit: (inout PublishedContents) -> Void) {
            var other = contents
            edit(&other)
            misfits.append(other)
        }
        mismatch { $0.insertedSections.append(.init(section: section)) }
        mismatch { $0.insertedItems.append(item) }
        mismatch { $0.changedItems.append(item) }
        mismatch { $0.changedSections.append(.init(newIndex: 0, section: section)) }
        for index in contents.insertedSections.indices {
            mismatch { $0.insertedSections.remove(at: index) }
            mismatch { $0.insertedSections[index].items.append(item) }
            guard !contents.insertedSections[index].items.isEmpty else { continue }
            mismatch { $0.insertedSections[index].items.removeLast() }
        }
        if !contents.insertedItems.isEmpty { mismatch { $0.insertedItems.removeLast() } }
        if !contents.changedItems.isEmpty { mismatch { $0.changedItems.removeLast() } }
        for index in contents.changedSections.indices {
            mismatch { $0.changedSections.remove(at: index) }
            mismatch { $0.changedSections[index].newIndex += 1 }
            mismatch { $0.changedSections[index].newIndex = .min }
        }
        if contents.changedSections.count > 1 { mismatch { $0.changedSections.swapAt(0, 1) } }
        return misfits
    }

    @Test func invalidIndexesReturnNothing() throws {
        var updates = PublishedUpdates(seed: 3)
        for _ in 0..<6 { _ = try updates.next() }
        for state in [PublishedState(), updates.model.state] {
            let count = state.numberOfSections
            var found = 0
            for section in [-1, count, .min, .max] {
                if state.section(at: section) != nil { found += 1 }
                found += state.items(inSection: section).count
                if state.item(at: ItemPath(section, 0)) != nil { found += 1 }
            }
            for section in 0..<count {
                for item in [-1, state.items(inSection: section).count, .min, .max]
                where state.item(at: ItemPath(section, item)) != nil { found += 1 }
            }
            #expect(found == 0)
        }
    }
}

struct PublishedVersionTests {
    @Test func versionsAreParsedFromTheirText() {
        let version = PublishedVersion(handle: HistoryID(rawValue: 0xC0FFEE), number: 12)
        #expect("\(version)" == "0000000000c0ffee.12")
        #expect(PublishedVersion("\(version)") == version)
        #expect(PublishedVersion("0000000000C0FFEE.12") == version)
        let first = PublishedVersion(handle: HistoryID(rawValue: 0), number: 0)
        #expect(PublishedVersion("\(first)") == first)
        let last = PublishedVersion(handle: HistoryID(rawValue: .max), number: .max)
        #expect(PublishedVersion("\(last)") == last)
    }

    @Test(arguments: [
        "", ".", "12", "0000000000c0ffee", "0000000000c0ffee.", "0000000000c0ffee.-1",
        "0000000000c0ffee.+1", "0000000000c0ffee.1.2", "+000000000c0ffee.1", "c0ffee.1",
        "0000000000c0ffee.99999999999999999999", "0000000000c0ffeg.1", "0000000000c0ffee. 1",
        "0000000000c0ffee.٣", "0000000000c0ffee..1", ".0000000000c0ffee.1", "0000000000c0ffee.1.",
        "0000000000c0ffee.01", "-000000000000000.1", "-00000000000c0fe.1",
        "0000000000c0ffee.00000000000000000001", "0000000000c0ffee.-0",
    ])
    func noOtherTextIsAVersion(_ text: String) {
        #expect(PublishedVersion(text) == nil)
    }

    @Test func versionsAreReachedWithinTheirHistory() {
        let cases: [(UInt64, Int, Bool)] = [
            (7, 2, true), (7, 3, true), (7, 1, false), (8, 3, false),
        ]
        for (handle, number, isReached) in cases {
            let version = PublishedVersion(handle: HistoryID(rawValue: handle), number: number)
            let written = PublishedVersion(handle: HistoryID(rawValue: 7), number: 2)
            #expect(version.hasReached(written) == isReached)
        }
    }
}
