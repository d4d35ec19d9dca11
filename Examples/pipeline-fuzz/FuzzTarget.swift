// What libFuzzer calls with bytes of its own making: they become shapes and edits for the validators, or
// everything that a program may do to a view with layouts. A trap or a hang is its finding, and so is a
// broken promise, which stops the process here.
//
// Only there with PIPELINE_FUZZ in the environment of the build, since it has no main of its own:
//
//     PIPELINE_FUZZ=1 swift build -c release --sanitize=fuzzer --scratch-path .build-fuzz \
//         --product pipeline-fuzz
//     .build-fuzz/release/pipeline-fuzz -max_total_time=60

import SimulatedView

/// The entry point; the first byte says which job it is.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOne(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    var bytes = Bytes(UnsafeBufferPointer(start: data, count: count))
    if bytes.next() & 1 == 0 { fuzzValidators(&bytes) } else { fuzzView(&bytes) }
    return 0
}

/// Input, used up from the front; 0 behind its end.
private struct Bytes {
    private let buffer: UnsafeBufferPointer<UInt8>
    private var position = 0

    init(_ buffer: UnsafeBufferPointer<UInt8>) { self.buffer = buffer }

    var isAtEnd: Bool { position >= buffer.count }

    mutating func next() -> UInt8 {
        guard position < buffer.count else { return 0 }
        defer { position += 1 }
        return buffer[position]
    }

    /// Mostly small, now and then as far out as integers go.
    mutating func integer() -> Int {
        switch next() {
        case 250: .max
        case 251: .min
        case 252: -1
        case 253: .max - Int(next())
        case let byte: Int(byte % 12)
        }
    }

    /// Mostly sizes, now and then what no layout can use.
    mutating func number() -> Double {
        switch next() {
        case 248: .nan
        case 249: .infinity
        case 250: -.infinity
        case 251: .greatestFiniteMagnitude
        case 252: -Double(next())
        case 253: .leastNonzeroMagnitude
        case 254: Double(next()) * 1e13
        case let byte: Double(byte) / 2
        }
    }

    mutating func path() -> ItemPath { ItemPath(section: integer(), item: integer()) }

    mutating func paths() -> [ItemPath] { (0..<Int(next() % 5)).map { _ in path() } }

    mutating func sections() -> SectionSet {
        var set = SectionSet()
        for _ in 0..<Int(next() % 4) { set.insert(integer()) }
        return set
    }

    mutating func operation() -> HierarchyChangeSet.Operation {
        switch next() % 13 {
        case 0: .deleteItems(paths(), .automatic)
        case 1: .insertItems(paths(), .automatic)
        case 2: .reloadItems(paths(), .automatic)
        case 3: .reconfigureItems(paths(), .automatic)
        case 4, 5: .moveItem(from: path(), to: path(), .automatic)
        case 6: .deleteSections(sections(), .automatic)
        case 7: .insertSections(sections(), .automatic)
        case 8: .reloadSections(sections(), .automatic)
        case 9: .reconfigureSections(sections(), .automatic)
        case 10: .moveSection(from: integer(), to: integer(), .automatic)
        case 11: .reloadSupplementaries(.header, in: sections(), .automatic)
        default: .reloadData(.automatic)
        }
    }

    mutating func changes() -> HierarchyChangeSet {
        HierarchyChangeSet((0..<Int(next() % 10)).map { _ in operation() })
    }

    mutating func counts() -> [Int] { (0..<Int(next() % 6)).map { _ in integer() } }
}

// MARK: Validators

/// Whatever is accepted leads from one shape to the other, and its mappings are those of its edits.
private func fuzzValidators(_ bytes: inout Bytes) {
    let profiles = ValidationProfile.allCases
    let profile = profiles[Int(bytes.next()) % profiles.count]
    let (old, new) = (HierarchyShape(bytes.counts()), HierarchyShape(bytes.counts()))
    let changes = bytes.changes()
    let limits = ShapeLimits(sections: 100, items: 1000)
    guard
        let update = try? changes.validated(from: old, to: new, profile: profile, limits: limits)
    else { return }
    let before = old.itemCounts.enumerated().map { section, count in
        (0..<count).map { ItemPath(section: section, item: $0) as ItemPath? }
    }
    let after = update.apply(to: before) { _ in nil }
    check(after.map(\.count) == new.itemCounts, "the edits of \(changes) lead to \(after)")
    for (section, items) in after.enumerated() {
        for (item, origin) in items.enumerated() {
            let path = ItemPath(section: section, item: item)
            guard let origin else { continue }
            check(update.newPath(for: origin) == path, "\(origin) of \(changes) is not at \(path)")
            check(update.oldPath(for: path) == origin, "\(path) of \(changes) was not \(origin)")
        }
    }
    let odd = bytes.path()
    _ = (update.newPath(for: odd), update.oldPath(for: odd), update.newSection(for: odd.section))
    guard profile == .standard, !update.isReloadData, update.reconfigurations.isEmpty,
        update.supplementaryReloads.isEmpty
    else { return }
    let again = try? ValidatedChangeSet(checking: update.edits, from: old, to: new, limits: limits)
    check(again?.edits.elementsEqual(update.edits) == true, "\(changes) cannot be sent elsewhere")
}

private func check(_ condition: Bool, _ message: @autoclosure () -> String) {
    if !condition { fatalError(message()) }
}

// MARK: Views

/// The thread that calls; work waits until it is told to run.
private final class CallersLane: Lane, @unchecked Sendable {  // one thread
    let label = "fuzz"
    let isCurrent = true
    private var waiting: [@Sendable () -> Void] = []

    func enqueue(_ work: @escaping @Sendable () -> Void) { waiting.append(work) }

    /// - Returns: whether it came to rest.
    func run() -> Bool {
        for _ in 0..<1000 {
            guard !waiting.isEmpty else { return true }
            let work = waiting
            waiting = []
            for work in work { work() }
        }
        return waiting.isEmpty
    }
}

/// Items that want any size at all.
private final class OddSource: CollectionViewDataSource, FlowLayoutMetrics, ListLayoutMetrics {
    var counts: [Int] = []
    var sizes: [Size] = [Size(width: 20, height: 20)]

    private func size(_ path: ItemPath) -> Size {
        sizes[abs(path.item &+ path.section) % sizes.count]
    }

    func numberOfSections(in collectionView: SimulatedCollectionView) -> Int { counts.count }

    func collectionView(
        _ collectionView: SimulatedCollectionView,
        numberOfItemsInSection section: Int
    ) -> Int { counts[section] }

    func collectionView(
        _ collectionView: SimulatedCollectionView,
        cellForItemAt path: ItemPath
    ) throws -> CollectionCell {
        let cell = try collectionView.dequeueReusableCell(withReuseIdentifier: "cell", for: path)
        (cell as? OddCell)?.wanted = size(path)
        return cell
    }

    func flowLayout(_ layout: FlowLayout, sizeForItemAt path: ItemPath) -> Size? {
        path.item % 3 == 0 ? size(path) : nil
    }

    func listLayout(_ layout: ListLayout, heightForRowAt path: ItemPath) -> Double? {
        path.item % 3 == 0 ? size(path).height : nil
    }

    final class OddCell: CollectionCell {
        var wanted = Size.zero

        override func preferredAttributes(fitting attributes: LayoutAttributes) -> LayoutAttributes
        {
            var preferred = attributes
            preferred.size = wanted
            return preferred
        }
    }
}

private func layout(_ bytes: inout Bytes) -> CollectionLayout {
    switch bytes.next() % 5 {
    case 0:
        let list = ListLayout()
        list.estimatesHeights = bytes.next() & 1 == 0
        list.rowHeight = bytes.number()
        return list
    case 1:
        let flow = FlowLayout()
        flow.scrollDirection = bytes.next() & 1 == 0 ? .vertical : .horizontal
        flow.itemSize = Size(width: bytes.number(), height: bytes.number())
        flow.minimumLineSpacing = bytes.number()
        flow.pinsSectionHeaders = bytes.next() & 1 == 0
        flow.estimatedItemSize = bytes.next() & 1 == 0 ? .zero : Size(width: 30, height: 30)
        flow.sectionInset.left = bytes.number()
        return flow
    case 2:
        let pager = PagerLayout()
        pager.pageSpacing = bytes.number()
        return pager
    case 3:
        return ComposedLayout(
            scrollDirection: bytes.next() & 1 == 0 ? .vertical : .horizontal,
            defaultLayout: MasonrySectionLayout(columnCount: bytes.integer())
        )
    default: return ComposedLayout()
    }
}

/// What a program may do, with any numbers; afterwards the view shows what its layout says.
private func fuzzView(_ bytes: inout Bytes) {
    let lane = CallersLane()
    let source = OddSource()
    source.counts = bytes.counts()
    source.sizes = (0..<3).map { _ in Size(width: bytes.number(), height: bytes.number()) }
    let view = SimulatedCollectionView(size: Size(width: 100, height: 100), logCapacity: 0)
    view.setLayout(layout(&bytes))
    try? view.register(OddSource.OddCell.self, forCellWithReuseIdentifier: "cell")
    view.layoutMetrics = source
    let adapter = DataSourceAdapter(dataSource: source, view: view, lane: lane)
    while !bytes.isAtEnd {
        act(&bytes, view, adapter, source)
        check(lane.run(), "the view does not come to rest")
    }
    view.layoutIfNeeded()
    let shown = Set(view.visibleCells.compactMap { $0.attributes?.place })
    for attributes in view.layout.attributesForElements(in: view.bounds)
    where attributes.category == .cell && attributes.frame.intersects(view.bounds)
        && !view.bounds.isEmpty
    {
        let isLegal = attributes.frame.size.isValid && attributes.frame.minY.isFinite
        check(
            shown.contains(attributes.place) || view.errorCount > 0 || !isLegal,
            "\(attributes.place) should be in sight"
        )
    }
}

private func act(
    _ bytes: inout Bytes,
    _ view: SimulatedCollectionView,
    _ adapter: DataSourceAdapter,
    _ source: OddSource
) {
    switch bytes.next() % 12 {
    case 0: view.scroll(by: bytes.number(), x: bytes.number())
    case 1: view.contentOffset = Point(x: bytes.number(), y: bytes.number())
    case 2: view.resize(to: Size(width: bytes.number(), height: bytes.number()))
    case 3:
        try? view.scrollToItem(
            at: bytes.path(),
            position: ScrollPosition(rawValue: bytes.integer())
        )
    case 4: view.tapItem(at: bytes.path())
    case 5: try? view.selectItem(at: bytes.path())
    case 6: view.setLayout(layout(&bytes), animated: bytes.next() & 1 == 0)
    case 7: view.contentInset.top = bytes.number()
    case 8: view.isPrefetchingEnabled.toggle()
    case 9: view.idleTick(preparing: bytes.integer())
    case 10: adapter.reloadData()
    default:
        let counts = bytes.counts()
        let changes = bytes.changes()
        let former = source.counts
        let animated = bytes.next() & 1 == 0
        do {
            try adapter.performBatchUpdates(animated: animated) { record in
                source.counts = counts
                for operation in changes.operations { record.record(operation) }
            }
        } catch {
            source.counts = former
        }
    }
}
