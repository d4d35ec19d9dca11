import PipelineTestSupport
import Testing

@testable import CollectionPublishing

/// Digests must equal those of other implementations, and differ for different states.
struct PublishedDigestTests {
    private static let model = StateModel(
        sections: [
            StateModel.Section(
                section: PublishedSection(number: 1, payload: PublishedPayload(utf8: "inbox")),
                items: [
                    PublishedItem(number: 1, payload: PublishedPayload(utf8: "é")),
                    PublishedItem(number: 2, payload: nil),
                    PublishedItem(number: 5, payload: PublishedPayload([])),
                ]
            ),
            StateModel.Section(section: PublishedSection(number: 3, payload: nil)),
        ]
    )

    // Also computed with a Python SipHash that reproduces its authors' test vectors.
    @Test func digestsOfTheFirstReleaseAreStable() {
        #expect(PublishedState().digest.description == "93ec5d9f2d427b762212c94cb806863b")
        #expect(Self.model.state.digest.description == "f5b6734274363c266e2ce60a41725d63")
        #expect(
            PublishedPayload(utf8: "inbox").digest.description == "00ec87ff469f348b29e6405a16d3e2a6"
        )
    }

    @Test func statesWithOneDifferenceAreUnequalWithDifferentDigests() {
        var states = [PublishedState(), Self.model.state]
        func other(_ edit: (inout StateModel) -> Void) {
            var model = Self.model
            edit(&model)
            states.append(model.state)
        }
        let payloads = ["", "e", "É", "outbox"].map { PublishedPayload(utf8: $0) }
        for payload in payloads + [nil] {
            other { $0.sections[0].items[0] = PublishedItem(number: 1, payload: payload) }
            other { $0.sections[0].section = PublishedSection(number: 1, payload: payload) }
            other { $0.sections[0].items[0] = PublishedItem(number: 7, payload: payload) }
        }
        for payload in payloads {
            other { $0.sections[0].items[1] = PublishedItem(number: 2, payload: payload) }
            other { $0.sections[1].section = PublishedSection(number: 3, payload: payload) }
        }
        other { $0.sections[0].items.swapAt(0, 1) }
        other { $0.sections[0].items.swapAt(1, 2) }
        other { $0.sections.swapAt(0, 1) }
        other { $0.sections[1].section = PublishedSection(number: 7, payload: nil) }
        other { $0.sections[0].section = PublishedSection(number: 7, payload: payloads[0]) }
        other { $0.sections[1].items.append($0.sections[0].items.removeLast()) }
        other { $0.sections[0].items.removeLast() }
        other { $0.sections.removeLast() }
        other {
            let section = PublishedSection(number: 9, payload: nil)
            $0.sections.append(StateModel.Section(section: section))
        }
        other {
            $0.sections[0].section = PublishedSection(number: 1, payload: nil)
            $0.sections[1].section = PublishedSection(
                number: 3,
                payload: PublishedPayload(utf8: "inbox")
            )
        }
        for (index, state) in states.enumerated() {
            for (other, another) in states.enumerated() {
                let isSame = index == other
                let found = (state == another, state.digest == another.digest)
                #expect(found == (isSame, isSame), "states \(index) and \(other)")
            }
        }
    }

    @Test func differentPayloadsOfOneLengthHaveDifferentDigests() {
        let payloads = [[], [0], [1], [0, 0], [0, 1], [1, 0]].map { PublishedPayload($0) }
        #expect(Set(payloads.map(\.digest)).count == 6 && Set(payloads).count == 6)
        #expect(PublishedPayload(utf8: "a") == PublishedPayload([97]))
    }
}
