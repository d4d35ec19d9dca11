import CollectionElements

// Measuring anew what is there: a change set without edits, which takes the same way as every other.

extension PipelineCore {
    /// Which elements a relayout concerns.
    enum RelayoutScope {
        /// Those at these paths of the pending map, whether or not their range changes.
        case items([ItemPath])
        /// Those whose size range or traits are no longer what they were measured with.
        case all
    }

    @discardableResult
    func relayout(
        _ scope: RelayoutScope,
        _ request: SubmissionRequest
    ) throws(UpdateError) -> SubmissionID {
        try admit(request)
        return try submit(request) { () throws(UpdateError) in
            // Without a first load there is nothing to measure anew, and every submission is that.
            guard hasLoaded else { return try latch(HierarchyChangeSet()) }
            // The data source is about to be asked for what is at the map's paths, which may be
            // something else by now: known since a refusal, or seen in its counts.
            if let divergedSince {
                throw UpdateError(
                    .diverged,
                    "A relayout asks the data source about items of the last accepted state, but they"
                        + " differ since submission \(divergedSince); reload to catch up"
                )
            }
            _ = try validated(HierarchyChangeSet())
            return switch scope {
            case .items(let paths): try latchRelayout(of: paths)
            case .all: latchRelayoutOfAll()
            }
        }
    }

    /// Replaces everything by nothing, without asking the data source; what comes next is a first
    /// load again.
    @discardableResult
    func clear(_ request: SubmissionRequest) throws(UpdateError) -> SubmissionID {
        try admit(request)
        let id = try submit(request) { () throws(UpdateError) in
            Latched(
                update: .reloadingData(from: pendingMap.shape, to: .empty),
                map: .empty(generation: pendingMap.generation + 1),
                nextSectionID: nextSectionID,
                endsDivergence: true
            )
        }
        hasLoaded = false
        return id
    }

    /// What a batch checks when it begins.
    private func admit(_ request: SubmissionRequest) throws(UpdateError) {
        lane.requireCurrent("Submitting")
        requireNotClosed()
        if let refusal = refusal(.always) { throw refuse(refusal, request) }
    }

    private func latchRelayout(of paths: [ItemPath]) throws(UpdateError) -> Latched {
        let map = pendingMap
        var contents: [(path: ItemPath, content: ElementContent)] = []
        for path in Set(paths).sorted() {
            guard let slot = map.slot(at: path) else {
                throw UpdateError(
                    .unknownElement,
                    "A relayout needs items that exist, but there is none at \(path) in"
                        + " \(map.shape)"
                )
            }
            contents.append((path, remeasured(slot, at: path)))
        }
        return latchedRelayout(of: map, contents, [])
    }

    private func latchRelayoutOfAll() -> Latched {
        let map = pendingMap
        var contents: [(path: ItemPath, content: ElementContent)] = []
        for item in map.items {
            let range = sizeRange(ofItemAt: item.path)
            if range == item.content.sizeRange,
                item.element.isMeasuredWithCurrentTraits(item.content)
            {
                continue
            }
            let slot = ElementSlot(item.element, item.content)
            contents.append((item.path, remeasured(slot, at: item.path, range)))
        }
        var supplementaries: [(newSection: Int, slots: [SupplementarySlot])] = []
        for section in 0..<map.numberOfSections {
            var isChanged = false
            let slots = map.supplementarySlots(inSection: section).map { old in
                let path = ItemPath(section: section, item: old.item)
                let range = sizeRange(ofSupplementary: old.kind, at: path)
                if range == old.slot.content.sizeRange,
                    old.slot.element.isMeasuredWithCurrentTraits(old.slot.content)
                {
                    return old
                }
                isChanged = true
                let content = remeasuredSupplementary(old, at: path, range)
                return SupplementarySlot(
                    kind: old.kind,
                    item: old.item,
                    slot: ElementSlot(old.slot.element, content)
                )
            }
            if isChanged { supplementaries.append((section, slots)) }
        }
        return latchedRelayout(of: map, contents, supplementaries)
    }

    /// A layout delegate chooses sizes itself.
    private func sizeRange(ofItemAt path: ItemPath) -> SizeRange {
        if layoutDelegate != nil { return .unconstrained }
        return dataSource.sizeRange(forItemAt: path) ?? view?.elementSizeRange ?? .unconstrained
    }

    private func sizeRange(
        ofSupplementary kind: SupplementaryKind,
        at path: ItemPath
    ) -> SizeRange {
        if layoutDelegate != nil { return .unconstrained }
        return dataSource.sizeRange(forSupplementaryOfKind: kind, at: path)
            ?? view?.elementSizeRange ?? .unconstrained
    }

    private func remeasured(
        _ slot: ElementSlot,
        at path: ItemPath,
        _ range: SizeRange? = nil
    ) -> ElementContent {
        ElementContent(
            model: slot.content.model,
            sizeRange: range ?? sizeRange(ofItemAt: path),
            provider: slot.element.nodeIfAllocated == nil
                ? dataSource.nodeProvider(forItemAt: path) : nil,
            keepsNode: true,
            previousSize: slot.content.size
        )
    }

    private func remeasuredSupplementary(
        _ supplementary: SupplementarySlot,
        at path: ItemPath,
        _ range: SizeRange
    ) -> ElementContent {
        ElementContent(
            model: nil,
            sizeRange: range,
            provider: supplementary.slot.element.nodeIfAllocated == nil
                ? dataSource.supplementaryNodeProvider(ofKind: supplementary.kind, at: path) : nil,
            keepsNode: true,
            previousSize: supplementary.slot.content.size
        )
    }

    private func latchedRelayout(
        of map: ElementMap,
        _ contents: [(path: ItemPath, content: ElementContent)],
        _ supplementaries: [(newSection: Int, slots: [SupplementarySlot])]
    ) -> Latched {
        let newMap = map.replacingContents(
            contents,
            supplementaries: supplementaries,
            generation: map.generation + 1
        )
        var work = contents.compactMap { newMap.slot(at: $0.path) }
        var places = contents.map { ElementPlace(path: $0.path) }
        for (section, slots) in supplementaries {
            for supplementary in slots {
                let path = ItemPath(section: section, item: supplementary.item)
                let old = map.supplementaryContent(ofKind: supplementary.kind, at: path)
                // The others of the section are as they were.
                guard old !== supplementary.slot.content else { continue }
                work.append(supplementary.slot)
                places.append(ElementPlace(path: path, kind: supplementary.kind))
            }
        }
        return Latched(
            update: .unchanged(map.shape),
            map: newMap,
            work: layoutDelegate == nil ? work : [],
            remeasured: work,
            remeasuredPlaces: places,
            layoutContext: layoutDelegate?.layoutContext(for: newMap),
            nextSectionID: nextSectionID
        )
    }

    // MARK: Traits

    func environmentDidChange(_ newTraits: Traits) {
        guard traits.replace(with: newTraits) else { return }
        // Elements between the two maps get theirs when they are made or deployed.
        visibleMap.forEachSlot { $0.element.refreshTraits() }
        pendingMap.forEachSlot { $0.element.refreshTraits() }
    }
}
