// A record in bytes. It is unchecked, so that any integers in any order are written, each as a step from the
// one before, around the ends where it must. Validation judges it after reading as it does any record.

extension HierarchyChangeSet {
    /// The record in bytes: version, kind, number of operations, operations in order.
    ///
    /// Every record can be written, also one that no validation accepts, and comes back equal. An operation
    /// takes three bytes and its places, a place next to the one before two.
    ///
    /// Complexity: O(k) for k recorded paths and runs of sections.
    public func encoded() -> [UInt8] {
        BinaryForm.record.encode { writer in
            writer.index(operations.count)
            for operation in operations { writer.operation(operation) }
        }
    }

    /// Reads what ``encoded()`` wrote. Nothing is validated, as nothing is while recording.
    ///
    /// Memory: under 128 bytes for each of `bytes`.
    ///
    /// - Throws: the first fault of the bytes.
    public init(decoding bytes: RawSpan) throws(BinaryDecodingError) {
        self = try BinaryForm.record.decode(bytes) {
            (reader) throws(BinaryDecodingError) -> HierarchyChangeSet in
            let count = try reader.count(of: "operations")
            var operations: [Operation] = []
            // Three bytes are the least that an operation takes.
            operations.reserveCapacity(Swift.min(count, reader.remaining / 3 + 1))
            for _ in 0..<count { operations.append(try reader.operation()) }
            return HierarchyChangeSet(operations)
        }
    }

    /// Reads what ``encoded()`` wrote. Nothing is validated, as nothing is while recording.
    ///
    /// Memory: under 128 bytes for each of `bytes`.
    ///
    /// - Throws: the first fault of the bytes.
    public init(decoding bytes: [UInt8]) throws(BinaryDecodingError) {
        try self.init(decoding: bytes.span.bytes)
    }
}

/// The number of each operation. A number is never used for another.
private enum OperationTag: UInt8 {
    case deleteItems = 1
    case insertItems = 2
    case reloadItems = 3
    case reconfigureItems = 4
    case moveItem = 5
    case deleteSections = 6
    case insertSections = 7
    case reloadSections = 8
    case reconfigureSections = 9
    case moveSection = 10
    case reloadSupplementaries = 11
    case reloadData = 12
}

extension ByteWriter {
    fileprivate mutating func operation(_ operation: HierarchyChangeSet.Operation) {
        switch operation {
        case .deleteItems(let paths, let option): tagged(.deleteItems, paths, option)
        case .insertItems(let paths, let option): tagged(.insertItems, paths, option)
        case .reloadItems(let paths, let option): tagged(.reloadItems, paths, option)
        case .reconfigureItems(let paths, let option): tagged(.reconfigureItems, paths, option)
        case .moveItem(let oldPath, let newPath, let option):
            start(.moveItem, option)
            path(oldPath, after: ItemPath(section: 0, item: 0))
            path(newPath, after: oldPath)
        case .deleteSections(let sections, let option): tagged(.deleteSections, sections, option)
        case .insertSections(let sections, let option): tagged(.insertSections, sections, option)
        case .reloadSections(let sections, let option): tagged(.reloadSections, sections, option)
        case .reconfigureSections(let sections, let option):
            tagged(.reconfigureSections, sections, option)
        case .moveSection(let oldSection, let newSection, let option):
            start(.moveSection, option)
            signed(oldSection)
            step(from: oldSection, to: newSection)
        case .reloadSupplementaries(let kind, let sections, let option):
            tagged(.reloadSupplementaries, sections, option)
            text(kind.rawValue)
        case .reloadData(let option): start(.reloadData, option)
        }
    }

    private mutating func start(_ tag: OperationTag, _ option: AnimationOption) {
        byte(tag.rawValue)
        signed(option.rawValue)
    }

    private mutating func tagged(
        _ tag: OperationTag,
        _ paths: [ItemPath],
        _ option: AnimationOption
    ) {
        start(tag, option)
        index(paths.count)
        var last = ItemPath(section: 0, item: 0)
        for path in paths {
            self.path(path, after: last)
            last = path
        }
    }

    private mutating func tagged(
        _ tag: OperationTag,
        _ sections: SectionSet,
        _ option: AnimationOption
    ) {
        start(tag, option)
        index(sections.runs.count)
        var last = 0
        for run in sections.runs {
            step(from: last, to: run.lowerBound)
            unsigned(UInt64(bitPattern: Int64(run.upperBound &- run.lowerBound)))
            last = run.upperBound
        }
    }

    mutating func path(_ path: ItemPath, after last: ItemPath) {
        step(from: last.section, to: path.section)
        step(from: last.item, to: path.item)
    }
}

extension ByteReader {
    fileprivate mutating func operation() throws(BinaryDecodingError)
        -> HierarchyChangeSet.Operation
    {
        let start = offset
        let number = try byte()
        guard let tag = OperationTag(rawValue: number) else {
            throw BinaryDecodingError(
                .unknownValue,
                at: start,
                "an operation must be one of 1 to 12, but is \(number)"
            )
        }
        let option = AnimationOption(rawValue: try signed())
        switch tag {
        case .deleteItems: return .deleteItems(try paths(), option)
        case .insertItems: return .insertItems(try paths(), option)
        case .reloadItems: return .reloadItems(try paths(), option)
        case .reconfigureItems: return .reconfigureItems(try paths(), option)
        case .moveItem:
            let oldPath = try path(after: ItemPath(section: 0, item: 0))
            return .moveItem(at: oldPath, to: try path(after: oldPath), option)
        case .deleteSections: return .deleteSections(try sections(), option)
        case .insertSections: return .insertSections(try sections(), option)
        case .reloadSections: return .reloadSections(try sections(), option)
        case .reconfigureSections: return .reconfigureSections(try sections(), option)
        case .moveSection:
            let oldSection = try signed()
            return .moveSection(oldSection, toSection: try step(from: oldSection), option)
        case .reloadSupplementaries:
            let sections = try sections()
            let kind = SupplementaryKind(rawValue: try text())
            return .reloadSupplementaries(kind, in: sections, option)
        case .reloadData: return .reloadData(option)
        }
    }

    private mutating func paths() throws(BinaryDecodingError) -> [ItemPath] {
        let count = try count(of: "paths")
        var paths: [ItemPath] = []
        // Each takes two bytes or more.
        paths.reserveCapacity(min(count, remaining / 2))
        var last = ItemPath(section: 0, item: 0)
        for _ in 0..<count {
            last = try path(after: last)
            paths.append(last)
        }
        return paths
    }

    mutating func path(after last: ItemPath) throws(BinaryDecodingError) -> ItemPath {
        let section = try step(from: last.section)
        return ItemPath(section: section, item: try step(from: last.item))
    }

    private mutating func sections() throws(BinaryDecodingError) -> SectionSet {
        let count = try count(of: "runs of sections")
        var sections = SectionSet()
        var last = 0
        for _ in 0..<count {
            let start = offset
            let lower = try step(from: last)
            let upper = lower &+ Int(truncatingIfNeeded: try unsigned())
            // Runs that touch would be one.
            guard lower <= upper, sections.isEmpty || (lower > last && lower - 1 > last) else {
                throw BinaryDecodingError(
                    .outOfOrder,
                    at: start,
                    "runs of sections must ascend and not touch, but \(lower) to \(upper) follows"
                        + " \(last)"
                )
            }
            sections.insert(contentsOf: lower...upper)
            last = upper
        }
        return sections
    }
}
