import PersistentTrees
import TestSupport

@testable import CollectionElements

extension ElementMap {
    /// What is wrong with the trees of this map, or nil.
    func brokenInvariant() -> String? {
        if let fault = storage.entries.brokenInvariant() { return "sections: \(fault)" }
        for (section, entry) in storage.entries.enumerated() {
            if let fault = entry.slots.brokenInvariant() { return "\(section): \(fault)" }
        }
        let counts = storage.entries.map { $0.slots.count }
        return counts == shape.itemCounts ? nil : "counts \(counts), not \(shape.itemCounts)"
    }
}
