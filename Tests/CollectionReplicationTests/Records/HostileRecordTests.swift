import CollectionChanges
import CollectionPublishing
import PipelineTestSupport
import Testing

@testable import CollectionReplication

/// Bytes with valid hashes from a broken or hostile member with the key: they cause a typed error
/// or a named verdict, never a trap.
@Suite("Records with right hashes and absurd contents", .endsHangs)
struct HostileRecordTests {
    typealias Write = (inout ByteWriter) -> Void

    static let limits = ShapeLimits(sections: 1000, items: 1000)

    // MARK: Snapshots

    /// Returns the error from decoding a snapshot with the given body, or `nil`.
    private func code(
        item: UInt64 = 9,
        section: UInt64 = 9,
        ancestors: UInt64 = 0,
        _ body: Write
    ) -> BinaryDecodingError.Code? {
        let bytes = RecordFrame.snapshot.encode(key: .usual) { writer in
            Samples.position().write(to: &writer)
            writer.unsigned(item)
            writer.unsigned(section)
            writer.unsigned(ancestors)
            body(&writer)
        }.bytes
        do throws(BinaryDecodingError) {
            _ = try EncodableSnapshot(decoding: bytes, key: .usual, limits: Self.limits)
            return nil
        } catch {
            return error.code
        }
    }

    private static func section(_ number: UInt64, items: [UInt64] = []) -> Write {
        {
            $0.section(PublishedSection(number: number, payload: nil))
            $0.index(items.count)
            for item in items { $0.item(PublishedItem(number: item, payload: nil)) }
        }
    }

    private static func sections(_ sections: Write...) -> Write {
        {
            $0.index(sections.count)
            for section in sections { section(&$0) }
        }
    }

    @Test func absurdSnapshotsAreErrors() {
        let highest = UInt64(1) << 53 - 1
        #expect(code(Self.sections(Self.section(3, items: [4, 9]), Self.section(9))) == nil)
        var codes: [String: (found: BinaryDecodingError.Code?, expected: BinaryDecodingError.Code?)]
        codes = [:]
        for count in [UInt64(1) << 62, .max, 1 << 32, 3] {
            codes["\(count) sections"] = (code { $0.unsigned(count) }, .countBeyondBytes)
            let items = code {
                $0.unsigned(1)
                $0.section(PublishedSection(number: 1, payload: nil))
                $0.unsigned(count)
            }
            codes["\(count) items"] = (items, .countBeyondBytes)
            let payload = code {
                $0.unsigned(1)
                $0.unsigned(1)
                $0.unsigned(count)
            }
            codes["\(count) bytes"] = (payload, .countBeyondBytes)
        }
        let many = Self.sections(Self.section(1, items: Array(1...1001)))
        codes["too many items"] = (code(item: 2000, many), .rejected)
        let trailing = code {
            $0.unsigned(0)
            $0.byte(0)
        }
        codes["trailing"] = (trailing, .trailingBytes)
        codes["overlong"] = (code { $0.raw([0x80, 0]) }, .overlongInteger)
        let overflow = code { $0.raw(Array(repeating: 0xFF, count: 10)) }
        codes["overflow"] = (overflow, .integerOverflow)
        let wrong = codes.filter { $1.found != $1.expected }
        #expect(wrong.isEmpty)
        // In the following cases any error is right.
        var read: [String] = []
        func expectError(_ name: String, _ code: BinaryDecodingError.Code?) {
            if code == nil { read.append(name) }
        }
        for count in [UInt64(1) << 62, .max, 3] {
            let ancestors = code(ancestors: count) { Samples.position().write(to: &$0) }
            expectError("\(count) ancestors", ancestors)
        }
        for number in [0, highest + 1, .max] {
            let section = Self.sections(Self.section(number))
            let item = Self.sections(Self.section(1, items: [number]))
            expectError("section \(number)", code(item: highest, section: highest, section))
            expectError("item \(number)", code(item: highest, section: highest, item))
            if number == 0 { continue }
            expectError("last item \(number)", code(item: number) { $0.unsigned(0) })
            expectError("last section \(number)", code(section: number) { $0.unsigned(0) })
        }
        expectError("a late section", code(section: 4, Self.sections(Self.section(5))))
        expectError("a late item", code(item: 4, Self.sections(Self.section(1, items: [5]))))
        let twice = Self.sections(Self.section(1, items: [3]), Self.section(2, items: [3]))
        expectError("an item twice", code(twice))
        let again = Self.sections(Self.section(3), Self.section(3))
        expectError("a section twice", code(again))
        #expect(read == [])
    }

    // MARK: Updates

    /// Returns the verdict on an update with this body and the digest of the resulting state.
    private func verdict(_ chain: LogChain, _ body: [UInt8]) throws -> String {
        var place = chain.position
        place.sequence += 1
        place.version += 1
        // A member with the key can compute the right digest if the body leads to a state.
        let decoded = try? ContentsCoding.decode(
            body,
            from: chain.contents.state,
            limits: chain.limits
        )
        var next = chain.contents
        if let (changeSet, contents) = decoded { next.apply(changeSet, contents) }
        var record = LogRecord(
            position: place,
            from: chain.position.version,
            previous: chain.position.hash,
            digest: next.value,
            body: .update(body)
        )
        let bytes = record.seal(key: .usual)
        var copy = chain
        let verdict = copy.take(try LogRecord(decoding: bytes, key: .usual))
        let isUnchanged =
            copy.position == chain.position && copy.contents.value == chain.contents.value
            && copy.numbers == chain.numbers
        return isUnchanged == (verdict.name == "invalid") ? verdict.name : "half applied"
    }

    private static func update(
        _ changes: HierarchyChangeSet,
        from old: HierarchyShape = [2, 1],
        to new: HierarchyShape,
        _ contents: Write = { _ in }
    ) throws -> [UInt8] {
        let edits = try changes.validated(from: old, to: new).encodedWithoutShape()
        var writer = ByteWriter()
        writer.index(edits.count)
        writer.raw(edits)
        contents(&writer)
        return writer.bytes
    }

    private static func insertion(_ contents: Write) throws -> [UInt8] {
        let changes = HierarchyChangeSet([.insertItems([ItemPath(0, 0)], .automatic)])
        return try update(changes, to: [3, 1], contents)
    }

    private static func item(_ number: UInt64) -> Write {
        { $0.item(PublishedItem(number: number, payload: PublishedPayload(utf8: "new"))) }
    }

    @Test func absurdUpdatesAreInvalid() throws {
        // The chain has the items 1 and 2 in one section, and item 3 in another.
        let chain = try Samples.opened(limits: Self.limits)
            .sealed(Samples.state([["a", "b"], ["c"]]), version: 200).chain
        #expect(try verdict(chain, Self.insertion(Self.item(4))) == "extended")
        var bodies: [String: [UInt8]] = ["nothing": [], "no content": try Self.insertion { _ in }]
        for number in [0, 1, 2, 3, UInt64(1) << 53, .max] {
            bodies["item \(number)"] = try Self.insertion(Self.item(number))
        }
        let two = HierarchyChangeSet([.insertItems([ItemPath(0, 0), ItemPath(0, 1)], .automatic)])
        bodies["an item twice"] = try Self.update(two, to: [4, 1]) {
            for _ in 0..<2 { Self.item(8)(&$0) }
        }
        let section = HierarchyChangeSet([.insertSections([0], .automatic)])
        for number in [UInt64(1), 2] {
            bodies["section \(number)"] = try Self.update(section, to: [0, 2, 1]) {
                $0.section(PublishedSection(number: number, payload: nil))
            }
        }
        bodies["too many items"] = try Self.update(section, to: [1 << 20, 2, 1]) {
            $0.section(PublishedSection(number: 3, payload: nil))
        }
        let edits = try Self.insertion { _ in }
        for count in [UInt64(1) << 62, .max, 1 << 32, UInt64(edits.count)] {
            var writer = ByteWriter()
            writer.unsigned(count)
            writer.raw(Array(edits.dropFirst()))
            bodies["\(count) bytes of edits"] = writer.bytes
            bodies["\(count) bytes of payload"] = try Self.insertion {
                $0.unsigned(4)
                $0.unsigned(count)
            }
        }
        bodies["trailing"] = try Self.insertion {
            Self.item(4)(&$0)
            $0.byte(0)
        }
        bodies["overlong"] = try Self.insertion {
            $0.raw([0x84, 0])
            $0.payload(nil)
        }
        let elsewhere = HierarchyChangeSet([.deleteItems([ItemPath(5, 7)], .automatic)])
        bodies["of another shape"] = try Self.update(
            elsewhere,
            from: [1, 1, 1, 1, 1, 8],
            to: [1, 1, 1, 1, 1, 7]
        )
        let verdicts = try bodies.mapValues { try verdict(chain, $0) }
        #expect(verdicts.filter { $1 != "invalid" } == [:])
    }

    // MARK: Random damage

    @Test func randomDamageNeverTraps() throws {
        let snapshot = Samples.snapshot.encoded(key: .usual)
        let body = Array(snapshot[4..<(snapshot.count - 16)])
        let (chain, record) = try Samples.update()
        guard case .update(let update) = try LogRecord(decoding: record.bytes, key: .usual).body
        else {
            Issue.record("an update has a body")
            return
        }
        var mutilation = Mutilation(seed: 4)
        var (values, extended) = (0, 0)
        for _ in 0..<Effort.number(20_000, usually: 1_000) {
            if try verdict(chain, mutilation.spoil(update)) == "extended" { extended += 1 }
            let spoiled = RecordFrame.snapshot.encode(key: .usual) {
                $0.raw(mutilation.spoil(body))
            }.bytes
            guard
                let form = try? EncodableSnapshot(
                    decoding: spoiled,
                    key: .usual,
                    limits: Self.limits
                )
            else { continue }
            values += 1
            // A decoded snapshot can be continued.
            let chain = LogChain(form, key: .usual, limits: Self.limits)
            _ = try? chain.opening(epoch: 99, writer: 1, jump: 1)
            _ = try? chain.sealed(Samples.state([["z"]]), version: chain.position.version + 1)
        }
        // If only payloads changed, the update is still valid.
        #expect(values > 0 && extended > 0)
    }
}
