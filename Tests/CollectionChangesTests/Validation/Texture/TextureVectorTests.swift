import CollectionChanges
import Foundation
import TestSupport
import Testing

/// Compares the `texture` profile with the results of the original, vector by vector.
@Suite struct TextureVectorTests {
    /// Compares every vector of a file and counts the differences by name.
    private func check(_ file: URL, count: Int, _ expected: [NamedDifference: Int]) throws {
        let comparisons = try ChangeSetVector.read(from: file).map { VectorComparison($0) }
        #expect(comparisons.count == count)
        let faults = comparisons.flatMap(\.faults)
        #expect(faults.isEmpty, "\(faults.count), first \(faults.prefix(20))")
        let differences = comparisons.flatMap { Array($0.differences) }
        #expect(Dictionary(differences.map { ($0, 1) }, uniquingKeysWith: +) == expected)
    }

    @Test func everySampledVectorIsReproducedOrNamed() throws {
        let url = try #require(
            Bundle.module.url(
                forResource: "changeset-vectors-sample",
                withExtension: "jsonl",
                subdirectory: "Vectors"
            )
        )
        try check(
            url,
            count: 1511,
            [
                .modifyCompleted: 15, .readIncomplete: 14, .mappingBeforeComplete: 14,
                .completeTwice: 14, .completedByProbe: 1, .duplicatesAppliedOnce: 40,
                .reloadedRows: 170, .reloadDataEdits: 28,
            ]
        )
    }

    @Test(
        .enabled("runs only with full effort and the file of all vectors") {
            Effort.isFull && fullFile != nil
        }
    )
    func everyVectorIsReproducedOrNamed() throws {
        try check(
            try #require(Self.fullFile),
            count: 6000,
            [
                .modifyCompleted: 55, .readIncomplete: 55, .mappingBeforeComplete: 55,
                .completeTwice: 55, .completedByProbe: 1, .duplicatesAppliedOnce: 150,
                .reloadedRows: 657, .reloadDataEdits: 110,
            ]
        )
    }

    /// The file of all vectors: named by the environment, otherwise in the shared folder next to
    /// the package.
    private static var fullFile: URL? {
        if let path = ProcessInfo.processInfo.environment["CHANGESET_VECTORS"] {
            return URL(fileURLWithPath: path)
        }
        // Six folders up: the test's own folders and the package.
        let url = (0..<6).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
            url.deletingLastPathComponent()
        }
        .appendingPathComponent("shared/vectors/changeset-vectors.jsonl")
        return FileManager.default.fileExists(atPath: url.path) ? url : nil
    }
}

// The format of the vectors, decoded into values of this package.

/// A change set with the result of Texture's own code.
struct ChangeSetVector: Decodable {
    let id: Int
    let oldShape: HierarchyShape
    let newShape: HierarchyShape
    let steps: [Step]
    let result: TextureResult

    /// A call on the original's change set, in order.
    enum Step {
        case operation(HierarchyChangeSet.Operation)
        case probe(Probe)
    }

    /// A call during recording that the original rejects with an assertion.
    enum Probe: String, Decodable {
        case complete, readChanges, readMapping
    }

    /// The fields of a result; an invalid vector has only those of the first group.
    struct TextureResult: Decodable {
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
        result = try container.decode(TextureResult.self, forKey: .result)
    }

    /// Reads the vectors of a file with one JSON object per line.
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
