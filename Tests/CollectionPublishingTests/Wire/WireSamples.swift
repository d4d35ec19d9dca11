import PipelineTestSupport

@testable import CollectionPublishing

/// One message of each kind with its expected JSON.
struct WireSamples {
    let messages: [HubMessage]
    let state: PublishedState

    static let handle = HistoryID(rawValue: 0xC0FFEE)

    static let json = [
        #"{"reset":{"digest":"93ec5d9f2d427b762212c94cb806863b","reason":"joined","#
            + #""version":"0000000000c0ffee.0"}}"#,
        #"{"update":{"from":"0000000000c0ffee.0","insertSections":["#
            + #"{"at":0,"items":[[1,"a"],[2,"b"],[3]],"n":1,"p":"A"},"#
            + #"{"at":1,"items":[[4,"d"]],"n":2},{"at":2,"n":3},"#
            + #"{"at":3,"items":[[5,"e"]],"n":4,"p":"D"}],"to":"0000000000c0ffee.1"}}"#,
        #"{"reset":{"digest":"73643699606c2b69505e48f2dd9912a5","reason":"forgotten","sections":["#
            + #"{"items":[[1,"a"],[2,"b"],[3]],"n":1,"p":"A"},{"items":[[4,"d"]],"n":2},{"n":3},"#
            + #"{"items":[[5,"e"]],"n":4,"p":"D"}],"version":"0000000000c0ffee.1"}}"#,
        #"{"update":{"changeItems":[[2,2,"c"]],"changeSections":[[2]],"#
            + #""digest":"2c07873ae2b0a0d3530e4ff49d3bc05f","from":"0000000000c0ffee.1","#
            + #""insertItems":[[2,0,[1,0]],[2,1,7],[3,0,8,"h"]],"insertSections":[{"at":0,"from":3},"#
            + #"{"at":1,"items":[[6,"f"]],"n":5,"p":"<i>E</i>"}],"removeItems":[[1,0],[0,1],[0,0]],"#
            + #""removeSections":[3,1],"to":"0000000000c0ffee.2"}}"#,
        #"{"upToDate":{"digest":"2c07873ae2b0a0d3530e4ff49d3bc05f","version":"0000000000c0ffee.2"}}"#,
        #"{"closed":{"version":"0000000000c0ffee.2"}}"#,
    ]

    private static func version(_ number: Int) -> PublishedVersion {
        PublishedVersion(handle: handle, number: number)
    }

    /// Returns an update that inserts an item into an empty section, if the contents have one.
    static func update(_ contents: PublishedContents) throws -> PublishedUpdate {
        var changes = HierarchyChangeSet()
        changes.insertItems(at: [ItemPath(0, 0)])
        return try update(changes, from: [0], to: [1], contents)
    }

    private static func update(
        _ changes: HierarchyChangeSet,
        from oldShape: HierarchyShape,
        to newShape: HierarchyShape,
        _ contents: PublishedContents
    ) throws -> PublishedUpdate {
        PublishedUpdate(
            from: version(1),
            to: version(2),
            changeSet: try changes.validated(from: oldShape, to: newShape),
            contents: contents
        )
    }

    /// Returns a message for each place in which a section or an item can occur.
    static func everywhere(number: UInt64, payload: PublishedPayload?) throws -> [HubMessage] {
        let item = PublishedItem(number: number, payload: payload)
        let section = PublishedSection(number: number, payload: payload)
        var (inserting, changing, reloading) = (
            HierarchyChangeSet(), HierarchyChangeSet(), HierarchyChangeSet()
        )
        inserting.insertSections([0])
        changing.reconfigureItems(at: [ItemPath(0, 0)])
        reloading.reloadSupplementaries(ofKind: .header, in: [0])
        var updates = [
            try update(PublishedContents(insertedItems: [item])),
            try update(changing, from: [1], to: [1], PublishedContents(changedItems: [item])),
            try update(
                reloading,
                from: [1],
                to: [1],
                PublishedContents(changedSections: [.init(newIndex: 0, section: section)])
            ),
        ]
        var messages: [HubMessage] = []
        for inserted: PublishedContents.InsertedSection in [
            .init(section: section, items: [Self.item(1, nil)]),
            .init(section: Self.section(1, nil), items: [item]),
        ] {
            let contents = PublishedContents(insertedSections: [inserted])
            updates.append(try update(inserting, from: [], to: [1], contents))
            let state = PublishedState().applying(updates[updates.count - 1].changeSet, contents)
            let snapshot = PublishedSnapshot(
                version: version(1),
                state: state,
                digest: state.digest
            )
            messages.append(.reset(snapshot, .joined))
        }
        return messages + updates.map { .update($0) }
    }

    init() throws {
        var replica = CollectionReplica()
        let nothing = PublishedSnapshot(
            version: Self.version(0),
            state: replica.state,
            digest: replica.digest
        )
        try replica.apply(.reset(nothing, .joined))
        var messages = [HubMessage.reset(nothing, .joined)]
        for update in [try Self.first(), try Self.second()] {
            try replica.apply(.update(update))
            let digested = PublishedUpdate(
                from: update.from,
                to: update.to,
                changeSet: update.changeSet,
                contents: update.contents,
                digest: replica.digest
            )
            messages.append(.update(update.to.number == 2 ? digested : update))
            if update.to.number == 1 {
                let snapshot = PublishedSnapshot(
                    version: update.to,
                    state: replica.state,
                    digest: replica.digest
                )
                messages.append(.reset(snapshot, .forgotten))
            }
        }
        messages.append(.upToDate(Self.version(2), digest: replica.digest))
        messages.append(.closed(Self.version(2)))
        self.messages = messages
        state = replica.state
    }

    static func item(_ number: UInt64, _ text: String?) -> PublishedItem {
        PublishedItem(number: number, payload: text.map { PublishedPayload(utf8: $0) })
    }

    private static func section(_ number: UInt64, _ text: String?) -> PublishedSection {
        PublishedSection(number: number, payload: text.map { PublishedPayload(utf8: $0) })
    }

    private static func first() throws -> PublishedUpdate {
        var changes = HierarchyChangeSet()
        changes.insertSections([0, 1, 2, 3])
        let items = [item(1, "a"), item(2, "b"), item(3, nil)]
        return PublishedUpdate(
            from: version(0),
            to: version(1),
            changeSet: try changes.validated(from: [], to: [3, 1, 0, 1]),
            contents: PublishedContents(insertedSections: [
                .init(section: section(1, "A"), items: items),
                .init(section: section(2, nil), items: [item(4, "d")]),
                .init(section: section(3, nil)),
                .init(section: section(4, "D"), items: [item(5, "e")]),
            ])
        )
    }

    private static func second() throws -> PublishedUpdate {
        var changes = HierarchyChangeSet()
        changes.deleteItems(at: [ItemPath(0, 0)])
        changes.moveItem(at: ItemPath(1, 0), to: ItemPath(2, 0))
        changes.reloadItems(at: [ItemPath(0, 1)])
        changes.reconfigureItems(at: [ItemPath(0, 2)])
        changes.deleteSections([1])
        changes.moveSection(3, toSection: 0)
        changes.insertSections([1])
        changes.insertItems(at: [ItemPath(3, 0)])
        changes.reloadSupplementaries(ofKind: .header, in: [2])
        return PublishedUpdate(
            from: version(1),
            to: version(2),
            changeSet: try changes.validated(from: [3, 1, 0, 1], to: [1, 1, 3, 1]),
            contents: PublishedContents(
                insertedSections: [.init(section: section(5, "<i>E</i>"), items: [item(6, "f")])],
                insertedItems: [item(7, nil), item(8, "h")],
                changedItems: [item(3, "c")],
                changedSections: [.init(newIndex: 2, section: section(1, nil))]
            )
        )
    }
}
