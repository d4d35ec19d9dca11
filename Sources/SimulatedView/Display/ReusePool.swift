import CollectionLayouts

/// Views that wait to be used again, last in, first out, and the classes that new ones are made of.
struct ReusePool {
    struct Key: Hashable {
        let category: ElementCategory
        let identifier: String
    }

    /// What a view keeps of each class: what most viewports show at once, and bounded. Larger ones make
    /// the rest again.
    static let limit = 256

    private var classes: [Key: CollectionReusableView.Type] = [:]
    private var waiting: [Key: [CollectionReusableView]] = [:]
    /// How many views were made so far; for tests and figures.
    private(set) var madeViews = 0

    /// - Parameter viewClass: nil to unregister.
    /// - Returns: the views of the class before, to be released outside.
    mutating func register(
        _ viewClass: CollectionReusableView.Type?,
        _ key: Key
    ) -> [CollectionReusableView] {
        classes[key] = viewClass
        return waiting.removeValue(forKey: key) ?? []
    }

    func registeredClass(_ key: Key) -> CollectionReusableView.Type? { classes[key] }

    /// How many views wait in all.
    var count: Int { waiting.values.reduce(0) { $0 + $1.count } }

    /// A view that waits; nil where one is to be made. Making one is for the caller, since it runs code of
    /// the application, which may look at the pool.
    mutating func take(
        _ key: Key,
        of viewClass: CollectionReusableView.Type
    ) -> CollectionReusableView? {
        // The classes of decorations are their layouts', and layouts change.
        while let view = waiting[key]?.popLast() {
            if type(of: view) == viewClass { return view }
        }
        madeViews += 1
        return nil
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
