import CollectionChanges
import Foundation

// The vectors' format, decoded into the values of this package. What a vector says and how it is
// compared is for the tests that read it.

/// A change set with the answer of Texture's own code.
struct ChangeSetVector: Decodable {
    let id: Int
    let oldShape: HierarchyShape
    let newShape: HierarchyShape
    let steps: [Step]
    let result: Answer

    /// What was done to the original's change set, one after the other.
    enum Step {
        case operation(HierarchyChangeSet.Operation)
        case probe(Probe)
    }

    /// A call in the middle of recording that the original answers with an assertion.
    enum Probe: String, Decodable {
        case complete, readChanges, readMapping
    }

    /// The fields of an answer; an invalid vector has only those of the first group.
    struct Answer: Decodable {
        let valid: Bool
        let code: String?
        let error: String?
        let stage: String?
        let opIndex: Int?

        let empty: Bool?
        let deleteItems: [ItemGroup]?
        let deleteSections: [SectionGroup]?
        let insertSections: [SectionGroup]?
        let insertItems: [ItemGroup]?
        let sectionMapping: [Int]?
        let reverseSectionMapping: [Int]?
        let itemMapping: [[Int]]?
        let reverseItemMapping: [[Int]]?
        let asks: [String]?
        let sections: [String]?
        let map: [[String]]?
        let applyError: String?
        let quirks: [String]?
    }

    struct ItemGroup: Decodable, Equatable {
        var paths: [[Int]]
        var anim: Int
    }

    struct SectionGroup: Decodable, Equatable {
        var indexes: [Int]
        var anim: Int
    }

    private enum CodingKeys: String, CodingKey {
        case id, oldCounts, newCounts, ops, result
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(Int.self, forKey: .id)
        oldShape = HierarchyShape(try container.decode([Int].self, forKey: .oldCounts))
        newShape = HierarchyShape(try container.decode([Int].self, forKey: .newCounts))
        steps = try container.decode([Step].self, forKey: .ops)
        result = try container.decode(Answer.self, forKey: .result)
    }

    /// The vectors of a file with one JSON object a line.
    static func read(from url: URL) throws -> [ChangeSetVector] {
        let decoder = JSONDecoder()
        return try Data(contentsOf: url).split(separator: UInt8(ascii: "\n")).map {
            try decoder.decode(ChangeSetVector.self, from: $0)
        }
    }
}

extension ChangeSetVector.Step: Decodable {
    private enum CodingKeys: String, CodingKey {
        case op, at, from, to, anim
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func read<Value: Decodable>(_ key: CodingKeys) throws -> Value {
            try container.decode(Value.self, forKey: key)
        }
        func paths() throws -> [ItemPath] { (try read(.at) as [[Int]]).map { path($0[0], $0[1]) } }
        func sections() throws -> SectionSet { SectionSet(try read(.at) as [Int]) }
        let animation = AnimationOption(
            rawValue: try container.decodeIfPresent(Int.self, forKey: .anim) ?? 0
        )
        let name: String = try read(.op)
        switch name {
        case "deleteItems": self = .operation(.deleteItems(try paths(), animation))
        case "insertItems": self = .operation(.insertItems(try paths(), animation))
        case "reloadItems": self = .operation(.reloadItems(try paths(), animation))
        case "moveItem":
            let ends: ([Int], [Int]) = (try read(.from), try read(.to))
            let (from, to) = (path(ends.0[0], ends.0[1]), path(ends.1[0], ends.1[1]))
            self = .operation(.moveItem(at: from, to: to, animation))
        case "deleteSections": self = .operation(.deleteSections(try sections(), animation))
        case "insertSections": self = .operation(.insertSections(try sections(), animation))
        case "reloadSections": self = .operation(.reloadSections(try sections(), animation))
        case "moveSection":
            let (from, to): (Int, Int) = (try read(.from), try read(.to))
            self = .operation(.moveSection(from, toSection: to, animation))
        case "reloadData": self = .operation(.reloadData(.none))
        default: self = .probe(try read(.op))
        }
    }
}
