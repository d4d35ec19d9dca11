import PipelineTestSupport
import SimulatedView
import Testing

/// A model of touches and selection by item name, with the calls to the delegate and the appearance
/// of the cells.
struct TouchModel {
    var sheet: Sheet
    var allowsSelection = true
    var allowsMultiple = false
    private(set) var selected: [String] = []
    private(set) var calls: [String] = []
    /// Whether each visible cell appears selected.
    var appearances: [String: Bool] = [:]
    private var touched: String?
    private var isInside = false

    init(_ sheet: Sheet) { self.sheet = sheet }

    var highlighted: String? { isInside ? touched : nil }

    var isIdle: Bool { touched == nil }

    mutating func clear() { calls = [] }

    private mutating func note(_ words: String, _ name: String, _ answer: Bool? = nil) {
        let path = sheet.places[name].map { "\($0)" } ?? "-"
        calls.append("\(words) \(path)" + (answer.map { ": \($0)" } ?? ""))
    }

    private mutating func setAppearance(_ isSelected: Bool, _ name: String) {
        if appearances[name] != nil { appearances[name] = isSelected }
    }

    // MARK: By the program

    mutating func set(_ isSelected: Bool, _ name: String) {
        if !isSelected { selected.removeAll { $0 == name } }
        if isSelected, !selected.contains(name) { selected.append(name) }
        setAppearance(isSelected, name)
    }

    mutating func select(_ name: String) {
        guard allowsSelection else { return }
        if !allowsMultiple { for other in selected where other != name { set(false, other) } }
        set(true, name)
    }

    mutating func keepLast(_ count: Int) {
        for name in selected.dropLast(count) { set(false, name) }
    }

    // MARK: By touch

    mutating func down(_ name: String, allowed: Bool) {
        guard touched == nil else { return }
        note("shouldHighlight", name, allowed)
        guard allowed else { return }
        (touched, isInside) = (name, true)
        if allowsSelection, !allowsMultiple {
            for other in selected where other != name { setAppearance(false, other) }
        }
        note("didHighlight", name)
    }

    mutating func move(inside: Bool) {
        guard let touched, isInside != inside else { return }
        isInside = inside
        note(inside ? "didHighlight" : "didUnhighlight", touched)
    }

    mutating func up(allowed: Bool) {
        guard let name = touched, isInside else { return cancel() }
        move(inside: false)
        if allowsSelection { decide(name, allowed) }
        end()
    }

    private mutating func decide(_ name: String, _ allowed: Bool) {
        let isDeselecting = allowsMultiple && selected.contains(name)
        note(isDeselecting ? "shouldDeselect" : "shouldSelect", name, allowed)
        guard allowed else { return }
        let gone = isDeselecting ? [name] : allowsMultiple ? [] : selected.filter { $0 != name }
        for other in gone {
            set(false, other)
            note("didDeselect", other)
        }
        if isDeselecting { return }
        set(true, name)
        note("didSelect", name)
    }

    mutating func cancel() {
        move(inside: false)
        if touched != nil { end() }
    }

    private mutating func end() {
        touched = nil
        for name in selected { setAppearance(true, name) }
    }

    // MARK: By updates

    /// After a reload nothing is selected or touched, and the delegate is not notified.
    mutating func reload(_ new: Sheet) {
        keepLast(0)
        show(Sheet([]))
        show(new)
    }

    /// A removed item is neither selected nor touched, and the delegate is not notified.
    mutating func show(_ new: Sheet) {
        sheet = new
        let places = new.places
        selected = selected.filter { places[$0] != nil }
        guard let name = touched, places[name] == nil else { return }
        isInside = false
        end()
    }

    /// A cell that appears has the appearance of its item.
    mutating func appear(_ names: [String]) {
        let before = appearances
        appearances = [:]
        for name in names { appearances[name] = before[name] ?? selected.contains(name) }
    }
}

/// `ViewWalkTests` covers the other cases of touches.
@Suite("Touches with delegates that act")
struct TouchModelTests {
    @Test func aTouchThatTheDelegateBeginsReplacesTheOther() throws {
        let bench = try Bench([texts(9)])
        bench.load()
        bench.watcher.mayHighlight = { [view = bench.view] path in
            if path.item == 0 { view.touchDown(at: ItemPath(0, 2)) }
            return true
        }
        bench.view.touchDown(at: ItemPath(0, 0))
        #expect(bench.view.highlightedItem == ItemPath(0, 2))
        let heard = ["shouldHighlight 0 - 0", "shouldHighlight 0 - 2", "didHighlight 0 - 2"]
        #expect(bench.watcher.heard == heard)
    }

    @Test func withoutADelegateEverythingIsAllowed() throws {
        let bench = try Bench([texts(9)])
        bench.load()
        let view = bench.view
        (view.delegate, view.allowsMultipleSelection) = (nil, true)
        for item in [0, 1, 0] { view.tapItem(at: ItemPath(0, item)) }
        #expect(view.indexPathsForSelectedItems == [ItemPath(0, 1)])
    }

    /// The delegate deletes an item during the call: the touch follows its item and ends with it.
    @Test(arguments: ["highlight", "select", "deselect"], [0, 2])
    func theTouchFollowsItsItemThroughDeletionsByTheDelegate(_ question: String, _ deleted: Int)
        throws
    {
        let bench = try Bench([texts(4)], height: 50)
        bench.load()
        let view = bench.view
        view.allowsMultipleSelection = true
        if question == "deselect" { try view.selectItem(at: ItemPath(0, 2)) }
        let delete: (ItemPath) -> Bool = { [bench] path in
            #expect(path == ItemPath(0, 2) && bench.view.highlightedItem == nil)
            bench.source.sections[0].remove(at: deleted)
            try? bench.adapter.performBatchUpdates { $0.deleteItems(at: [ItemPath(0, deleted)]) }
            return true
        }
        switch question {
        case "highlight":
            bench.watcher.mayHighlight = delete
        default: (bench.watcher.maySelect, bench.watcher.mayDeselect) = (delete, delete)
        }
        view.tapItem(at: ItemPath(0, 2))
        let new = question == "highlight" ? ItemPath(0, 2) : ItemPath(0, 1)
        // A touch that has not begun yet follows nothing.
        let isThere = question == "highlight" || deleted != 2
        #expect(view.indexPathsForSelectedItems == (isThere && question != "deselect" ? [new] : []))
        let last = question == "deselect" ? "didDeselect 0 - 1" : "didSelect \(new)"
        #expect((bench.watcher.heard.last == last) == isThere)
        bench.settle()
        bench.check()
    }
}
