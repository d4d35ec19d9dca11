import CollectionElements
import Foundation
import Synchronization
import Testing

extension ItemPath {
    package init(_ section: Int, _ item: Int) { self.init(section: section, item: item) }
}

extension ElementMap {
    /// The models of all items, by section.
    package var texts: [[String]] {
        var result = Array(repeating: [String](), count: numberOfSections)
        for item in items { result[item.path.section].append(item.content.model as? String ?? "-") }
        return result
    }

    /// The identities of all items, by section.
    package var elements: [[CollectionElement]] {
        var result = Array(repeating: [CollectionElement](), count: numberOfSections)
        for item in items { result[item.path.section].append(item.element) }
        return result
    }

    /// The texts of the nodes of all items, by section; `-` if an item has no node.
    package var nodeTexts: [[String]] {
        elements.map { $0.map { ($0.nodeIfAllocated as? TextNode)?.text ?? "-" } }
    }
}

extension ElementState {
    package var text: String {
        switch self {
        case .pending: "pending"
        case .allocating: "allocating"
        case .measured: "measured"
        case .skipped: "skipped"
        case .failed: "failed"
        }
    }
}

extension HierarchyChangeSet.Operation {
    /// The same operation with another option.
    package func animated(_ option: AnimationOption) -> Self {
        switch self {
        case .deleteItems(let paths, _): .deleteItems(paths, option)
        case .insertItems(let paths, _): .insertItems(paths, option)
        case .reloadItems(let paths, _): .reloadItems(paths, option)
        case .reconfigureItems(let paths, _): .reconfigureItems(paths, option)
        case .moveItem(let old, let new, _): .moveItem(at: old, to: new, option)
        case .deleteSections(let sections, _): .deleteSections(sections, option)
        case .insertSections(let sections, _): .insertSections(sections, option)
        case .reloadSections(let sections, _): .reloadSections(sections, option)
        case .moveSection(let old, let new, _): .moveSection(old, toSection: new, option)
        case .reconfigureSections(let sections, _): .reconfigureSections(sections, option)
        case .reloadSupplementaries(let kind, let sections, _):
            .reloadSupplementaries(kind, in: sections, option)
        case .reloadData: .reloadData(option)
        }
    }
}

extension HierarchyChangeSet {
    /// The operations, one for each edit, each with an option of its own.
    package func apart(_ option: () -> AnimationOption) -> [Operation] {
        operations.flatMap { operation -> [Operation] in
            switch operation {
            case .deleteItems(let paths, _): paths.map { .deleteItems([$0], option()) }
            case .insertItems(let paths, _): paths.map { .insertItems([$0], option()) }
            case .reloadItems(let paths, _): paths.map { .reloadItems([$0], option()) }
            case .reconfigureItems(let paths, _): paths.map { .reconfigureItems([$0], option()) }
            case .deleteSections(let sections, _): sections.map { .deleteSections([$0], option()) }
            case .insertSections(let sections, _): sections.map { .insertSections([$0], option()) }
            case .reloadSections(let sections, _): sections.map { .reloadSections([$0], option()) }
            default: [operation.animated(option())]
            }
        }
    }
}

/// The part of a pipeline that makes a call.
package enum CallPlace: Hashable, Sendable {
    case mainLane
    case worker
    case elsewhere
}

/// A number that any thread may change, such as a count of living objects.
package final class LiveCount: Sendable {
    private let count = Atomic<Int>(0)

    package init() {}

    package var value: Int { count.load(ordering: .sequentiallyConsistent) }

    package func add(_ difference: Int) { count.add(difference, ordering: .sequentiallyConsistent) }
}

extension Trait where Self == TimeLimitTrait {
    /// Ends a test that hangs.
    ///
    /// Far more than any test takes: a test's time includes waiting for other tests, and grows
    /// tenfold under a sanitizer on a busy machine.
    package static var endsHangs: Self { .timeLimit(.minutes(10)) }
}

/// The effort of tests that enumerate cases or could run forever.
///
/// `swift test` runs for every change, so it tries a fixed part of each enumeration.
/// `TEST_EFFORT=full` tries all of it.
package enum Effort {
    /// Whether tests try every case.
    package static let isFull = ProcessInfo.processInfo.environment["TEST_EFFORT"] == "full"

    /// Returns the full number if tests try every case, and the usual one otherwise.
    package static func number<Number>(_ full: Number, usually usual: Number) -> Number {
        isFull ? full : usual
    }
}

/// Selects a sample of an enumeration: the first hundred cases, so that short enumerations are
/// complete, and then every seventh, a period that no enumeration has.
package struct Sampling {
    private var count = 0

    package init() {}

    /// Returns whether the sample includes the next case.
    package mutating func takesNext() -> Bool {
        count += 1
        return Effort.isFull || count <= 100 || count.isMultiple(of: 7)
    }
}
