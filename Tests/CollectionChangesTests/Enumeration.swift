import CollectionChanges

// Enumerations of small records.

/// Returns the elementary operations between two shapes: each names one place, or one place on each
/// side.
///
/// With `beyond`, the operations also use places after every end and one before the first.
func elementaryOperations(
    from old: HierarchyShape,
    to new: HierarchyShape,
    beyond: Bool
) -> [HierarchyChangeSet.Operation] {
    func paths(_ shape: HierarchyShape) -> [ItemPath] {
        let inside = shape.itemCounts.enumerated().flatMap { section, count in
            (0..<(beyond ? count + 1 : count)).map { ItemPath(section: section, item: $0) }
        }
        guard beyond else { return inside }
        return inside + [
            ItemPath(section: -1, item: 0), ItemPath(section: shape.numberOfSections, item: 0),
        ]
    }
    func sections(_ shape: HierarchyShape) -> [Int] {
        Array(beyond ? -1..<(shape.numberOfSections + 1) : 0..<shape.numberOfSections)
    }
    let (oldPaths, newPaths) = (paths(old), paths(new))
    let (oldSections, newSections) = (sections(old), sections(new))
    var operations: [HierarchyChangeSet.Operation] = []
    // Each operation has its own option.
    var option: AnimationOption { AnimationOption(rawValue: 10 + operations.count) }
    for path in oldPaths {
        operations.append(.deleteItems([path], option))
        operations.append(.reloadItems([path], option))
        for target in newPaths { operations.append(.moveItem(at: path, to: target, option)) }
    }
    for path in newPaths { operations.append(.insertItems([path], option)) }
    for section in oldSections {
        operations.append(.deleteSections(SectionSet(section), option))
        operations.append(.reloadSections(SectionSet(section), option))
        for target in newSections {
            operations.append(.moveSection(section, toSection: target, option))
        }
    }
    for section in newSections {
        operations.append(.insertSections(SectionSet(section), option))
    }
    return operations
}

/// Calls `body` with every choice of at most `limit` of `operations`, with repetition.
func withEveryRecord(
    of operations: [HierarchyChangeSet.Operation],
    upTo limit: Int,
    _ body: (HierarchyChangeSet) -> Void
) {
    var chosen: [HierarchyChangeSet.Operation] = []
    func choose(from start: Int) {
        body(HierarchyChangeSet(chosen))
        guard chosen.count < limit else { return }
        for index in start..<operations.count {
            chosen.append(operations[index])
            choose(from: index)
            chosen.removeLast()
        }
    }
    choose(from: 0)
}

/// Calls `body` with every record, of any size, in which each old element has at most one edit,
/// each new place at most one insertion, and the number of sections balances: every record that can
/// be accepted, and those with only wrong item counts.
func withEveryConsistentRecord(
    from old: HierarchyShape,
    to new: HierarchyShape,
    _ body: (HierarchyChangeSet) -> Void
) {
    let oldPaths = old.paths
    let newPaths = new.paths
    var operations: [HierarchyChangeSet.Operation] = []
    // Each operation has its own option.
    var option: AnimationOption { AnimationOption(rawValue: 10 + operations.count) }
    func with(_ operation: HierarchyChangeSet.Operation, _ next: () -> Void) {
        operations.append(operation)
        next()
        operations.removeLast()
    }
    func insertItems(_ index: Int, _ filled: Set<ItemPath>) {
        guard index < newPaths.count else { return body(HierarchyChangeSet(operations)) }
        insertItems(index + 1, filled)
        if filled.contains(newPaths[index]) { return }
        with(.insertItems([newPaths[index]], option)) { insertItems(index + 1, filled) }
    }
    func chooseItem(_ index: Int, _ filled: Set<ItemPath>) {
        guard index < oldPaths.count else { return insertItems(0, filled) }
        let path = oldPaths[index]
        chooseItem(index + 1, filled)
        with(.deleteItems([path], option)) { chooseItem(index + 1, filled) }
        with(.reloadItems([path], option)) { chooseItem(index + 1, filled) }
        for target in newPaths where !filled.contains(target) {
            with(.moveItem(at: path, to: target, option)) {
                chooseItem(index + 1, filled.union([target]))
            }
        }
    }
    func insertSections(_ section: Int, _ filled: Set<Int>, _ balance: Int) {
        guard section < new.numberOfSections else {
            if balance == new.numberOfSections { chooseItem(0, []) }
            return
        }
        insertSections(section + 1, filled, balance)
        if filled.contains(section) { return }
        with(.insertSections(SectionSet(section), option)) {
            insertSections(section + 1, filled, balance + 1)
        }
    }
    func chooseSection(_ section: Int, _ filled: Set<Int>, _ balance: Int) {
        guard section < old.numberOfSections else { return insertSections(0, filled, balance) }
        chooseSection(section + 1, filled, balance)
        with(.deleteSections(SectionSet(section), option)) {
            chooseSection(section + 1, filled, balance - 1)
        }
        with(.reloadSections(SectionSet(section), option)) {
            chooseSection(section + 1, filled, balance)
        }
        for target in 0..<new.numberOfSections where !filled.contains(target) {
            with(.moveSection(section, toSection: target, option)) {
                chooseSection(section + 1, filled.union([target]), balance)
            }
        }
    }
    chooseSection(0, [], old.numberOfSections)
}

/// Returns every shape with at most `sections` sections of at most `itemsEach` items, and at most
/// `items` in total.
func everyShape(sections: Int, itemsEach: Int, items: Int) -> [HierarchyShape] {
    var shapes: [[Int]] = [[]]
    var longest: [[Int]] = [[]]
    for _ in 0..<sections {
        longest = longest.flatMap { counts in (0...itemsEach).map { counts + [$0] } }
        shapes += longest
    }
    return shapes.filter { $0.reduce(0, +) <= items }.map { HierarchyShape($0) }
}

extension HierarchyShape {
    /// Every path that exists, ascending.
    var paths: [ItemPath] {
        itemCounts.enumerated().flatMap { section, count in
            (0..<count).map { ItemPath(section: section, item: $0) }
        }
    }
}
