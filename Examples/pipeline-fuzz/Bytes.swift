import CollectionChanges

/// The input of the fuzzer, consumed from the front. After its end every byte is 0, so that short
/// inputs are valid too.
struct Bytes {
    private let buffer: UnsafeBufferPointer<UInt8>
    private var position = 0

    init(_ buffer: UnsafeBufferPointer<UInt8>) { self.buffer = buffer }

    var isAtEnd: Bool { position >= buffer.count }

    mutating func next() -> UInt8 {
        guard position < buffer.count else { return 0 }
        defer { position += 1 }
        return buffer[position]
    }

    /// Returns all remaining bytes.
    mutating func rest() -> [UInt8] {
        defer { position = max(position, buffer.count) }
        return position < buffer.count ? Array(buffer[position...]) : []
    }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int(next()) % elements.count]
    }

    /// Returns a number that is usually small, and sometimes an extreme integer.
    mutating func integer() -> Int {
        switch next() {
        case 250: .max
        case 251: .min
        case 252: -1
        case 253: .max - Int(next())
        case let byte: Int(byte % 12)
        }
    }

    /// Returns a number that is usually a valid size, and sometimes unusable for a layout.
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
        case 4, 5: .moveItem(at: path(), to: path(), .automatic)
        case 6: .deleteSections(sections(), .automatic)
        case 7: .insertSections(sections(), .automatic)
        case 8: .reloadSections(sections(), .automatic)
        case 9: .reconfigureSections(sections(), .automatic)
        case 10: .moveSection(integer(), toSection: integer(), .automatic)
        case 11: .reloadSupplementaries(.header, in: sections(), .automatic)
        default: .reloadData(.automatic)
        }
    }

    mutating func changes() -> HierarchyChangeSet {
        HierarchyChangeSet((0..<Int(next() % 10)).map { _ in operation() })
    }

    mutating func counts() -> [Int] { (0..<Int(next() % 6)).map { _ in integer() } }
}
