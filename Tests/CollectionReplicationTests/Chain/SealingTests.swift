import CollectionChanges
import CollectionPublishing
import Testing

@testable import CollectionReplication

/// What is not sealed, and what no chain takes in, whatever the digests: versions and numbers beyond what can follow.
@Suite("Versions and numbers at their ends") struct SealingTests {
    static let limits = ShapeLimits(sections: 1000, items: 1000)

    /// A chain with two sections, of the items 1 and 2, and of the item 3.
    private func chain() throws -> LogChain {
        try Samples.opened(limits: Self.limits)
            .sealed(Samples.state([["a", "b"], ["c"]]), version: 200).chain
    }

    @Test func aVersionThatNothingCouldFollowIsInvalid() throws {
        let chain = try chain()
        let highest = Int(LogChain.greatestNumber)
        for version in [0, 1, chain.position.version, highest + 1, .max] {
            var record = LogRecord(
                position: chain.position,
                from: chain.position.version,
                previous: chain.position.hash,
                digest: chain.contents.value,
                body: .update(
                    ContentsForm.encode(
                        ValidatedChangeSet.unchanged([2, 1]).encodedAlone(),
                        PublishedContents()
                    )
                )
            )
            record.position.sequence += 1
            record.position.version = version
            _ = record.seal(key: .usual)
            var copy = chain
            guard case .invalid = copy.take(record) else {
                Issue.record("version \(version) was taken in")
                continue
            }
        }
    }

    @Test func whatCannotBeReadBackIsNotSealed() throws {
        let highest = Int(LogChain.greatestNumber)
        let chain = try chain()
        let state = Samples.state([["z"]])
        for version in [-1, 0, chain.position.version, highest + 1, .max] {
            #expect(throws: SealingError.self) { try chain.sealed(state, version: version) }
        }
        #expect(try chain.sealed(state, version: highest).chain.position.version == highest)
        #expect(throws: SealingError.self) {
            try chain.opening(epoch: 2, writer: 1, jump: .max)
        }
        // Of more sections or items than members take in.
        let large = Samples.state([Array(repeating: "a", count: 1001)])
        #expect(throws: SealingError.self) { try chain.sealed(large, version: highest) }
    }

    @Test func aNumberThatNobodyTakesInIsNotSealed() throws {
        let highest = LogChain.greatestNumber
        for numbers in [
            LastNumbers(item: highest, section: 1), LastNumbers(item: 1, section: highest),
        ] {
            let chain = LogChain(
                at: Samples.position(),
                KeptState(),
                numbers,
                key: .usual,
                limits: Self.limits
            )
            #expect(throws: SealingError.self) {
                try chain.sealed(Samples.state([["a"]]), version: 1000)
            }
        }
    }

    @Test func aChainWhoseSequenceEndsIsNotSealed() throws {
        var place = Samples.position()
        place.sequence = .max
        let chain = LogChain(
            at: place,
            KeptState(),
            LastNumbers(),
            key: .usual,
            limits: Self.limits
        )
        #expect(throws: SealingError.self) {
            try chain.opening(epoch: 9, writer: 1, jump: 1)
        }
    }
}
