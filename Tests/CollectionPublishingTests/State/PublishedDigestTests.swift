import PipelineTestSupport
import Testing

@testable import CollectionPublishing

/// A published state's digest is a function that anyone can compute again, and follows every update.
struct PublishedDigestTests {
    @Test(arguments: 0..<UInt64(Effort.number(2_000, usually: 120)))
    func aDigestFollowsAnyUpdate(seed: UInt64) throws {
        var updates = PublishedUpdates(seed: seed)
        var state = PublishedState()
        var digest = PublishedDigest(of: state)
        for step in 0..<12 {
            let (changeSet, contents) = try updates.next()
            let next = state.applying(changeSet, contents)
            digest = digest.updated(by: changeSet, from: state, to: next)
            #expect(digest == PublishedDigest(of: next), "seed \(seed), step \(step)")
            #expect(digest.value == next.digest)
            #expect(next.digest == documentedDigest(updates.model), "seed \(seed), step \(step)")
            state = next
        }
    }

    @Test func aDigestFollowsWhatManyUpdatesDoTogether() throws {
        for seed in UInt64(0)..<UInt64(Effort.number(400, usually: 40)) {
            var updates = PublishedUpdates(seed: seed)
            let (first, contents) = try updates.next()
            let state = PublishedState().applying(first, contents)
            var parts: [ValidatedChangeSet] = []
            for _ in 0..<5 { parts.append(try updates.next(rate: 0.15).0) }
            let last = try updates.model.published()
            let sum = try #require(try ValidatedChangeSet(composing: parts))
            let next = state.applying(sum, PublishedContents(of: sum, in: last))
            #expect(next == last, "seed \(seed)")
            let digest = PublishedDigest(of: state).updated(by: sum, from: state, to: next)
            #expect(digest == PublishedDigest(of: last), "seed \(seed)")
        }
    }

    // MARK: The function

    private static let fixedState = StateModel(
        sections: [
            StateModel.Section(
                section: PublishedSection(number: 1, payload: PublishedPayload("inbox")),
                items: [
                    PublishedItem(number: 1, payload: PublishedPayload("é")),
                    PublishedItem(number: 2, payload: nil),
                    PublishedItem(number: 5, payload: PublishedPayload([])),
                ]
            ),
            StateModel.Section(section: PublishedSection(number: 3, payload: nil)),
        ]
    )

    // Computed once more outside, with a SipHash in Python that gives its authors' vectors.
    @Test func theDigestsOfTheFirstReleaseStay() throws {
        #expect(PublishedState().digest.description == Self.emptyDigest)
        #expect(try Self.fixedState.published().digest.description == Self.fixedDigest)
        #expect(documentedDigest(Self.fixedState).description == Self.fixedDigest)
        #expect(PublishedPayload("inbox").digest.description == Self.payloadDigest)
    }

    private static let emptyDigest = "93ec5d9f2d427b762212c94cb806863b"
    private static let fixedDigest = "f5b6734274363c266e2ce60a41725d63"
    private static let payloadDigest = "00ec87ff469f348b29e6405a16d3e2a6"

    // MARK: What it tells apart

    private func digest(_ edit: (inout StateModel) -> Void) throws -> StateDigest {
        var model = Self.fixedState
        edit(&model)
        return try model.published().digest
    }

    private func isAnother(_ edit: (inout StateModel) -> Void) throws -> Bool {
        try digest(edit) != digest { _ in }
    }

    @Test func anotherOrderOfItemsIsAnotherDigest() throws {
        #expect(try isAnother { $0.sections[0].items.swapAt(0, 1) })
        #expect(try isAnother { $0.sections[0].items.swapAt(1, 2) })
    }

    @Test func anotherOrderOfSectionsIsAnotherDigest() throws {
        #expect(try isAnother { $0.sections.swapAt(0, 1) })
    }

    @Test func anotherNumberIsAnotherDigest() throws {
        #expect(try isAnother { $0.sections[0].items[1] = PublishedItem(number: 7, payload: nil) })
        #expect(
            try isAnother { $0.sections[1].section = PublishedSection(number: 7, payload: nil) }
        )
        let payload = PublishedPayload("inbox")
        #expect(
            try isAnother { $0.sections[0].section = PublishedSection(number: 7, payload: payload) }
        )
    }

    @Test func anotherPayloadIsAnotherDigest() throws {
        let payloads = [nil, PublishedPayload(""), PublishedPayload("e"), PublishedPayload("É")]
        let digests = try payloads.map { payload in
            try digest { $0.sections[0].items[0] = PublishedItem(number: 1, payload: payload) }
        }
        #expect(Set(digests + [try digest { _ in }]).count == 5)
    }

    @Test func anotherHeaderIsAnotherDigest() throws {
        let payloads = [nil, PublishedPayload(""), PublishedPayload("outbox")]
        let digests = try payloads.map { payload in
            try digest { $0.sections[0].section = PublishedSection(number: 1, payload: payload) }
        }
        #expect(Set(digests + [try digest { _ in }]).count == 4)
    }

    @Test func aHeaderOfAnotherSectionIsAnotherDigest() throws {
        let payload = PublishedPayload("inbox")
        #expect(
            try isAnother {
                $0.sections[0].section = PublishedSection(number: 1, payload: nil)
                $0.sections[1].section = PublishedSection(number: 3, payload: payload)
            }
        )
    }

    @Test func anItemInAnotherSectionIsAnotherDigest() throws {
        #expect(try isAnother { $0.sections[1].items.append($0.sections[0].items.removeLast()) })
    }

    @Test func anEmptySectionMoreIsAnotherDigest() throws {
        #expect(
            try isAnother {
                let section = PublishedSection(number: 9, payload: nil)
                $0.sections.append(StateModel.Section(section: section))
            }
        )
    }

    @Test func payloadsOfOneLengthAndOtherBytesHaveOtherDigests() {
        let payloads = [[], [0], [1], [0, 0], [0, 1], [1, 0]].map { PublishedPayload($0) }
        #expect(Set(payloads.map(\.digest)).count == 6)
        #expect(Set(payloads).count == 6)
        #expect(PublishedPayload("a") == PublishedPayload([97]))
    }
}
