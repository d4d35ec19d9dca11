import Testing

/// Breaks guarantees on purpose: a check that reports nothing is meaningful only if it can fail.
///
/// Each call is one row of a table: the expected report, and the forgery of a scene that causes it.
final class Forger<Scene> {
    typealias Forgery = (Scene) throws -> Void

    private let make: () throws -> Scene
    private let find: (Scene, @escaping Forgery) throws -> [String]
    /// The expected reports that are missing, and the unexpected ones.
    private(set) var faults: [String] = []
    /// The guarantee that all rows of a table break; `nil` if each row names its own.
    private let guarantee: String?

    /// - Parameters:
    ///   - guarantee: The guarantee that every forgery breaks.
    ///   - make: Creates a scene without faults.
    ///   - find: Forges a scene and returns the reports of its checks, each prefixed with its
    ///     guarantee.
    init(
        breaking guarantee: String? = nil,
        _ make: @escaping () throws -> Scene,
        find: @escaping (Scene, @escaping Forgery) throws -> [String]
    ) {
        (self.guarantee, self.make, self.find) = (guarantee, make, find)
        do {
            let found = try find(make(), { _ in })
            if !found.isEmpty { faults.append("without a forgery, \(found) is reported") }
        } catch {
            faults.append("without a forgery: \(error)")
        }
    }

    /// Forges a scene, for which the checks must report one broken guarantee and no other.
    ///
    /// - Parameters:
    ///   - expected: A part of the report, after the guarantee and a colon unless all rows break
    ///     one guarantee.
    ///   - scene: The scene; `nil` for a new one.
    ///   - others: Other guarantees that the forgery breaks too.
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
