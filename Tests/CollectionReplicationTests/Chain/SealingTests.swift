import CollectionChanges
import CollectionPublishing
import Testing

@testable import CollectionReplication

/// What is not sealed: versions and numbers beyond what can follow.
@Suite("Versions and numbers at their ends") struct SealingTests {
    static let limits = ShapeLimits(sections: 1000, items: 1000)

    @Test func whatCannotBeReadBackIsNotSealed() throws {
        let highest = Int(LogChain.greatestNumber)
        let chain = try Samples.opened(limits: Self.limits)
            .sealed(Samples.state([["a", "b"], ["c"]]), version: 200).chain
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

    @Test func whatNobodyTakesInIsNotSealed() throws {
        let highest = LogChain.greatestNumber
        func chain(_ numbers: LastNumbers, _ sequence: UInt64) -> LogChain {
            var place = Samples.position()
            place.sequence = sequence
            return LogChain(at: place, KeptState(), numbers, key: .usual, limits: Self.limits)
        }
        for numbers in [
            LastNumbers(item: highest, section: 1), LastNumbers(item: 1, section: highest),
        ] {
            #expect(throws: SealingError.self) {
                try chain(numbers, 9).sealed(Samples.state([["a"]]), version: 1000)
            }
        }
        #expect(throws: SealingError.self) {
            try chain(LastNumbers(), .max).opening(epoch: 9, writer: 1, jump: 1)
        }
    }
}
