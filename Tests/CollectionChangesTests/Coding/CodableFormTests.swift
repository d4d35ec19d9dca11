import CollectionChanges
import Foundation
import Testing

/// Each value in the form that any coder writes: exactly the documented text, and nothing else is read.
@Suite struct CodableFormTests {
    private func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    private func read<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
        try JSONDecoder().decode(type, from: Data(text.utf8))
    }

    private func expectRefusal<Value: Decodable>(of type: Value.Type, _ texts: [String]) {
        for text in texts {
            #expect(throws: DecodingError.self, "\(text)") { try read(type, text) }
        }
    }

    // MARK: Records

    private static let badge = SupplementaryKind(rawValue: "badge")

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
            .reloadSupplementaries(badge, in: [0, 1], .automatic),
            #"{"in":[[0,1]],"reloadSupplementaries":"badge"}"#
        ),
        (.reloadData(.automatic), #"{"reloadData":true}"#),
        (.reloadData(.fade), #"{"animation":2,"reloadData":true}"#),
    ]

    @Test func everyOperationIsTheDocumentedObject() throws {
        for (operation, expected) in Self.operations {
            #expect(try text(operation) == expected)
            #expect(try read(HierarchyChangeSet.Operation.self, expected) == operation)
        }
    }

    @Test func anObjectOfNoOperationOrOfSeveralIsNotRead() {
        expectRefusal(
            of: HierarchyChangeSet.Operation.self,
            [
                "{}", #"{"animation":1}"#, #"{"in":[[0,0]]}"#, #"{"removeItems":[]}"#,
                #"{"deleteItems":[],"insertItems":[]}"#, #"{"reloadData":true,"deleteItems":[]}"#,
                #"{"deleteSections":[],"insertSections":[],"reloadSections":[]}"#,
                #"{"reloadSupplementaries":"badge"}"#, #"{"deleteItems":[[0]]}"#,
                #"{"deleteItems":[[0,1,2]]}"#, #"{"deleteSections":[1]}"#,
            ]
        )
    }

    @Test func aMoveHasExactlyTwoPlaces() {
        for places in 0...4 where places != 2 {
            let sections = (0..<places).map { "\($0)" }.joined(separator: ",")
            let paths = (0..<places).map { "[0,\($0)]" }.joined(separator: ",")
            for text in [#"{"moveSection":[\#(sections)]}"#, #"{"moveItem":[\#(paths)]}"#] {
                let error = #expect(throws: DecodingError.self) {
                    try read(HierarchyChangeSet.Operation.self, text)
                }
                guard case .dataCorrupted(let context)? = error else {
                    Issue.record("\(text): \(error as Any)")
                    continue
                }
                #expect(context.debugDescription.hasSuffix("but has \(places)"), "\(text)")
            }
        }
    }

    @Test func aRecordOfAnotherVersionOrOfNoneIsNotRead() throws {
        #expect(try read(HierarchyChangeSet.self, #"{"version":1,"operations":[]}"#).isEmpty)
        expectRefusal(
            of: HierarchyChangeSet.self,
            [
                #"{"version":0,"operations":[]}"#, #"{"version":2,"operations":[]}"#,
                #"{"version":"1","operations":[]}"#, #"{"operations":[]}"#, #"{"version":1}"#,
            ]
        )
    }

    // MARK: Sections

    @Test func aRunOfSectionsIsTwoNumbersInOrder() throws {
        #expect(try read(SectionSet.self, "[[4,6],[0,1],[2,2]]") == [0, 1, 2, 4, 5, 6])
        let cases = [
            ("[]", "[]"), ("[1]", "[1]"), ("[1,2,3]", "[1, 2, 3]"), ("[2,1]", "[2, 1]"),
            ("[1,2,3,4,5]", "[1, 2, 3]"),
        ]
        for (run, told) in cases {
            for text in ["[\(run)]", "[[0,0],\(run)]", "[\(run),[9,9]]"] {
                let error = #expect(throws: DecodingError.self) { try read(SectionSet.self, text) }
                guard case .dataCorrupted(let context)? = error else {
                    Issue.record("\(text): \(error as Any)")
                    continue
                }
                #expect(context.debugDescription == "a run must be [first, last], but is \(told)")
            }
        }
    }

    // MARK: Edits

    private static let edits: [(HierarchyEdit, String)] = [
        (.removeItem(ItemEdit(path: path(0, 2), role: .delete)), #"{"removeItem":[0,2]}"#),
        (.removeSection(SectionEdit(section: 3, role: .delete)), #"{"removeSection":3}"#),
        (.insertSection(SectionEdit(section: 3, role: .insert)), #"{"insertSection":3}"#),
        (.insertItem(ItemEdit(path: path(0, 2), role: .insert)), #"{"insertItem":[0,2]}"#),
        (
            .insertSection(SectionEdit(section: 3, role: .insert, freshItemCount: 1)),
            #"{"fresh":1,"insertSection":3}"#
        ),
        (
            .removeSection(SectionEdit(section: 3, role: .move, associatedWith: 0)),
            #"{"removeSection":3,"role":"move","with":0}"#
        ),
        (
            .removeItem(ItemEdit(path: path(0, 2), role: .reload, associatedWith: path(0, 1))),
            #"{"removeItem":[0,2],"role":"reload","with":[0,1]}"#
        ),
        (
            .insertItem(ItemEdit(path: path(0, 2), role: .delete)),
            #"{"insertItem":[0,2],"role":"delete"}"#
        ),
        (
            .removeItem(ItemEdit(path: path(0, 2), role: .insert)),
            #"{"removeItem":[0,2],"role":"insert"}"#
        ),
    ]

    @Test func everyEditIsTheDocumentedObjectWithoutWhatIsUsual() throws {
        for (edit, expected) in Self.edits {
            #expect(try text(edit) == expected)
            #expect(try read(HierarchyEdit.self, expected) == edit)
        }
        expectRefusal(
            of: HierarchyEdit.self,
            [
                "{}", #"{"role":"move"}"#, #"{"removeItem":[0,2],"insertItem":[0,2]}"#,
                #"{"removeSection":0,"insertSection":0}"#, #"{"removeItem":[0,2],"role":"Move"}"#,
                #"{"removeItem":0}"#, #"{"removeSection":[0,2]}"#,
            ]
        )
    }

    // MARK: Updates

    @Test func listsThatAreEmptyAreLeftOut() throws {
        let cases: [(HierarchyChangeSet.Operation?, HierarchyShape, String)] = [
            (nil, [1], #"{"empty":true,"from":[1],"to":[1],"version":1}"#),
            (.deleteItems([], .automatic), [1], #"{"from":[1],"to":[1],"version":1}"#),
            (
                .deleteItems([path(0, 0)], .automatic), [0],
                #"{"edits":[{"removeItem":[0,0]}],"from":[1],"to":[0],"version":1}"#
            ),
            (
                .reconfigureItems([path(0, 0)], .automatic), [1],
                #"{"from":[1],"reconfigured":[{"from":[0,0],"to":[0,0]}],"to":[1],"version":1}"#
            ),
            (
                .reloadSupplementaries(SupplementaryKind(rawValue: "a"), in: [0], .automatic), [1],
                #"{"from":[1],"supplementaries":[{"kind":"a","section":0}],"to":[1],"version":1}"#
            ),
        ]
        for (operation, shape, expected) in cases {
            let changes = HierarchyChangeSet(operation.map { [$0] } ?? [])
            let update = try changes.validated(from: [1], to: shape)
            #expect(try text(update) == expected)
            let again = try read(ValidatedChangeSet.self, expected)
            #expect(ObservedUpdate(again) == ObservedUpdate(update), "\(expected)")
        }
    }

    @Test func whatIsUpdatedInPlaceIsListedAscendingAndOnce() throws {
        func update(_ key: String, _ list: String) -> String {
            #"{"version":1,"from":[2,1],"to":[2,1],"\#(key)":[\#(list)]}"#
        }
        func reload(_ kind: String, _ section: Int) -> String {
            #"{"kind":"\#(kind)","section":\#(section)}"#
        }
        func item(_ number: Int) -> String {
            #"{"from":[0,\#(number)],"to":[0,\#(number)]}"#
        }
        let (a, b, next) = (reload("a", 0), reload("b", 0), reload("a", 1))
        let all = update("supplementaries", "\(a),\(b),\(next)")
        #expect(try read(ValidatedChangeSet.self, all).supplementaryReloads.count == 3)
        let both = update("reconfigured", "\(item(0)),\(item(1))")
        #expect(try read(ValidatedChangeSet.self, both).reconfigurations.count == 2)
        expectRefusal(
            of: ValidatedChangeSet.self,
            ["\(b),\(a)", "\(next),\(a)", "\(a),\(a)", "\(a),\(next),\(b)"]
                .map { update("supplementaries", $0) }
                + ["\(item(1)),\(item(0))", "\(item(0)),\(item(0))"]
                .map { update("reconfigured", $0) }
        )
    }

    @Test func aVerdictNamesNoOperationWhereNoneWasRecorded() throws {
        let reconfigured = #"{"from":[0,7],"to":[0,7]}"#
        for list in [reconfigured, #"{"from":[0,0],"to":[0,0]},"# + reconfigured] {
            let error = #expect(throws: DecodingError.self) {
                let text = #"{"version":1,"from":[2],"to":[2],"reconfigured":[\#(list)]}"#
                return try read(ValidatedChangeSet.self, text)
            }
            guard case .dataCorrupted(let context)? = error,
                let verdict = context.underlyingError as? HierarchyUpdateError
            else {
                Issue.record("\(list): \(error as Any)")
                continue
            }
            #expect(verdict.path == path(0, 7))
            #expect(verdict.operationIndex == nil, "\(list)")
        }
    }
}
