import CollectionChanges

/// Tests the validators with edits, and with shapes that the edits may or may not connect.
enum ValidatorJob {
    /// Checks that an accepted update leads from one shape to the other, and that its mappings
    /// agree with its edits.
    static func run(_ bytes: inout Bytes) {
        let profile = bytes.pick(ValidationProfile.allCases)
        let (old, new) = (HierarchyShape(bytes.counts()), HierarchyShape(bytes.counts()))
        let changes = bytes.changes()
        let limits = ShapeLimits(sections: 100, items: 1000)
        guard
            let update = try? changes.validated(
                from: old,
                to: new,
                profile: profile,
                limits: limits
            )
        else { return }
        let before = old.itemCounts.enumerated().map { section, count in
            (0..<count).map { ItemPath(section: section, item: $0) as ItemPath? }
        }
        let after = update.applyUnchecked(to: before) { _ in nil }
        check(after.map(\.count) == new.itemCounts, "the edits of \(changes) lead to \(after)")
        for (section, items) in after.enumerated() {
            for (item, origin) in items.enumerated() {
                let path = ItemPath(section: section, item: item)
                guard let origin else { continue }
                check(
                    update.newPath(for: origin) == path,
                    "\(origin) of \(changes) is not at \(path)"
                )
                check(
                    update.oldPath(for: path) == origin,
                    "\(path) of \(changes) was not \(origin)"
                )
            }
        }
        let odd = bytes.path()
        _ = (
            update.newPath(for: odd), update.oldPath(for: odd), update.newSection(for: odd.section)
        )
        guard profile == .standard, !update.isReloadData, update.reconfigurations.isEmpty,
            update.supplementaryReloads.isEmpty
        else { return }
        let again = try? ValidatedChangeSet(
            checking: update.edits,
            from: old,
            to: new,
            limits: limits
        )
        check(
            again?.edits.elementsEqual(update.edits) == true,
            "\(changes) cannot be restored from its edits"
        )
    }
}
