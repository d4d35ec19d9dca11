import CollectionLayouts

/// Views that wait to be used again, last in, first out, and the classes that new ones are made of.
struct ReusePool {
    struct Key: Hashable {
        let category: ElementCategory
        let identifier: String
    }

    /// What a view keeps of each class: more than any viewport shows at once, and still bounded.
    static let limit = 256

    private var classes: [Key: CollectionReusableView.Type] = [:]
    private var waiting: [Key: [CollectionReusableView]] = [:]
    /// How many views were made so far; for tests and figures.
    private(set) var madeViews = 0

    /// - Parameter viewClass: nil to unregister.
    mutating func register(_ viewClass: CollectionReusableView.Type?, _ key: Key) {
        classes[key] = viewClass
        // What is there is of the class before.
        waiting[key] = nil
    }

    func registeredClass(_ key: Key) -> CollectionReusableView.Type? { classes[key] }

    /// How many views wait in all.
    var count: Int { waiting.values.reduce(0) { $0 + $1.count } }

    /// A view, and whether it was used before.
    mutating func take(
        _ key: Key,
        of viewClass: CollectionReusableView.Type
    ) -> (view: CollectionReusableView, isReused: Bool) {
        if let view = waiting[key]?.popLast() { return (view, true) }
        madeViews += 1
        let view = viewClass.init()
        view.reuseIdentifier = key.identifier
        return (view, false)
    }

    /// Keeps a view for later, unless there are enough or its class is no longer registered.
    mutating func put(
        _ view: CollectionReusableView,
        _ category: ElementCategory,
        _ current: CollectionReusableView.Type?
    ) {
        view.element = nil
        view.content = nil
        view.attributes = nil
        guard let current, type(of: view) == current else { return }
        let key = Key(category: category, identifier: view.reuseIdentifier)
        guard waiting[key, default: []].count < Self.limit else { return }
        waiting[key, default: []].append(view)
    }
}
