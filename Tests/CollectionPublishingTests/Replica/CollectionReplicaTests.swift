import CollectionPublishing
import PipelineTestSupport
import Testing

@Suite("What a replica does not take in")
struct CollectionReplicaTests {
    /// A replica at version 1 with one section, which an update may follow on.
    private static func replica() throws -> CollectionReplica {
        var replica = CollectionReplica()
        let start = PublishedSnapshot(
            version: version(0),
            state: replica.state,
            digest: replica.digest
        )
        try replica.apply(.reset(start, .joined))
        try replica.apply(.update(update(from: 0, to: 1, oldShape: [], numbers: [1])))
        return replica
    }

    private static func version(_ number: Int, handle: UInt64 = 7) -> PublishedVersion {
        PublishedVersion(handle: HistoryHandle(rawValue: handle), number: number)
    }

    /// Inserts a section at the beginning, and brings as many as there are numbers.
    private static func update(
        from: Int,
        to: Int,
        handle: UInt64 = 7,
        newHandle: UInt64 = 7,
        oldShape: HierarchyShape = [0],
        numbers: [UInt64] = [2],
        digest: StateDigest? = nil
    ) throws -> PublishedUpdate {
        var changes = HierarchyChangeSet()
        changes.insertSections([0])
        let newShape = HierarchyShape([0] + oldShape.itemCounts)
        let sections = numbers.map { PublishedSection(number: $0, payload: nil) }
        return PublishedUpdate(
            from: version(from, handle: handle),
            to: version(to, handle: newHandle),
            changeSet: try changes.validated(from: oldShape, to: newShape),
            contents: PublishedContents(freshSections: sections.map { .init(section: $0) }),
            digest: digest
        )
    }

    private static func code(of message: HubMessage) throws -> String? {
        var replica = try replica()
        let old = replica
        do throws(ReplicaError) {
            try replica.apply(message)
            return nil
        } catch {
            #expect(replica.state == old.state && replica.version == old.version)
            #expect(replica.digest == old.digest && !replica.isClosed)
            return error.code.rawValue
        }
    }

    @Test func updatesMustFollowOnWhatIsThere() throws {
        #expect(try Self.code(of: .update(Self.update(from: 1, to: 5))) == nil)
        #expect(try Self.code(of: .update(Self.update(from: 2, to: 3))) == "gap")
        #expect(try Self.code(of: .update(Self.update(from: 0, to: 2))) == "double")
        #expect(try Self.code(of: .update(Self.update(from: 1, to: 1))) == "double")
        let other = try Self.update(from: 1, to: 2, handle: 8, newHandle: 8)
        #expect(try Self.code(of: .update(other)) == "otherHistory")
        let leaving = try Self.update(from: 1, to: 2, newHandle: 8)
        #expect(try Self.code(of: .update(leaving)) == "otherHistory")
    }

    @Test func updatesMustFitWhatIsThere() throws {
        let shape = try Self.update(from: 1, to: 2, oldShape: [1])
        #expect(try Self.code(of: .update(shape)) == "misfit")
        for numbers in [[], [2, 3]] as [[UInt64]] {
            let contents = try Self.update(from: 1, to: 2, numbers: numbers)
            #expect(try Self.code(of: .update(contents)) == "misfit")
        }
        let digest = StateDigest(low: 0, high: 0)
        let spoiled = try Self.update(from: 1, to: 2, digest: digest)
        #expect(try Self.code(of: .update(spoiled)) == "otherDigest")
    }

    @Test func whatChangesNothingMustBeOfWhatIsThere() throws {
        let digest = try Self.replica().digest
        #expect(try Self.code(of: .upToDate(Self.version(1), digest: digest)) == nil)
        #expect(try Self.code(of: .upToDate(Self.version(2), digest: digest)) == "gap")
        let zero = StateDigest(low: 0, high: 0)
        #expect(try Self.code(of: .upToDate(Self.version(1), digest: zero)) == "otherDigest")
        #expect(try Self.code(of: .closed(Self.version(0))) == "double")
        let state = try Self.replica().state
        let snapshot = PublishedSnapshot(version: Self.version(9), state: state, digest: zero)
        #expect(try Self.code(of: .reset(snapshot, .forgotten)) == "otherDigest")
    }
}
