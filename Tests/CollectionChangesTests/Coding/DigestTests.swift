import CollectionChanges
import PersistentTrees
import PipelineTestSupport
import Testing

/// The digest is a function that anyone can compute again, and that tells states apart.
@Suite struct DigestTests {
    // From the vectors that SipHash's authors publish, computed again with OpenSSL.
    @Test(arguments: [
        (0, "a3817f04ba25a8e66df67214c7550293"), (1, "da87c1d86b99af44347659119b22fc45"),
        (15, "5493e99933b0a8117e08ec0f97cfc3d9"), (17, "473d06e8738db89854c066c47ae47740"),
    ])
    func theHashIsSipHash(length: Int, expected: String) {
        // However the bytes are cut.
        for first in 0...length {
            for second in first...length {
                var hasher = StableHasher()
                let bytes = (0..<length).map { UInt8($0) }
                for part in [bytes[..<first], bytes[first..<second], bytes[second...]] {
                    Array(part).withUnsafeBytes { hasher.combine(bytes: $0) }
                }
                #expect(hasher.finish().description == expected)
            }
        }
    }

    @Test func digestsAreTextAndBack() {
        let digest = StateDigest(low: 0x0123_4567_89AB_CDEF, high: 1)
        #expect(digest.description == "efcdab89674523010100000000000000")
        #expect(StateDigest(digest.description) == digest)
        for text in ["", "ef", digest.description + "0", String(repeating: "g", count: 32)] {
            #expect(StateDigest(text) == nil)
        }
    }

    // MARK: The function

    /// The documented sum, computed with remainders of wide products, one element after the other.
    private func model(_ values: [StateDigest]) -> [UInt64] {
        let prime: UInt64 = (1 << 61) - 1
        let bases: [UInt64] = [0xd41_3ccc_fe77_9921, 0x176c_f5d0_b099_54e7]
        func times(_ left: UInt64, _ right: UInt64) -> UInt64 {
            prime.dividingFullWidth(left.multipliedFullWidth(by: right)).remainder
        }
        var sums: [UInt64] = [0, 0]
        var powers: [UInt64] = [1, 1]
        for value in values {
            for index in 0..<2 {
                let element = max(1, (index == 0 ? value.low : value.high) & prime) % prime
                sums[index] = (times(sums[index], bases[index]) + element) % prime
                powers[index] = times(powers[index], bases[index])
            }
        }
        return sums + powers
    }

    private func hash(_ domain: UInt8, _ words: [UInt64]) -> StateDigest {
        var hasher = StableHasher()
        hasher.combine(domain)
        for word in words { hasher.combine(word) }
        return hasher.finish()
    }

    @Test func theDigestIsTheDocumentedFunction() {
        for count in 0..<40 {
            let elements = (0..<count).map { ElementDigest(item: $0 * 7) }
            let values = (0..<count).map { number in
                var hasher = StableHasher()
                hasher.combine(UInt8(1))
                hasher.combine(UInt64(number * 7))
                hasher.combine(UInt8(0))
                return hasher.finish()
            }
            let expected = hash(3, model(values))
            #expect(summary(elements).digest == expected, "\(count) elements")
        }
    }

    // Computed once more outside, with Python and OpenSSL.
    @Test func theDigestsOfTheFirstReleaseStay() {
        let state = [
            ElementDigest(section: "inbox"), ElementDigest(item: 1, revision: 2),
            ElementDigest(item: "é"),
        ]
        #expect(DigestSummary.zero.digest.description == Self.emptyDigest)
        #expect(summary(state).digest.description == Self.stateDigest)
    }

    private static let emptyDigest = "641267504e5061cc954dfec3af67d851"
    private static let stateDigest = "21f3569b4efe8f262d6bfd6f01f98bb8"

    private func summary(_ elements: some Sequence<ElementDigest>) -> DigestSummary {
        elements.reduce(.zero) { $0.combined(with: DigestSummary(of: $1)) }
    }

    // MARK: Laws

    @Test func everyCutGivesTheSameSummary() {
        let elements = (0..<20).map { ElementDigest(item: "\($0)") }
        let whole = summary(elements)
        for first in 0...20 {
            for second in first...20 {
                let parts = [elements[..<first], elements[first..<second], elements[second...]]
                    .map(summary)
                #expect(parts[0].combined(with: parts[1]).combined(with: parts[2]) == whole)
                #expect(parts[0].combined(with: parts[1].combined(with: parts[2])) == whole)
            }
        }
        #expect(
            whole.combined(with: .zero) == whole
                && DigestSummary.zero.combined(with: whole) == whole
        )
    }

    @Test func everySmallStateHasADigestOfItsOwn() {
        // Up to five elements of eight: two items, one of them in two revisions, sections, and texts.
        let alphabet = [
            ElementDigest(item: 0), ElementDigest(item: 1), ElementDigest(item: 1, revision: 0),
            ElementDigest(item: 1, revision: 1), ElementDigest(section: 0),
            ElementDigest(section: 1), ElementDigest(item: "a"), ElementDigest(item: [0]),
        ]
        var digests: Set<StateDigest> = []
        var count = 0
        func extend(_ state: DigestSummary, _ rest: Int) {
            digests.insert(state.digest)
            count += 1
            if rest == 0 { return }
            for element in alphabet {
                extend(state.combined(with: DigestSummary(of: element)), rest - 1)
            }
        }
        extend(.zero, Effort.number(5, usually: 4))
        #expect(digests.count == count)
    }

    @Test func aSecretKeyGivesOtherDigests() {
        let key = StableHashKey(low: 1, high: 2)
        let usual = summary([ElementDigest(item: 1)]).digest
        #expect(summary([ElementDigest(item: 1, key: key)]).digest != usual)
    }

    @Test func aTreeKeepsTheDigestOfItsElements() {
        for seed in UInt64(0)..<20 {
            var generator = SeededGenerator(seed: seed)
            var model: [ElementDigest] = []
            var tree = PersistentSequence<ElementDigest, DigestSummary>(nodeCapacity: .uniform(4))
            for step in 0..<60 {
                var transaction = tree.transaction()
                for _ in 0..<generator.next(below: 5) {
                    let element = ElementDigest(item: step * 10 + generator.next(below: 4))
                    if model.isEmpty || generator.isTrue(oneIn: 2) {
                        let position = generator.next(below: model.count + 1)
                        model.insert(element, at: position)
                        transaction.insert(element, at: position)
                    } else {
                        let position = generator.next(below: model.count)
                        model.remove(at: position)
                        _ = transaction.remove(at: position)
                    }
                }
                tree = transaction.commit()
                #expect(tree.summary == summary(model), "seed \(seed), step \(step)")
            }
        }
    }
}
