import CollectionChanges
import Foundation
import TestSupport
import Testing

/// The forms for any coder: exactly the documented texts, and no others are read.
@Suite struct CodableTests {
    private func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    private func read<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
        try JSONDecoder().decode(type, from: Data(text.utf8))
    }

    /// Checks that a value is encoded as `expected` and decoded from it.
    private func check(_ value: some Codable & Equatable, _ expected: String) throws {
        let written = try text(value)
        let again = try read(type(of: value), expected)
        #expect(written == expected && again == value, "\(expected)")
    }

    // MARK: Documented texts

    @Test func smallValuesHaveTheirDocumentedTexts() throws {
        try check(path(0, -3), "[0,-3]")
        try check([AnimationOption.fade, AnimationOption(rawValue: -7)], "[2,-7]")
        try check([SupplementaryKind.header, .footer], #"["header","footer"]"#)
        try check([1, 2, 4] as SectionSet, "[[1,2],[4,4]]")
        #expect(try read(SectionSet.self, "[[4,6],[0,1],[2,2]]") == [0, 1, 2, 4, 5, 6])
        try check([[3, 0], []] as [HierarchyShape], "[[3,0],[]]")
        let digest = StateDigest(low: 0x0123_4567_89AB_CDEF, high: 0)
        try check([digest], #"["efcdab89674523010000000000000000"]"#)
    }

    private static let operations: [(HierarchyChangeSet.Operation, String)] = [
        (.deleteItems([path(0, 2), path(-1, 5)], .automatic), #"{"deleteItems":[[0,2],[-1,5]]}"#),
        (.insertItems([], .none), #"{"animation":0,"insertItems":[]}"#),
        (.reloadItems([path(1, 0)], .fade), #"{"animation":2,"reloadItems":[[1,0]]}"#),
        (.reconfigureItems([path(1, 0)], .automatic), #"{"reconfigureItems":[[1,0]]}"#),
        (.moveItem(at: path(0, 1), to: path(1, 0), .automatic), #"{"moveItem":[[0,1],[1,0]]}"#),
        (.deleteSections([1, 2, 4], .automatic), #"{"deleteSections":[[1,2],[4,4]]}"#),
        (.insertSections([], .automatic), #"{"insertSections":[]}"#),
        (.reloadSections([3], .fade), #"{"animation":2,"reloadSections":[[3,3]]}"#),
        (.reconfigureSections([3], .automatic), #"{"reconfigureSections":[[3,3]]}"#),
        (.moveSection(2, toSection: 0, .automatic), #"{"moveSection":[2,0]}"#),
        (
            .reloadSupplementaries(SupplementaryKind(rawValue: "badge"), in: [0, 1], .automatic),
            #"{"in":[[0,1]],"reloadSupplementaries":"badge"}"#
        ),
        (.reloadData(.automatic), #"{"reloadData":true}"#),
        (.reloadData(.fade), #"{"animation":2,"reloadData":true}"#),
    ]

    @Test func recordsHaveTheirDocumentedObjects() throws {
        for (operation, expected) in Self.operations { try check(operation, expected) }
        let all = Self.operations.map(\.1).joined(separator: ",")
        try check(
            HierarchyChangeSet(Self.operations.map(\.0)),
            #"{"operations":["# + all + #"],"version":1}"#
        )
    }

    // MARK: Invalid values

    /// Returns the text of the error, or `nil` if there is none.
    private func rejection<Value: Decodable>(of type: Value.Type, _ text: String) -> String? {
        do {
            _ = try read(type, text)
            return nil
        } catch DecodingError.dataCorrupted(let context) {
            return context.debugDescription
        } catch DecodingError.keyNotFound(let key, _) {
            return "no \(key.stringValue)"
        } catch is DecodingError {
            return ""
        } catch {
            return nil
        }
    }

    /// The type, the text, and a part of the error's text.
    private static let unreadable = #"""
        path [0] ~
        path [0,1,2] ~ more than two numbers
        sections [1] ~
        sections [[]] ~ [first, last], but is []
        sections [[0,0],[2,1]] ~ [first, last], but is [2, 1]
        sections [[1,2,3,4],[9,9]] ~ [first, last], but is [1, 2, 3]
        digest "ef" ~ 32 hexadecimal digits, but is ef
        record {"version":0,"operations":[]} ~ must be 1, but is 0
        record {"version":2,"operations":[]} ~ must be 1, but is 2
        record {"operations":[]} ~ no version
        record {"version":1} ~ no operations
        operation {} ~ exactly one name, but has 0
        operation {"animation":1} ~ but has 0
        operation {"in":[[0,0]]} ~ but has 0
        operation {"removeItems":[]} ~ but has 0
        operation {"deleteItems":[],"reloadData":true} ~ but has 2
        operation {"deleteSections":[],"insertSections":[],"reloadSections":[]} ~ but has 3
        operation {"reloadSupplementaries":"badge"} ~ no in
        operation {"deleteItems":[[0]]} ~
        operation {"deleteSections":[1]} ~
        operation {"moveSection":[]} ~ but has 0
        operation {"moveSection":[1,2,3]} ~ but has 3
        operation {"moveItem":[[0,1]]} ~ but has 1
        """#

    @Test func unreadableValuesAreRejectedWithTheReason() {
        let types: [String: any Decodable.Type] = [
            "path": ItemPath.self, "sections": SectionSet.self,
            "digest": StateDigest.self, "record": HierarchyChangeSet.self,
            "operation": HierarchyChangeSet.Operation.self,
        ]
        for line in Self.unreadable.split(separator: "\n") {
            let sides = line.components(separatedBy: " ~")
            let (name, text) = sides[0].split(at: " ")
            let error = types[name].flatMap { rejection(of: $0, text) }
            let reason = sides[1].dropFirst()
            #expect(error.map { reason.isEmpty || $0.contains(reason) } == true, "\(line)")
        }
        // The error quotes only the start of a long text.
        let digest = String(repeating: "a", count: 50)
        let message = rejection(of: StateDigest.self, "\"\(digest)\"")
        #expect(message?.hasSuffix("but is " + digest.prefix(40)) == true)
    }
}

extension String {
    /// Returns the parts before and after the first separator.
    fileprivate func split(at separator: Character) -> (String, String) {
        let parts = split(separator: separator, maxSplits: 1)
        return (String(parts[0]), String(parts[1]))
    }
}
