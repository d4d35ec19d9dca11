/// Touches and selection of one section, by number of item, with what is said of them.
struct TouchModel {
    var allowsSelection = true
    var allowsMultiple = false
    private(set) var selected: [Int] = []
    private(set) var lookingSelected: Set<Int> = []
    private(set) var calls: [String] = []
    private var touched: Int?
    private var isInside = false

    var highlighted: Int? { isInside ? touched : nil }

    mutating func clear() { calls = [] }

    private mutating func say(_ words: String, _ item: Int, _ answer: Bool? = nil) {
        calls.append("\(words) 0 - \(item)" + (answer.map { ": \($0)" } ?? ""))
    }

    // MARK: By program

    mutating func set(_ isSelected: Bool, _ item: Int) {
        if !isSelected { selected.removeAll { $0 == item } }
        if isSelected, !selected.contains(item) { selected.append(item) }
        if isSelected { lookingSelected.insert(item) } else { lookingSelected.remove(item) }
    }

    mutating func select(_ item: Int) {
        guard allowsSelection else { return }
        if !allowsMultiple { for other in selected where other != item { set(false, other) } }
        set(true, item)
    }

    mutating func keepLast(_ count: Int) {
        for item in selected.dropLast(count) { set(false, item) }
    }

    // MARK: By touch

    mutating func down(_ item: Int, allowed: Bool) {
        guard touched == nil else { return }
        say("shouldHighlight", item, allowed)
        guard allowed else { return }
        (touched, isInside) = (item, true)
        if allowsSelection, !allowsMultiple {
            lookingSelected.subtract(selected.filter { $0 != item })
        }
        say("didHighlight", item)
    }

    mutating func move(inside: Bool) {
        guard let touched, isInside != inside else { return }
        isInside = inside
        say(inside ? "didHighlight" : "didUnhighlight", touched)
    }

    mutating func up(allowed: Bool) {
        guard let item = touched, isInside else { return cancel() }
        move(inside: false)
        if allowsSelection { decide(item, allowed) }
        end()
    }

    private mutating func decide(_ item: Int, _ allowed: Bool) {
        let isDeselecting = allowsMultiple && selected.contains(item)
        say(isDeselecting ? "shouldDeselect" : "shouldSelect", item, allowed)
        guard allowed else { return }
        let gone = isDeselecting ? [item] : allowsMultiple ? [] : selected.filter { $0 != item }
        for other in gone {
            set(false, other)
            say("didDeselect", other)
        }
        if isDeselecting { return }
        set(true, item)
        say("didSelect", item)
    }

    mutating func cancel() {
        move(inside: false)
        if touched != nil { end() }
    }

    private mutating func end() {
        touched = nil
        lookingSelected.formUnion(selected)
    }
}
