import PipelineTestSupport

// Random changes of a model list with their consequences: the record, the new state with the
// identity of every element, the expected edits, and the calls to the data source. The edits are
// those of validation, which has tests of its own.

extension ControllerModel {
    /// One item or header: its text, and a number that identifies its element.
    struct Item: Equatable {
        var token: Int
        var text: String
    }

    struct Section: Equatable {
        /// The number that the controller assigns.
        var id: Int
        /// The generation and the index for which its context was requested.
        var context: String
        var items: [Item] = []
        /// The headers and footers.
        var others: [SupplementaryKind: [Item]] = [:]
    }

    /// The kinds of supplementary elements, in the order in which they are requested.
    static let kinds: [SupplementaryKind] = [.footer, .header]

    /// A change from one state to the next.
    struct Draft {
        enum Kind: Equatable {
            case edits
            case reload(AnimationOption)
            case relayout([ItemPath])
            case clear
        }

        var kind = Kind.edits
        let old: [Section]
        var new: [Section]
        var nextSectionID: Int
        var operations: [HierarchyChangeSet.Operation] = []
        /// The expected edits; `nil` for a reload.
        var update: ValidatedChangeSet?
        /// The calls to the data source if the record is accepted; `nil` if they are not checked.
        var questions: [DataSourceCall]?
        var declaresContentCurrent = false

        var isReload: Bool { if case .reload = kind { true } else { kind == .clear } }
        var isLoadInsteadOfEdits = false

        /// The number of edits; a reload removes and inserts every section.
        var editCount: Int { isReload ? old.count + new.count : update?.edits.count ?? 0 }

        init(keeping old: [Section], nextSectionID: Int) {
            (self.old, new, self.nextSectionID) = (old, old, nextSectionID)
            update = .unchanged(old.shape)
        }
    }

    static let options = (0..<7).map { AnimationOption(rawValue: $0) } + [.init(rawValue: 99)]
}

extension Array where Element == ControllerModel.Section {
    var shape: HierarchyShape { HierarchyShape(map(\.items.count)) }

    var texts: [TextDataSource.Section] {
        map { section in
            func texts(_ kind: SupplementaryKind) -> [String] {
                section.others[kind]?.map(\.text) ?? []
            }
            return .init(
                section.items.map(\.text),
                headers: texts(.header),
                footers: texts(.footer)
            )
        }
    }
}

struct Drafting<Random: RandomNumberGenerator> {
    typealias Draft = ControllerModel.Draft
    typealias Item = ControllerModel.Item
    typealias Section = ControllerModel.Section

    private(set) var draft: Draft
    private var random: Random
    private(set) var nextToken: Int
    private let generation: Int

    /// - Parameter generation: the generation of the new state.
    init(
        _ old: [Section],
        generation: Int,
        nextSectionID: Int,
        nextToken: Int,
        _ random: Random
    ) {
        draft = Draft(keeping: old, nextSectionID: nextSectionID)
        (self.generation, self.nextToken, self.random) = (generation, nextToken, random)
    }

    private mutating func option() -> AnimationOption {
        ControllerModel.options.randomElement(using: &random) ?? .automatic
    }

    private mutating func makeItem(_ name: String) -> Item {
        nextToken += 1
        return Item(token: nextToken, text: "\(name)\(nextToken)")
    }

    private mutating func makeSection(_ index: Int) -> Section {
        defer { draft.nextSectionID += 1 }
        return Section(id: draft.nextSectionID, context: "\(generation)/\(index)")
    }

    mutating func nothing() {
        draft.questions = Self.counts(draft.new)
    }

    /// Replaces everything with `sections`, or with random sections.
    mutating func reload(_ sections: [TextDataSource.Section]? = nil, record: Bool = true) {
        let option = record ? option() : .automatic
        let sections =
            sections
            ?? (0..<(1 + random.next(below: 4))).map { _ in
                .init(
                    (0..<random.next(below: 4)).map { _ in makeItem("n").text },
                    headers: random.chance(0.3) ? ["h"] : []
                )
            }
        draft.new = sections.enumerated().map { index, section in
            var new = makeSection(index)
            new.items = section.items.map { text in
                nextToken += 1
                return Item(token: nextToken, text: text)
            }
            for (kind, texts) in [
                (SupplementaryKind.footer, section.footers), (.header, section.headers),
            ] {
                new.others[kind] = texts.map { text in
                    nextToken += 1
                    return Item(token: nextToken, text: text)
                }
            }
            return new
        }
        (draft.kind, draft.update) = (.reload(option), nil)
        if record { draft.operations = [.reloadData(option)] }
        let all = Array(draft.new.indices)
        let items = all.flatMap { section in
            draft.new[section].items.indices.map { ItemPath(section, $0) }
        }
        ask(insertedSections: all, items: items, edited: all)
    }

    /// Inserts, deletes, moves, reloads and reconfigures random sections and items.
    mutating func edit() {
        let drawn = RandomUpdate(from: draft.old.shape, &random, rate: 0.4)
        draft.operations = drawn.changes.apart { option() }
        for section in draft.old.indices where random.chance(0.1) {
            draft.operations.append(.reconfigureSections([section], option()))
        }
        for section in drawn.newShape.itemCounts.indices where random.chance(0.2) {
            let kind: SupplementaryKind = random.chance(0.5) ? .header : .footer
            draft.operations.append(.reloadSupplementaries(kind, in: [section], option()))
        }
        draft.operations.shuffle(using: &random)
        do {
            try take(
                HierarchyChangeSet(draft.operations)
                    .validated(from: draft.old.shape, to: drawn.newShape)
            )
        } catch { fatalError("drawn updates are valid: \(error)") }
    }

    private mutating func take(_ update: ValidatedChangeSet) throws {
        draft.update = update
        let inserted = update.sectionInsertions.filter { $0.role != .move }
        let origins = update.newShape.itemCounts.indices.map { section in
            inserted.contains { $0.section == section } ? nil : update.oldSection(for: section)
        }
        let items = try update.apply(to: draft.old.map(\.items)) { _ in makeItem("i") }
        draft.new = origins.enumerated().map { section, origin in
            var new = origin.map { draft.old[$0] } ?? makeSection(section)
            new.items = items[section]
            return new
        }
        for path in update.reconfigurations.map(\.newPath) {
            draft.new[path.section].items[path.item].text = makeItem("c").text
        }
        addOthers(update, origins)
        let paths = inserted.flatMap(update.newItemPaths)
        ask(
            insertedSections: inserted.map(\.section),
            items: paths + update.itemInsertions.filter { $0.role != .move }.map(\.path),
            edited: edited(update),
            origins
        )
    }

    /// Returns the new indexes of the sections whose headers and footers are requested.
    private func edited(_ update: ValidatedChangeSet) -> [Int] {
        let inserted = update.sectionInsertions.filter { $0.role != .move }.map(\.section)
        let removed = update.itemRemovals.compactMap { update.newSection(for: $0.path.section) }
        let edited = inserted + removed + update.itemInsertions.map(\.path.section)
        // Sorted, so that a seed draws the same in every process.
        return Set(edited + update.supplementaryReloads.map(\.newSection)).sorted()
    }

    /// Draws new headers and footers for sections with edits; of each kind, the first ones stay
    /// unless the kind is reloaded.
    private mutating func addOthers(_ update: ValidatedChangeSet, _ origins: [Int?]) {
        for reload in update.supplementaryReloads where origins[reload.newSection] != nil {
            draft.new[reload.newSection].others[reload.kind] = []
        }
        for index in edited(update) {
            for kind in ControllerModel.kinds {
                var items = draft.new[index].others[kind] ?? []
                let count = random.next(below: 3)
                items.removeLast(max(0, items.count - count))
                while items.count < count { items.append(makeItem("h")) }
                draft.new[index].others[kind] = items
            }
        }
    }

    // MARK: Calls to the data source

    private static func counts(_ sections: [Section]) -> [DataSourceCall] {
        [.numberOfSections] + sections.indices.map { .numberOfItems($0) }
    }

    /// Lists the calls in the documented order.
    ///
    /// - Parameter origins: the old indexes of the sections that stay.
    private mutating func ask(
        insertedSections: [Int],
        items: [ItemPath],
        edited: [Int],
        _ origins: [Int?] = []
    ) {
        var calls = Self.counts(draft.new)
        var countedSections = Set(insertedSections)
        calls += insertedSections.map { .context($0) }
        for path in items {
            calls += [.model(path), .sizeRange(path), .nodeProvider(path)]
            countedSections.insert(path.section)
        }
        for path in draft.update?.reconfigurations.map(\.newPath) ?? [] {
            calls += [.model(path), .sizeRange(path)]
            countedSections.insert(path.section)
        }
        for section in edited {
            calls.append(.supplementaryKinds(section))
            let old = draft.isReload ? nil : origins[section].map { draft.old[$0] }
            for kind in ControllerModel.kinds {
                let items = draft.new[section].others[kind] ?? []
                let former = old?.others[kind] ?? []
                if !items.isEmpty || !former.isEmpty { countedSections.insert(section) }
                guard !items.isEmpty else { continue }
                calls.append(.numberOfSupplementaries(kind, section))
                for (number, item) in items.enumerated() where !former.contains(item) {
                    let path = ItemPath(section, number)
                    calls += [
                        .supplementarySizeRange(kind, path),
                        .supplementaryNodeProvider(kind, path),
                    ]
                }
            }
        }
        if !countedSections.isEmpty {
            calls += [.numberOfSections] + countedSections.sorted().map { .numberOfItems($0) }
        }
        draft.questions = calls
    }
}
