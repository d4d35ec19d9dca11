import Testing

/// Breaks guarantees on purpose: a check that finds nothing means something only if it can be seen to fail.
///
/// Each call is one row of a table: what must be found, and how a scene is made to break it.
final class Forger<Scene> {
    typealias Forgery = (Scene) throws -> Void

    private let make: () throws -> Scene
    private let find: (Scene, @escaping Forgery) throws -> [String]
    /// What was not found, or found beside that.
    private(set) var faults: [String] = []
    /// The guarantee that all rows of a table break; nil where each names its own.
    private let guarantee: String?

    /// - Parameters:
    ///   - guarantee: the guarantee that every forgery breaks.
    ///   - make: makes a scene in which nothing is wrong.
    ///   - find: has a scene forged, and returns what its checks say then, each with its guarantee in front.
    init(
        breaking guarantee: String? = nil,
        _ make: @escaping () throws -> Scene,
        find: @escaping (Scene, @escaping Forgery) throws -> [String]
    ) {
        (self.guarantee, self.make, self.find) = (guarantee, make, find)
        do {
            let found = try find(make(), { _ in })
            if !found.isEmpty { faults.append("nothing is forged, and \(found) is found") }
        } catch {
            faults.append("nothing is forged: \(error)")
        }
    }

    /// Forges a scene, in which one guarantee must be found to be broken, and no other.
    ///
    /// - Parameters:
    ///   - expected: the guarantee and a colon, unless all break one, and a part of what is said of it.
    ///   - scene: the scene; nil for a new one.
    ///   - others: guarantees that the forgery breaks as well.
    func forge(
        _ expected: String,
        in scene: Scene? = nil,
        alsoBreaking others: String...,
        by forgery: @escaping Forgery
    ) {
        do {
            let found = try find(scene ?? make(), forgery)
            let guarantee = guarantee ?? String(expected.prefix { $0 != ":" })
            let part =
                self.guarantee == nil ? expected.dropFirst(guarantee.count + 2) : expected[...]
            let isFound = found.contains { $0.hasPrefix("\(guarantee): ") && $0.contains(part) }
            let allowed = [guarantee] + others
            let surplus = found.filter { text in !allowed.contains { text.hasPrefix("\($0): ") } }
            if !isFound || !surplus.isEmpty { faults.append("\(expected): found \(found)") }
        } catch {
            faults.append("\(expected): \(error)")
        }
    }
}
