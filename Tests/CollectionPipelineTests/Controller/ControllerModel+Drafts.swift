import PipelineTestSupport

// Random changes of a model list with their consequences: the record, the new state with the
// identity of every element, the expected edits, and the calls to the data source.

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
        var headers: [Item] = []
    }

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
        var itemRemovals: [ItemEdit] = []
        var sectionRemovals: [SectionEdit] = []
        var sectionInsertions: [SectionEdit] = []
        var itemInsertions: [ItemEdit] = []
        var reconfigurations: [ItemReconfiguration] = []
        var supplementaryReloads: [SupplementaryReload] = []
        /// The calls to the data source if the record is accepted; `nil` if they are not checked.
        var questions: [DataSourceCall]?
        var declaresContentCurrent = false
        /// The change set, if an update was submitted instead of a record.
        var rebased: ValidatedChangeSet?

        var isReload: Bool { if case .reload = kind { true } else { kind == .clear } }
        var isLoadInsteadOfEdits = false

        /// All edits of the draft, for composing it with others.
        var update: ValidatedChangeSet? {
            rebased
                ?? (try? HierarchyChangeSet(operations).validated(from: old.shape, to: new.shape))
        }

        /// The number of edits; a reload removes and inserts every section.
        var editCount: Int {
            isReload
                ? old.count + new.count
                : itemRemovals.count + sectionRemovals.count + sectionInsertions.count
                    + itemInsertions.count
        }

        init(keeping old: [Section], nextSectionID: Int) {
            (self.old, new, self.nextSectionID) = (old, old, nextSectionID)
        }
    }

    static let options = (0..<7).map { AnimationOption(rawValue: $0) } + [.init(rawValue: 99)]
}

extension Array where Element == ControllerModel.Section {
    var shape: HierarchyShape { HierarchyShape(map(\.items.count)) }

    var texts: [TextDataSource.Section] {
        map { .init($0.items.map(\.text), headers: $0.headers.map(\.text)) }
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
    /// The later sections, in an order that may differ from the old one.
    private var slots: [Slot] = []
    private var moved: [(old: ItemPath, item: Item)] = []

    private enum Origin: Equatable {
        case kept(ItemPath)
        case reloaded(ItemPath)
        /// With the option of its section, if the whole section is reconfigured.
        case reconfigured(ItemPath, AnimationOption?)
        case moved(ItemPath)
        case inserted
    }

    private struct Slot {
        var section: Section
        /// The old index; `nil` for a new section.
        var old: Int?
        var role: EditRole?
        var items: [(item: Item, origin: Origin)] = []
        var isNew: Bool { role == .insert || role == .reload }
    }

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
            new.headers = section.headers.map { text in
                nextToken += 1
                return Item(token: nextToken, text: text)
            }
            return new
        }
        draft.kind = .reload(option)
        if record { draft.operations = [.reloadData(option)] }
        let all = Array(draft.new.indices)
        let items = all.flatMap { section in
            draft.new[section].items.indices.map { ItemPath(section, $0) }
        }
        ask(insertedSections: all, items: items, edited: all)
    }

    /// Inserts, deletes, moves, reloads and reconfigures random sections and items.
    mutating func edit() {
        for (index, section) in draft.old.enumerated() { decide(index, section) }
        if slots.isEmpty || random.chance(0.25) {
            let items = (0..<random.next(below: 4)).map { _ in (makeItem("s"), Origin.inserted) }
            let slot = Slot(section: Section(id: -1, context: ""), role: .insert, items: items)
            slots.insert(slot, at: random.next(below: slots.count + 1))
        }
        for number in slots.indices where slots[number].role == .move {
            let slot = slots.remove(at: number)
            slots.insert(slot, at: random.next(below: slots.count + 1))
        }
        for (old, item) in moved { put(item, .moved(old)) }
        for _ in 0..<random.next(below: 3) { put(makeItem("i"), .inserted) }
        for number in slots.indices where slots[number].isNew {
            slots[number].section = makeSection(number)
        }
        record()
        addHeaders()
        draft.operations.shuffle(using: &random)
    }

    private mutating func put(_ item: Item, _ origin: Origin) {
        let section = random.next(below: slots.count)
        let place = random.next(below: slots[section].items.count + 1)
        slots[section].items.insert((item, origin), at: place)
    }

    private mutating func decide(_ index: Int, _ section: Section) {
        var slot = Slot(section: section, old: index)
        let fate = random.next(below: 12)
        let whole = fate == 3 ? option() : nil
        if let whole { draft.operations.append(.reconfigureSections([index], whole)) }
        for (number, item) in section.items.enumerated() {
            let path = ItemPath(index, number)
            switch whole == nil ? random.next(below: 10) : 3 {
            case 0: moved.append((path, item))
            case 1 where fate > 1:
                let option = option()
                draft.operations.append(.deleteItems([path], option))
                draft.itemRemovals.append(ItemEdit(path: path, role: .delete, animation: option))
            case 2 where fate > 1: slot.items.append((makeItem("r"), .reloaded(path)))
            case 3 where fate > 1:
                nextToken += 1
                let item = Item(token: item.token, text: "c\(nextToken)")
                slot.items.append((item, .reconfigured(path, whole)))
            default: slot.items.append((item, .kept(path)))
            }
        }
        switch fate {
        case 0:
            let option = option()
            draft.operations.append(.deleteSections([index], option))
            draft.sectionRemovals.append(
                SectionEdit(section: index, role: .delete, animation: option)
            )
            return
        case 1:
            slot.role = .reload
            slot.items = (0..<random.next(below: 4)).map { _ in (makeItem("s"), .inserted) }
        case 2: slot.role = .move
        default: break
        }
        slots.append(slot)
    }

    /// Records the final position of each slot.
    private mutating func record() {
        for (index, slot) in slots.enumerated() {
            record(slot, at: index)
            for (number, (_, origin)) in slot.items.enumerated() {
                record(origin, ItemPath(index, number), inInserted: slot.isNew)
            }
        }
        draft.new = slots.map { slot in
            var section = slot.section
            section.items = slot.items.map(\.item)
            return section
        }
        draft.itemRemovals.sort { $0.path > $1.path }
        draft.sectionRemovals.sort { $0.section > $1.section }
    }

    private mutating func record(_ slot: Slot, at index: Int) {
        guard let role = slot.role else { return }
        let option = option()
        switch (role, slot.old) {
        case (.move, let old?):
            draft.operations.append(.moveSection(old, toSection: index, option))
        case (.reload, let old?): draft.operations.append(.reloadSections([old], option))
        default: draft.operations.append(.insertSections([index], option))
        }
        if let old = slot.old {
            draft.sectionRemovals.append(
                SectionEdit(section: old, role: role, associatedWith: index, animation: option)
            )
        }
        draft.sectionInsertions.append(
            SectionEdit(
                section: index,
                role: role,
                associatedWith: slot.old,
                newItemCount: slot.isNew ? slot.items.count { $0.origin == .inserted } : 0,
                animation: option
            )
        )
    }

    private mutating func record(_ origin: Origin, _ new: ItemPath, inInserted isNew: Bool) {
        let option = option()
        var (role, old) = (EditRole.insert, ItemPath?.none)
        switch origin {
        case .kept: return
        case .inserted where isNew:
            // The section contains it. A recorded insertion of it is absorbed.
            if random.chance(0.3) { draft.operations.append(.insertItems([new], option)) }
            return
        case .reconfigured(let path, let whole):
            if whole == nil { draft.operations.append(.reconfigureItems([path], option)) }
            draft.reconfigurations.append(
                ItemReconfiguration(oldPath: path, newPath: new, animation: whole ?? option)
            )
            return
        case .inserted: draft.operations.append(.insertItems([new], option))
        case .reloaded(let path):
            (role, old) = (.reload, path)
            draft.operations.append(.reloadItems([path], option))
        case .moved(let path):
            (role, old) = (.move, path)
            draft.operations.append(.moveItem(at: path, to: new, option))
        }
        if let old {
            draft.itemRemovals.append(
                ItemEdit(path: old, role: role, associatedWith: new, animation: option)
            )
        }
        draft.itemInsertions.append(
            ItemEdit(path: new, role: role, associatedWith: old, animation: option)
        )
    }

    /// Draws new headers for sections with edits; the first headers stay.
    private mutating func addHeaders() {
        var edited = Set(draft.itemInsertions.map(\.path.section))
        for removal in draft.itemRemovals {
            if let slot = slots.firstIndex(where: { $0.old == removal.path.section }) {
                edited.insert(slot)
            }
        }
        for (index, slot) in slots.enumerated() {
            if slot.isNew { edited.insert(index) }
            guard !slot.isNew, random.chance(0.2) else { continue }
            let option = option()
            draft.operations.append(.reloadSupplementaries(.header, in: [index], option))
            draft.supplementaryReloads.append(
                SupplementaryReload(kind: .header, newSection: index, animation: option)
            )
            edited.insert(index)
            draft.new[index].headers = []
        }
        // Sorted, so that a seed draws the same in every process.
        for index in edited.sorted() {
            let count = random.next(below: 3)
            while draft.new[index].headers.count > count { draft.new[index].headers.removeLast() }
            while draft.new[index].headers.count < count {
                draft.new[index].headers.append(makeItem("h"))
            }
        }
        let insertedSections = slots.indices.filter { slots[$0].isNew }
        let items =
            insertedSections.flatMap { section in
                slots[section].items.indices.filter { slots[section].items[$0].origin == .inserted }
                    .map { ItemPath(section, $0) }
            } + draft.itemInsertions.filter { $0.role != .move }.map(\.path)
        ask(insertedSections: insertedSections, items: items, edited: edited.sorted())
    }

    // MARK: Calls to the data source

    private static func counts(_ sections: [Section]) -> [DataSourceCall] {
        [.numberOfSections] + sections.indices.map { .numberOfItems($0) }
    }

    /// Lists the calls in the documented order.
    private mutating func ask(insertedSections: [Int], items: [ItemPath], edited: [Int]) {
        var calls = Self.counts(draft.new)
        var countedSections = Set(insertedSections)
        calls += insertedSections.map { .context($0) }
        for path in items {
            calls += [.model(path), .sizeRange(path), .nodeProvider(path)]
            countedSections.insert(path.section)
        }
        for path in draft.reconfigurations.map(\.newPath) {
            calls += [.model(path), .sizeRange(path)]
            countedSections.insert(path.section)
        }
        for section in edited {
            let headers = draft.new[section].headers
            calls.append(.supplementaryKinds(section))
            let old = draft.isReload ? nil : slots[section].isNew ? nil : slots[section].old
            let former = old.map { draft.old[$0].headers } ?? []
            if !headers.isEmpty || !former.isEmpty { countedSections.insert(section) }
            guard !headers.isEmpty else { continue }
            calls.append(.numberOfSupplementaries(.header, section))
            for (number, header) in headers.enumerated() where !former.contains(header) {
                let path = ItemPath(section, number)
                calls += [
                    .supplementarySizeRange(.header, path),
                    .supplementaryNodeProvider(.header, path),
                ]
            }
        }
        if !countedSections.isEmpty {
            calls += [.numberOfSections] + countedSections.sorted().map { .numberOfItems($0) }
        }
        draft.questions = calls
    }
}
