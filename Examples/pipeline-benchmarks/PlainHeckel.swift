/// A difference as most libraries take it: every element is looked up in one dictionary, and whatever is not
/// where the deletes and inserts before it would leave it is moved.
///
/// Source: Paul Heckel, "A technique for isolating differences between files" (1978), with dictionaries of the
/// standard library; no code of any library.
struct PlainHeckel {
    /// Old indexes, ascending.
    private(set) var deletions: [Int] = []
    /// New indexes, ascending.
    private(set) var insertions: [Int] = []
    /// Ascending by new index.
    private(set) var moves: [(oldIndex: Int, newIndex: Int)] = []

    var count: Int { deletions.count + insertions.count + moves.count }

    /// What is known of equal elements.
    private struct Entry {
        var oldCount = 0
        var newCount = 0
        var oldIndex = 0
    }

    /// The other side's index, or the entry where there is none.
    private enum Place {
        case entry(Int)
        case index(Int)
    }

    init<Element: Hashable>(from old: [Element], to new: [Element]) {
        var entries: [Entry] = []
        var numbers: [Element: Int] = [:]
        numbers.reserveCapacity(max(old.count, new.count))
        func number(of element: Element) -> Int {
            if let number = numbers[element] { return number }
            numbers[element] = entries.count
            entries.append(Entry())
            return entries.count - 1
        }
        var newPlaces = new.map { element -> Place in
            let number = number(of: element)
            entries[number].newCount += 1
            return .entry(number)
        }
        var oldPlaces = old.enumerated().map { index, element -> Place in
            let number = number(of: element)
            entries[number].oldCount += 1
            entries[number].oldIndex = index
            return .entry(number)
        }
        for (newIndex, place) in newPlaces.enumerated() {
            guard case .entry(let number) = place, entries[number].oldCount == 1,
                entries[number].newCount == 1
            else { continue }
            let oldIndex = entries[number].oldIndex
            newPlaces[newIndex] = .index(oldIndex)
            oldPlaces[oldIndex] = .index(newIndex)
        }
        Self.spread(&oldPlaces, &newPlaces, Array(newPlaces.indices), by: 1)
        Self.spread(&oldPlaces, &newPlaces, newPlaces.indices.reversed(), by: -1)
        collect(oldPlaces, newPlaces)
    }

    /// Equal elements beside what is matched are matched too.
    private static func spread(
        _ oldPlaces: inout [Place],
        _ newPlaces: inout [Place],
        _ order: [Int],
        by step: Int
    ) {
        for newIndex in order {
            guard case .index(let oldIndex) = newPlaces[newIndex] else { continue }
            let (nextOld, nextNew) = (oldIndex + step, newIndex + step)
            guard oldPlaces.indices.contains(nextOld), newPlaces.indices.contains(nextNew),
                case .entry(let oldNumber) = oldPlaces[nextOld],
                case .entry(let newNumber) = newPlaces[nextNew], oldNumber == newNumber
            else { continue }
            newPlaces[nextNew] = .index(nextOld)
            oldPlaces[nextOld] = .index(nextNew)
        }
    }

    private mutating func collect(_ oldPlaces: [Place], _ newPlaces: [Place]) {
        var deletionsBefore: [Int] = []
        deletionsBefore.reserveCapacity(oldPlaces.count)
        for (index, place) in oldPlaces.enumerated() {
            deletionsBefore.append(deletions.count)
            if case .entry = place { deletions.append(index) }
        }
        for (newIndex, place) in newPlaces.enumerated() {
            switch place {
            case .entry: insertions.append(newIndex)
            case .index(let oldIndex):
                if oldIndex - deletionsBefore[oldIndex] + insertions.count != newIndex {
                    moves.append((oldIndex, newIndex))
                }
            }
        }
    }
}
