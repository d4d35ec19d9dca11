extension ListLayout {
    func layOut() {
        guard !isPreparing, let host else { return }
        isPreparing = true
        defer { isPreparing = false }
        let stale = staleness
        staleness = ListStaleness()
        width = roomAcross(.vertical)
        scale = host.displayScale > 0 && host.displayScale.isFinite ? host.displayScale : 1
        let asking = ListAsking(self, host)
        var isUsable = !stale.everything && shape != nil
        if isUsable, stale.counts {
            isUsable = pendingUpdate.map { apply($0, asking) } ?? false
        }
        guard isUsable else { return rebuild(asking) }
        var (rows, headers, footers) = (Array(stale.rows), stale.headers, stale.footers)
        if let update = pendingUpdate {
            // Where they are now; what went is no longer asked for.
            rows = rows.compactMap(update.newPath)
            headers = Set(headers.compactMap(update.newSection))
            footers = Set(footers.compactMap(update.newSection))
        }
        for index in headers.union(footers).sorted() {
            guard var section = sections.element(at: index) else { continue }
            if headers.contains(index) { section.answer(header: asking.header(index)) }
            if footers.contains(index) { section.answer(footer: asking.footer(index)) }
            sections = sections.replacing(at: index, with: section)
        }
        for path in rows.sorted() {
            guard var section = sections.element(at: path.section),
                section.rows.element(at: path.item) != nil
            else { continue }
            section.rows = section.rows.replacing(at: path.item, with: asking.row(path))
            sections = sections.replacing(at: path.section, with: section)
        }
    }

    private func rebuild(_ asking: ListAsking) {
        errorLog.removeAll()
        var sections = ListSections.Builder()
        var counts: [Int] = []
        for index in 0..<max(0, asking.host.numberOfSections()) {
            let section = asking.section(index)
            sections.append(section)
            counts.append(section.rows.count)
        }
        self.sections = sections.tree()
        shape = HierarchyShape(counts)
    }

    /// Takes over what stayed; false if the update does not fit what the list has or the view says.
    private func apply(_ update: ValidatedChangeSet, _ asking: ListAsking) -> Bool {
        guard !update.isReloadData, update.oldShape == shape,
            asking.host.numberOfSections() == update.newShape.numberOfSections
        else { return false }
        var carried: [ItemPath: Double] = [:]
        for edit in update.itemTakeOuts where edit.role == .move {
            guard let target = edit.counterpart else { continue }
            carried[target] = sections.element(at: edit.path.section)?.rows
                .element(at: edit.path.item)
        }
        sections = sections.placingSections(of: update) { asking.section($0, carried) }
        let plan = SectionEditPlan(update)
        for index in plan.sections {
            guard var section = sections.element(at: index), let edits = plan.edits[index] else {
                continue
            }
            section.rows = section.rows.replacing(edits.spans) {
                asking.rows($0, inSection: index, carried)
            }
            guard section.rows.count == asking.host.numberOfItems(inSection: index) else {
                return false
            }
            sections = sections.replacing(at: index, with: section)
        }
        for index in Set(update.supplementaryReloads.map(\.newSection)).sorted() {
            guard let old = sections.element(at: index) else { continue }
            let header = asking.header(index)
            let section = ListSection(header: header, footer: asking.footer(index), rows: old.rows)
            sections = sections.replacing(at: index, with: section)
        }
        shape = update.newShape
        return true
    }

    // MARK: Self-sizing

    func context(forPreferred preferred: LayoutAttributes) -> LayoutInvalidationContext {
        let context = Self.invalidationContextClass.init()
        let (place, height) = (preferred.place, preferred.size.height)
        guard preferred.size.isValid, let old = attributes(for: place)?.frame,
            var section = sections.element(at: place.path.section)
        else { return context }
        let oldHeight = contentSize.height
        switch place.category {
        case .cell:
            section.rows = section.rows.replacing(at: place.path.item, with: height)
            context.invalidateItems(at: [place.path])
        case .supplementary(let kind):
            section.prefer(height, asHeader: kind == .header)
            context.invalidateSupplementaryElements(ofKind: kind, at: [place.path])
        case .decoration: return context
        }
        sections = sections.replacing(at: place.path.section, with: section)
        // That of the content and not of the row, which may differ in the last digit.
        let growth = contentSize.height - oldHeight
        context.contentSizeAdjustment = Size(width: 0, height: growth)
        if let host, old.maxY <= host.bounds.minY + host.adjustedContentInset.top {
            context.contentOffsetAdjustment = Point(x: 0, y: growth)
        }
        notedContext = context
        return context
    }
}
