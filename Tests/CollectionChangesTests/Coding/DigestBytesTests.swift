import CollectionChanges
import Foundation
import Testing

/// What is fed to a hash, byte for byte, and digests as text.
@Suite struct DigestBytesTests {
    private func hash(_ feed: (inout StableHasher) -> Void) -> StateDigest {
        var hasher = StableHasher()
        feed(&hasher)
        return hasher.finish()
    }

    private func hash(_ bytes: [UInt8]) -> StateDigest {
        hash { hasher in for byte in bytes { hasher.combine(byte) } }
    }

    /// Eight bytes, the lowest first.
    private func word(_ number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    @Test func everyValueFeedsItsDocumentedBytes() {
        let large: UInt64 = 0x0123_4567_89AB_CDEF
        let digest = StateDigest(low: large, high: ~large)
        let cases: [(any StableHashable, [UInt8])] = [
            (0, word(0)), (-2, word(.max - 1)), (Int.min, word(1 << 63)), (Int64(7), word(7)),
            (Int64(-2), word(.max - 1)), (large, word(large)), (UInt64.max, word(.max)),
            ("", word(0)), ("é", word(2) + [0xC3, 0xA9]),
            ("nine bytes", word(10) + Array("nine bytes".utf8)), (digest, digest.bytes),
            ([Int](), word(0)), ([5, 6], word(2) + word(5) + word(6)),
            (["a"], word(1) + word(1) + [0x61]), (Int?.none, [0]), (Int?.some(3), [1] + word(3)),
            ([digest, digest], word(2) + digest.bytes + digest.bytes),
        ]
        for (value, bytes) in cases {
            #expect(hash { value.feed(&$0) } == hash(bytes), "\(value)")
            // Also where the bytes do not begin at a word.
            for odd in 1...7 {
                let before = Array(repeating: UInt8(odd), count: odd)
                let found = hash { hasher in
                    for byte in before { hasher.combine(byte) }
                    value.feed(&hasher)
                }
                #expect(found == hash(before + bytes), "\(value) after \(odd) bytes")
            }
        }
    }

    // MARK: Text

    @Test func everyByteIsTwoDigitsInItsPlace() {
        let digits = Array("0123456789abcdef")
        for byte in UInt8.min...UInt8.max {
            let text = String([digits[Int(byte >> 4)], digits[Int(byte & 15)]])
            let all = UInt64(byte) * 0x0101_0101_0101_0101
            let digest = StateDigest(low: all, high: all)
            #expect(digest.description == String(repeating: text, count: 16))
            #expect(StateDigest(digest.description) == digest)
        }
        for bit in 0..<64 {
            for digest in [
                StateDigest(low: 1 << bit, high: 0), StateDigest(low: 0, high: 1 << bit),
            ] {
                #expect(StateDigest(digest.description) == digest, "\(bit)")
            }
        }
    }

    @Test func aDigestIsCodedAsItsText() throws {
        let digest = StateDigest(low: 0x0123_4567_89AB_CDEF, high: 0)
        let data = try JSONEncoder().encode([digest])
        #expect(String(decoding: data, as: UTF8.self) == #"["efcdab89674523010000000000000000"]"#)
        #expect(try JSONDecoder().decode([StateDigest].self, from: data) == [digest])
    }

    @Test func otherTextIsNoDigestAndIsToldNoLongerThanFortyCharacters() throws {
        let long = String(repeating: "a", count: 10) + String(repeating: "b", count: 40)
        for text in ["", "efcdab89674523010000000000000", long, digits(31), digits(33)] {
            let data = try JSONEncoder().encode([text])
            let error = #expect(throws: DecodingError.self) {
                try JSONDecoder().decode([StateDigest].self, from: data)
            }
            guard case .dataCorrupted(let context)? = error else {
                Issue.record("\(text): \(error as Any)")
                continue
            }
            let expected = "a digest must be 32 hexadecimal digits, but is \(text.prefix(40))"
            #expect(context.debugDescription == expected)
        }
    }

    private func digits(_ count: Int) -> String { String(repeating: "0", count: count) }

    // MARK: Updates

    @Test func anItemThatLeavesADeletedSectionIsCountedOnce() throws {
        let old = Listing([(0, [1, 2]), (1, [3]), (2, [4]), (3, [])])
        for source in [path(0, 0), path(0, 1), path(1, 0)] {
            let item = old.sections[source.section].items[source.item]
            let new = Listing([(2, [4, item]), (3, [])])
            var changes = HierarchyChangeSet()
            changes.deleteSections([0, 1])
            changes.moveItem(at: source, to: path(0, 1))
            let update = try changes.validated(from: old.shape, to: new.shape)
            let digest = try StateDigest(of: old).updated(by: update, from: old, to: new)
            #expect(digest == StateDigest(of: new), "\(source)")
        }
    }

    @Test func ofAStateThatIsReplacedNothingIsLookedAt() throws {
        let (old, new) = (Listing([(0, [1, 2])]), Listing([(3, [4]), (5, [])]))
        let update = try HierarchyChangeSet([.reloadData()])
            .validated(from: old.shape, to: new.shape)
        let counted = CountedListing(old)
        let digest = try StateDigest(of: old).updated(by: update, from: counted, to: new)
        #expect(digest == StateDigest(of: new) && counted.items == 0)
    }
}
