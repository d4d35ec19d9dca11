import CollectionChanges
import CollectionPublishing
import PipelineTestSupport
import Testing

@testable import CollectionReplication

/// Updates with right hashes, from somebody who has the key and is broken or hostile: a named verdict, never a trap.
@Suite("Updates with right hashes and absurd contents", .endsHangs)
struct HostileUpdateTests {
    typealias Write = (inout ByteWriter) -> Void

    static let limits = ShapeLimits(sections: 1000, items: 1000)

    /// What becomes of an update with these bytes as its body, whatever state it says that it leads to.
    private func verdict(_ chain: LogChain, _ body: Write) throws -> LogChain.Verdict {
        var writer = ByteWriter()
        body(&writer)
        var place = chain.position
        place.sequence += 1
        place.version += 1
        // The digest is that of what it leads to, where it leads anywhere: somebody who has the key knows it.
        let decoded = try? ContentsForm.decode(
            writer.bytes,
            from: chain.contents.state,
            limits: chain.limits
        )
        var next = chain.contents
        if let (changeSet, contents) = decoded { next.go(by: changeSet, contents) }
        var record = LogRecord(
            position: place,
            from: chain.position.version,
            previous: chain.position.hash,
            digest: next.value,
            body: .update(writer.bytes)
        )
        let bytes = record.seal(key: .usual)
        var copy = chain
        let verdict = copy.take(try LogRecord(decoding: bytes, key: .usual))
        if case .invalid = verdict {
            #expect(copy.position == chain.position)
            #expect(copy.contents.value == chain.contents.value)
            #expect(copy.numbers == chain.numbers)
        }
        return verdict
    }

    private func isInvalid(_ chain: LogChain, _ body: Write) throws -> Bool {
        if case .invalid = try verdict(chain, body) { return true }
        return false
    }

    /// A chain with two sections, of the items 1 and 2, and of the item 3.
    private func chain() throws -> LogChain {
        try Samples.opened(limits: Self.limits)
            .sealed(Samples.state([["a", "b"], ["c"]]), version: 200).chain
    }

    private func edits(_ changes: HierarchyChangeSet, _ new: HierarchyShape) throws -> [UInt8] {
        try changes.validated(from: [2, 1], to: new).encodedAlone()
    }

    /// The edits of an insertion of one item.
    private func insertion() throws -> [UInt8] {
        try edits(HierarchyChangeSet([.insertItems([ItemPath(0, 0)], .automatic)]), [3, 1])
    }

    @Test func anUpdateOfAnItemWithAFreshNumberExtends() throws {
        let edits = try insertion()
        let verdict = try verdict(chain()) {
            $0.index(edits.count)
            $0.raw(edits)
            $0.item(PublishedItem(number: 4, payload: PublishedPayload("new")))
        }
        guard case .extended = verdict else {
            Issue.record("\(verdict)")
            return
        }
    }

    @Test func anUpdateThatGivesANumberAgainIsInvalid() throws {
        let edits = try insertion()
        for number in [UInt64(1), 2, 3] {
            #expect(
                try isInvalid(chain()) {
                    $0.index(edits.count)
                    $0.raw(edits)
                    $0.item(PublishedItem(number: number, payload: PublishedPayload("new")))
                },
                "\(number)"
            )
        }
        let two = try self.edits(
            HierarchyChangeSet([.insertItems([ItemPath(0, 0), ItemPath(0, 1)], .automatic)]),
            [4, 1]
        )
        #expect(
            try isInvalid(chain()) {
                $0.index(two.count)
                $0.raw(two)
                for _ in 0..<2 { $0.item(PublishedItem(number: 8, payload: nil)) }
            }
        )
        let section = try self.edits(
            HierarchyChangeSet([.insertSections([0], .automatic)]),
            [0, 2, 1]
        )
        for number in [UInt64(1), 2] {
            #expect(
                try isInvalid(chain()) {
                    $0.index(section.count)
                    $0.raw(section)
                    $0.section(PublishedSection(number: number, payload: nil))
                }
            )
        }
    }

    @Test func numbersOfAnUpdateAreFromOneToWhatADoubleCounts() throws {
        let edits = try insertion()
        for number in [0, UInt64(1) << 53, .max] {
            #expect(
                try isInvalid(chain()) {
                    $0.index(edits.count)
                    $0.raw(edits)
                    $0.item(PublishedItem(number: number, payload: nil))
                }
            )
        }
    }

    @Test func countsOfAnUpdateThatNothingCouldHaveAreInvalid() throws {
        let chain = try chain()
        let edits = try insertion()
        for count in [UInt64(1) << 62, .max, 1 << 32, UInt64(edits.count) + 1] {
            #expect(
                try isInvalid(chain) {
                    $0.unsigned(count)
                    $0.raw(edits)
                }
            )
            #expect(
                try isInvalid(chain) {
                    $0.index(edits.count)
                    $0.raw(edits)
                    $0.unsigned(4)
                    $0.unsigned(count)
                }
            )
        }
    }

    @Test func trailingBytesMissingBytesAndOverlongIntegersOfAnUpdateAreInvalid() throws {
        let chain = try chain()
        let edits = try insertion()
        let item: Write = { $0.item(PublishedItem(number: 4, payload: PublishedPayload("x"))) }
        #expect(
            try isInvalid(chain) {
                $0.index(edits.count)
                $0.raw(edits)
                item(&$0)
                $0.byte(0)
            }
        )
        #expect(
            try isInvalid(chain) {
                $0.index(edits.count)
                $0.raw(edits)
            }
        )
        #expect(
            try isInvalid(chain) {
                $0.index(edits.count)
                $0.raw(edits)
                $0.raw([0x84, 0])
                $0.payload(nil)
            }
        )
        #expect(try isInvalid(chain) { _ in })
    }

    @Test func editsOfPlacesThatAreNotThereAreInvalid() throws {
        let chain = try chain()
        let changes = HierarchyChangeSet([.deleteItems([ItemPath(5, 7)], .automatic)])
        let edits = try changes.validated(from: [1, 1, 1, 1, 1, 8], to: [1, 1, 1, 1, 1, 7])
            .encodedAlone()
        #expect(
            try isInvalid(chain) {
                $0.index(edits.count)
                $0.raw(edits)
            }
        )
    }

    @Test func aStateBeyondTheLimitsOfAShapeIsInvalid() throws {
        let changes = HierarchyChangeSet([.insertSections([0], .automatic)])
        let edits = try changes.validated(from: [2, 1], to: [1 << 20, 2, 1]).encodedAlone()
        #expect(
            try isInvalid(chain()) {
                $0.index(edits.count)
                $0.raw(edits)
                $0.section(PublishedSection(number: 3, payload: nil))
            }
        )
    }

    @Test func bodiesThatAreSpoiledAtRandomNeverTrap() throws {
        let (chain, record) = try Samples.update()
        guard case .update(let body) = try LogRecord(decoding: record.bytes, key: .usual).body
        else {
            Issue.record("an update has a body")
            return
        }
        var mutilation = Mutilation(seed: 3)
        var extended = 0
        for _ in 0..<Effort.number(20_000, usually: 1_000) {
            let spoiled = mutilation.spoil(body)
            let verdict = try verdict(chain) { $0.raw(spoiled) }
            guard case .extended = verdict else { continue }
            extended += 1
        }
        // Where only what is shown is another, it is as good a record.
        #expect(extended > 0)
    }
}
