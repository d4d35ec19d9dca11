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
        try check(
            [EditRole.delete, .insert, .reload, .move],
            #"["delete","insert","reload","move"]"#
        )
        try check([SupplementaryKind.header, .footer], #"["header","footer"]"#)
        try check([1, 2, 4] as SectionSet, "[[1,2],[4,4]]")
        #expect(try read(SectionSet.self, "[[4,6],[0,1],[2,2]]") == [0, 1, 2, 4, 5, 6])
        try check([[3, 0], []] as [HierarchyShape], "[[3,0],[]]")
        let digest = StateDigest(low: 0x0123_4567_89AB_CDEF, high: 0)
        try check([digest], #"["efcdab89674523010000000000000000"]"#)
        try check(
            [
                ItemReconfiguration(
                    oldPath: path(0, 1),
                    newPath: path(0, 2),
                    animation: .automatic
                ),
                ItemReconfiguration(oldPath: path(1, 0), newPath: path(2, 0), animation: .fade),
            ],
            #"[{"from":[0,1],"to":[0,2]},{"animation":2,"from":[1,0],"to":[2,0]}]"#
        )
        try check(
            [
                SupplementaryReload(kind: .header, newSection: 1, animation: .automatic),
                SupplementaryReload(kind: .footer, newSection: 0, animation: .none),
            ],
            #"[{"kind":"header","section":1},{"animation":0,"kind":"footer","section":0}]"#
        )
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

    private static let documentedEdits: [(String, String)] = [
        ("-0.2d", #"{"removeItem":[0,2]}"#), ("-3d", #"{"removeSection":3}"#),
        ("+3i", #"{"insertSection":3}"#), ("+0.2i", #"{"insertItem":[0,2]}"#),
        ("+3i*1", #"{"fresh":1,"insertSection":3}"#),
        ("-3m0", #"{"removeSection":3,"role":"move","with":0}"#),
        ("-0.2r0.1", #"{"removeItem":[0,2],"role":"reload","with":[0,1]}"#),
        ("+0.2d", #"{"insertItem":[0,2],"role":"delete"}"#),
        ("-0.2i/2", #"{"animation":2,"removeItem":[0,2],"role":"insert"}"#),
    ]

    @Test func recordsAndEditsHaveTheirDocumentedObjects() throws {
        for (operation, expected) in Self.operations { try check(operation, expected) }
        for (text, expected) in Self.documentedEdits { try check(edits(text)[0], expected) }
        let all = Self.operations.map(\.1).joined(separator: ",")
        try check(
            HierarchyChangeSet(Self.operations.map(\.0)),
            #"{"operations":["# + all + #"],"version":1}"#
        )
    }

    private static let updates: [(String, old: HierarchyShape, new: HierarchyShape, String)] = [
        ("", [1], [1], #"{"empty":true,"from":[1],"to":[1],"version":1}"#),
        ("D I R C DS IS RS CS H", [1], [1], #"{"from":[1],"to":[1],"version":1}"#),
        ("X", [3], [1], #"{"from":[3],"reloadData":1,"to":[1],"version":1}"#),
        (
            "C0.0", [1], [1],
            #"{"from":[1],"reconfigured":[{"from":[0,0],"to":[0,0]}],"to":[1],"version":1}"#
        ),
        (
            "F0+1 H0/2", [1, 0], [1, 0],
            #"{"from":[1,0],"supplementaries":[{"kind":"footer","section":0},"#
                + #"{"animation":2,"kind":"header","section":0},"#
                + #"{"kind":"footer","section":1}],"to":[1,0],"version":1}"#
        ),
        (
            "D0.2 IS1 M1.0>1.1/2 C0.0 H0", [3, 2], [2, 6, 1],
            #"{"edits":[{"animation":2,"removeItem":[1,0],"role":"move","with":[1,1]},"#
                + #"{"removeItem":[0,2]},{"fresh":5,"insertSection":1},"#
                + #"{"animation":2,"insertItem":[1,1],"role":"move","with":[1,0]}],"#
                + #""from":[3,2],"reconfigured":[{"from":[0,0],"to":[0,0]}],"#
                + #""supplementaries":[{"kind":"header","section":0}],"to":[2,6,1],"version":1}"#
        ),
    ]

    @Test func updatesHaveTheirDocumentedObjects() throws {
        for (recorded, old, new, expected) in Self.updates {
            let update = try record(recorded).validated(from: old, to: new)
            #expect(try text(update) == expected)
            let again = try read(ValidatedChangeSet.self, expected)
            #expect(ObservedUpdate(again) == ObservedUpdate(update), "\(expected)")
        }
    }

    // MARK: Invalid values

    /// Returns the verdict of validation, if there is one, and the text of the error.
    private func rejection<Value: Decodable>(
        of type: Value.Type,
        _ text: String
    ) -> (verdict: HierarchyUpdateError?, text: String)? {
        do {
            _ = try read(type, text)
            return nil
        } catch DecodingError.dataCorrupted(let context) {
            return (context.underlyingError as? HierarchyUpdateError, context.debugDescription)
        } catch DecodingError.keyNotFound(let key, _) {
            return (nil, "no \(key.stringValue)")
        } catch is DecodingError {
            return (nil, "")
        } catch {
            return nil
        }
    }

    /// The type, the text, and a part of the error's text.
    private static let unreadable = #"""
        path [0] ~
        path [0,1,2] ~ more than two numbers
        role "Move" ~ delete, insert, reload or move, but is Move
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
        edit {} ~ but has 0
        edit {"role":"move"} ~ but has 0
        edit {"removeItem":[0,2],"insertItem":[0,2]} ~ but has 2
        edit {"removeSection":0,"insertSection":0} ~ but has 2
        edit {"removeItem":0} ~
        edit {"removeSection":[0,2]} ~
        edit {"removeItem":[0,2],"role":"other"} ~ but is other
        update {"from":[],"to":[]} ~ no version
        update {"version":2,"from":[],"to":[]} ~ must be 1, but is 2
        """#

    @Test func unreadableValuesAreRejectedWithTheReason() {
        let types: [String: any Decodable.Type] = [
            "path": ItemPath.self, "role": EditRole.self, "sections": SectionSet.self,
            "digest": StateDigest.self, "record": HierarchyChangeSet.self,
            "operation": HierarchyChangeSet.Operation.self, "edit": HierarchyEdit.self,
            "update": ValidatedChangeSet.self,
        ]
        for line in Self.unreadable.split(separator: "\n") {
            let sides = line.components(separatedBy: " ~")
            let (name, text) = sides[0].split(at: " ")
            let error = types[name].flatMap { rejection(of: $0, text) }
            let reason = sides[1].dropFirst()
            #expect(error.map { reason.isEmpty || $0.text.contains(reason) } == true, "\(line)")
        }
        // The error quotes only the start of a long text.
        let digest = String(repeating: "a", count: 50)
        let message = rejection(of: StateDigest.self, "\"\(digest)\"")?.text
        #expect(message?.hasSuffix("but is " + digest.prefix(40)) == true)
    }

    /// The verdict, or `none` if a full reload or an empty update lists edits; then the text after
    /// the version and the old shape.
    private static let invalid = #"""
        itemCount "to":[2,1],"edits":[{"removeItem":[0,0]}]
        editUnlinked "to":[1,1],"edits":[{"removeItem":[0,0],"role":"insert"}]
        itemCount "to":[1,1],"empty":true
        negativeItemCount "to":[-1,1]
        tooManyItems "to":[9223372036854775807,1]
        editMismatch "to":[2,1],"reconfigured":[{"from":[0,0],"to":[0,1]}]
        editMismatch "to":[2,1],"reconfigured":[{"from":[0,1],"to":[0,1]},{"from":[0,0],"to":[0,0]}]
        editMismatch "to":[2,1],"reconfigured":[{"from":[0,0],"to":[0,0]},{"from":[0,0],"to":[0,0]}]
        editMismatch "to":[2,1],"supplementaries":[{"kind":"b","section":0},{"kind":"a","section":0}]
        editMismatch "to":[2,1],"supplementaries":[{"kind":"a","section":1},{"kind":"a","section":0}]
        editMismatch "to":[2,1],"supplementaries":[{"kind":"a","section":0},{"kind":"a","section":0}]
        supplementarySectionRange "to":[2,1],"supplementaries":[{"kind":"a","section":2}]
        none "to":[1,1],"reloadData":1,"edits":[{"removeItem":[0,0]}]
        none "to":[2,1],"empty":true,"reconfigured":[{"from":[0,0],"to":[0,0]}]
        none "to":[2,1],"empty":true,"supplementaries":[{"kind":"a","section":0}]
        """#

    @Test func updatesThatValidationRejectsAreNotReadAndReportItsVerdict() {
        for line in Self.invalid.split(separator: "\n") {
            let (code, rest) = String(line).split(at: " ")
            let text = #"{"version":1,"from":[2,1],\#(rest)}"#
            let error = rejection(of: ValidatedChangeSet.self, text)
            #expect((error?.verdict?.code.rawValue ?? "none") == code, "\(line): \(error as Any)")
            #expect(error != nil && error?.verdict?.operationIndex == nil, "\(line)")
        }
        // The path is that of the list entry, at any position.
        let beyond = #"{"from":[0,7],"to":[0,7]}"#
        for list in [beyond, #"{"from":[0,0],"to":[0,0]},"# + beyond] {
            let text = #"{"version":1,"from":[2],"to":[2],"reconfigured":[\#(list)]}"#
            let verdict = rejection(of: ValidatedChangeSet.self, text)?.verdict
            #expect(verdict?.path == path(0, 7) && verdict?.operationIndex == nil, "\(list)")
        }
    }
}

extension String {
    /// Returns the parts before and after the first separator.
    fileprivate func split(at separator: Character) -> (String, String) {
        let parts = split(separator: separator, maxSplits: 1)
        return (String(parts[0]), String(parts[1]))
    }
}
