import CollectionPipeline
import CollectionTables
import PipelineTesting

/// A row whose values coincide often, so that orders have ties and groups have several rows.
package struct TestRow: Identifiable, Equatable, Sendable {
    package let id: Int
    package var size: Int
    package var kind: Int

    /// The kind for which closures throw.
    package static let bad = 9

    package init(id: Int, size: Int, kind: Int) {
        (self.id, self.size, self.kind) = (id, size, kind)
    }

    /// Returns the row, or throws if it is bad.
    var checked: TestRow {
        get throws { if kind == Self.bad { throw Refusal() } else { self } }
    }

    /// Returns the row, or throws if it is bad; one value of a parameter allows bad rows, so a
    /// change of the parameter can repair a list that has missed edits.
    func checked(_ parameter: Int) throws -> TestRow { try parameter == 2 ? self : checked }
}

/// The error that closures of tests throw.
package struct Refusal: Error, Equatable {
    package init() {}
}

/// A row of the table that rows are joined with.
package struct TestKind: Identifiable, Equatable, Sendable {
    package let id: Int
    package var name: Int

    package init(id: Int, name: Int) { (self.id, self.name) = (id, name) }
}

/// A section of a list as the model computes it.
package struct ModelSection<Key: Hashable & Sendable, Header: Equatable & Sendable> {
    package var header: Header
    package var isDeclared: Bool
    package var rows: [ModelRow<Key>]
}

/// A row with its place in the order that lists have without sections.
package struct ModelRow<Key: Hashable & Sendable> {
    package var key: Key
    package var row: TestRow
    package var place: [Int]
}

/// A function that computes a list from the whole current tables.
package typealias Model<Key: Hashable & Sendable, Header: Equatable & Sendable> =
    @Sendable (_ tables: ModelTables) throws -> [ModelSection<Key, Header>]

/// The current tables, and the parameters of operators, as plain values.
package struct ModelTables: Sendable {
    package var rows: [TestRow] = []
    package var kinds: [TestKind] = []
    package var parameters = TestParameters(0)

    package init() {}
}

/// A value for each operator with a parameter.
package struct TestParameters<Value: Sendable>: Sendable {
    package var filter: Value
    package var order: Value
    package var group: Value

    package init(_ value: Value) { (filter, order, group) = (value, value, value) }
}

/// The operators that tests chain.
package enum TestOperator: String, CaseIterable, Sendable {
    case map, filter, filterByParameter, sorted, sortedByParameter, sectioned, sectionedInOrder
    case sectionedWithDeclared, sectionedByParameter, window, anchoredWindow, concatenated, flatMap
    case joined, aggregated
}

/// A body that receives a list and its model, whatever their types are.
package protocol ListVisitor {
    func visit<Key, Header>(
        _ list: DerivedList<Key, TestRow, Header>,
        _ model: @escaping Model<Key, Header>
    )
}

/// The tables and parameters of a test.
package final class TestStore: Sendable {
    package let store: LiveStore
    package let rows: LiveTable<TestRow>
    package let kinds: LiveTable<TestKind>
    package let parameters: TestParameters<LiveParameter<Int>>
    /// The windows of all visited lists, in order.
    package let windows = Lock<[MovesWindow]>([])

    /// Moves a window to rows of the current list, which a seed determines. Returns the same change
    /// of the model, for the time when the store has moved the window.
    package typealias MovesWindow = @Sendable (UInt64) -> @Sendable () -> Void

    /// Creates empty tables, and one parameter for all operators or one for each kind.
    package init(lane: any Lane, sharesParameter: Bool = true) {
        store = LiveStore(lane: lane)
        rows = LiveTable(of: TestRow.self, in: store)
        kinds = LiveTable(of: TestKind.self, in: store)
        var parameters = TestParameters(LiveParameter(0, in: store))
        if !sharesParameter {
            parameters.order = LiveParameter(0, in: store)
            parameters.group = LiveParameter(0, in: store)
        }
        self.parameters = parameters
    }

    /// Passes the list of a chain of operators to a visitor.
    package func visit(_ operators: [TestOperator], _ visitor: some ListVisitor) {
        visit(operators, of: rows.rows, visitor)
    }

    /// Passes the list of a chain of operators on a list of all rows to a visitor.
    package func visit(
        _ operators: [TestOperator],
        of list: DerivedList<Int, TestRow, WholeList>,
        _ visitor: some ListVisitor
    ) {
        extend(
            list,
            { tables in
                [
                    ModelSection(
                        header: WholeList(),
                        isDeclared: true,
                        rows: tables.rows.enumerated().map {
                            ModelRow(key: $1.id, row: $1, place: [$0])
                        }
                    )
                ]
            },
            operators[...],
            visitor
        )
    }

    /// Passes the list of a chain of operators on a list that has a model to a visitor.
    package func extend<Key, Header: Equatable & Sendable>(
        _ list: DerivedList<Key, TestRow, Header>,
        _ model: @escaping Model<Key, Header>,
        _ operators: ArraySlice<TestOperator>,
        _ visitor: some ListVisitor
    ) {
        guard let next = operators.first else { return visitor.visit(list, model) }
        let rest = operators.dropFirst()
        switch next {
        case .map:
            @Sendable func transform(_ row: TestRow) throws -> TestRow {
                let row = try row.checked
                return TestRow(id: row.id, size: (row.size + 1) % 3, kind: row.kind)
            }
            extend(
                list.map(transform),
                { tables in
                    try model(tables).mapRows { [($0, try transform($1))] }
                },
                rest,
                visitor
            )
        case .filter:
            extend(
                list.filter { try $0.checked.size != 1 },
                { tables in
                    try model(tables).mapRows { try $1.checked.size != 1 ? [($0, $1)] : [] }
                        .withoutEmpty()
                },
                rest,
                visitor
            )
        case .filterByParameter:
            extend(
                list.filter(parameters.filter) { try $0.checked($1).size != $1 },
                { tables in
                    try model(tables).mapRows {
                        let parameter = tables.parameters.filter
                        return try $1.checked(parameter).size != parameter ? [($0, $1)] : []
                    }
                    .withoutEmpty()
                },
                rest,
                visitor
            )
        case .sorted:
            extend(
                list.sorted(on: \.size, descending: true),
                { tables in
                    try model(tables).sortRows { -$0.size }
                },
                rest,
                visitor
            )
        case .sortedByParameter:
            @Sendable func isOrdered(_ a: TestRow, _ b: TestRow, _ value: Int) -> Bool {
                (a.size + value) % 3 < (b.size + value) % 3
            }
            extend(
                list.sorted(parameters.order, by: isOrdered),
                { tables in
                    try model(tables).sortRows { ($0.size + tables.parameters.order) % 3 }
                },
                rest,
                visitor
            )
        default: extendSections(list, model, next, rest, visitor)
        }
    }

    private func extendSections<Key, Header: Equatable & Sendable>(
        _ list: DerivedList<Key, TestRow, Header>,
        _ model: @escaping Model<Key, Header>,
        _ next: TestOperator,
        _ rest: ArraySlice<TestOperator>,
        _ visitor: some ListVisitor
    ) {
        switch next {
        case .sectioned:
            extend(
                list.sectioned { try $0.checked.kind },
                { tables in
                    try model(tables).grouped { try $0.checked.kind }
                },
                rest,
                visitor
            )
        case .sectionedInOrder:
            extend(
                list.sectioned(by: \.size, order: .descending),
                { tables in
                    try model(tables).grouped { $0.size }.sorted { $0.header > $1.header }
                },
                rest,
                visitor
            )
        case .sectionedWithDeclared:
            extend(
                list.sectioned(by: \.kind, order: .declared([2, 0])),
                { tables in
                    let groups = try model(tables).grouped { $0.kind }
                    let declared = [2, 0].map { kind in
                        ModelSection(
                            header: kind,
                            isDeclared: true,
                            rows: groups.first { $0.header == kind }?.rows ?? []
                        )
                    }
                    return declared + groups.filter { ![2, 0].contains($0.header) }
                },
                rest,
                visitor
            )
        case .sectionedByParameter:
            extend(
                list.sectioned(parameters.group) { (try $0.checked($1).size + $1 * $0.kind) % 3 },
                { tables in
                    try model(tables).grouped {
                        let parameter = tables.parameters.group
                        return (try $0.checked(parameter).size + parameter * $0.kind) % 3
                    }
                },
                rest,
                visitor
            )
        case .aggregated:
            extend(
                list.aggregated { Sum(try $0.checked.size) },
                { tables in
                    try model(tables).map { section in
                        ModelSection(
                            header: AggregatedHeader(
                                header: section.header,
                                value: Sum(
                                    try section.rows.reduce(0) { $0 + (try $1.row.checked.size) }
                                )
                            ),
                            isDeclared: section.isDeclared,
                            rows: section.rows
                        )
                    }
                },
                rest,
                visitor
            )
        default: extendKeys(list, model, next, rest, visitor)
        }
    }

    private func extendKeys<Key, Header: Equatable & Sendable>(
        _ list: DerivedList<Key, TestRow, Header>,
        _ model: @escaping Model<Key, Header>,
        _ next: TestOperator,
        _ rest: ArraySlice<TestOperator>,
        _ visitor: some ListVisitor
    ) {
        switch next {
        case .concatenated:
            // The second list depends on the same table, so paths rejoin.
            let other = list.filter { $0.kind == 1 }
            extend(
                list.concatenated(with: other),
                { tables in
                    let sections = try model(tables)
                    let filtered = sections.mapRows { $1.kind == 1 ? [($0, $1)] : [] }
                        .withoutEmpty()
                    return [sections, filtered].enumerated().flatMap { list, sections in
                        sections.mapRows { [(NestedKey(outer: list, inner: $0), $1)] }
                            .prefixPlaces(list)
                    }
                },
                rest,
                visitor
            )
        case .flatMap:
            @Sendable func expand(_ row: TestRow) throws -> [(key: Int, row: TestRow)] {
                (0..<(try row.checked.size)).map {
                    ($0, TestRow(id: row.id, size: row.size - $0, kind: row.kind))
                }
            }
            extend(
                list.flatMap(expand),
                { tables in
                    try model(tables).mapRows { key, row in
                        try expand(row).map { (NestedKey(outer: key, inner: $0.key), $0.row) }
                    }.withoutEmpty()
                },
                rest,
                visitor
            )
        case .joined:
            @Sendable func merge(_ row: TestRow, _ kind: TestKind?) -> TestRow {
                TestRow(id: row.id, size: kind?.name ?? row.size, kind: row.kind)
            }
            let joined = list.joined(with: kinds) { try $0.checked.kind == 2 ? nil : $0.kind }
            extend(
                joined.map { merge($0.row, $0.other) },
                { tables in
                    try model(tables).mapRows { key, row in
                        let kind =
                            try row.checked.kind == 2
                            ? nil : tables.kinds.first { $0.id == row.kind }
                        return [(key, merge(row, kind))]
                    }
                },
                rest,
                visitor
            )
        case .window: window(list, model, .rows(1..<3), rest, visitor)
        case .anchoredWindow:
            // The anchor is a row in the middle of the list, if there is one.
            let keys = list.state.keys.joined()
            let rows = keys.dropFirst(keys.count / 2).first.map {
                WindowModel.Rows.around($0, before: 1, after: 1)
            }
            window(list, model, rows ?? .rows(1..<3), rest, visitor)
        default: fatalError("\(next) has no case")
        }
    }

    private func window<Key, Header>(
        _ list: DerivedList<Key, TestRow, Header>,
        _ model: @escaping Model<Key, Header>,
        _ rows: WindowModel<Key>.Rows,
        _ rest: ArraySlice<TestOperator>,
        _ visitor: some ListVisitor
    ) {
        let window = LiveParameter(rows.window, in: store)
        let shown = WindowModel(rows)
        windows.withLock { windows in
            windows.append { seed in
                var random = SeededGenerator(seed: seed)
                let rows = WindowModel.Rows(&random, of: Array(list.state.keys.joined()))
                window.set(rows.window)
                return { shown.move(to: rows) }
            }
        }
        extend(
            list.window(window),
            { tables in
                _ = window
                return shown.part(of: try model(tables))
            },
            rest,
            visitor
        )
    }
}

/// A window as the model computes it. It is evaluated at least once for each version.
// Unchecked: confined to the test's thread.
private final class WindowModel<Key: Hashable & Sendable>: @unchecked Sendable {
    enum Rows: Sendable {
        case rows(Range<Int>)
        case around(Key, before: Int, after: Int)

        /// Draws rows, or the surroundings of one of the keys.
        init(_ random: inout SeededGenerator, of keys: [Key]) {
            let (first, count) = (random.next(below: 7) - 1, random.next(below: 5))
            let key = keys.randomElement(using: &random)
            if let key, random.isTrue(oneIn: 2) {
                self = .around(key, before: first % 3, after: count % 3)
            } else {
                self = .rows(first..<(first + count))
            }
        }

        var window: ListWindow<Key> {
            switch self {
            case .rows(let rows): .rows(rows)
            case .around(let key, let before, let after):
                .around(key, before: before, after: after)
            }
        }
    }

    private var rows: Rows
    private var anchor: Key?
    private var index = 0
    private var shown: [Key] = []

    init(_ rows: Rows) { self.rows = rows }

    func move(to new: Rows) {
        if new.window == rows.window { return }
        (rows, anchor) = (new, nil)
    }

    func part<Header>(
        of sections: [ModelSection<Key, Header>]
    ) -> [ModelSection<Key, Header>] {
        switch rows {
        case .rows(let rows): sections.window(rows)
        case .around(let key, let before, let after):
            sections.window(follow(key, max(0, before), after, in: sections.flatMap(\.rows)))
        }
    }

    private func follow(
        _ original: Key,
        _ before: Int,
        _ after: Int,
        in rows: [ModelRow<Key>]
    ) -> Range<Int> {
        let keys = rows.map(\.key)
        if let old = anchor, let place = shown.firstIndex(of: old) {
            let candidates = shown[place...] + shown[..<place].reversed()
            anchor = candidates.first { keys.contains($0) }
            if anchor == nil, !keys.isEmpty { anchor = keys[min(index, keys.count - 1)] }
        }
        if anchor == nil { anchor = keys.contains(original) ? original : keys.first }
        guard let anchor, let index = keys.firstIndex(of: anchor) else {
            shown = []
            return 0..<0
        }
        self.index = index
        let range = max(0, index - before)..<min(keys.count, index + 1 + after)
        shown = Array(keys[range])
        return range
    }
}

extension Array {
    func mapRows<Key, Header, NewKey>(
        _ transform: (Key, TestRow) throws -> [(NewKey, TestRow)]
    ) rethrows -> [ModelSection<NewKey, Header>] where Element == ModelSection<Key, Header> {
        try map { section in
            let rows = try section.rows.flatMap { old in
                try transform(old.key, old.row).enumerated().map { place, new in
                    ModelRow(key: new.0, row: new.1, place: old.place + [place])
                }
            }
            return ModelSection(header: section.header, isDeclared: section.isDeclared, rows: rows)
        }
    }

    func sortRows<Key, Header>(
        _ value: (TestRow) -> Int
    ) -> Self where Element == ModelSection<Key, Header> {
        map { section in
            var section = section
            section.rows = section.rows.map {
                ModelRow(key: $0.key, row: $0.row, place: [value($0.row)] + $0.place)
            }
            section.rows.sort { $0.place.lexicographicallyPrecedes($1.place) }
            return section
        }
    }

    func prefixPlaces<Key, Header>(
        _ place: Int
    ) -> Self where Element == ModelSection<Key, Header> {
        map { section in
            var section = section
            for index in section.rows.indices { section.rows[index].place.insert(place, at: 0) }
            return section
        }
    }

    func withoutEmpty<Key, Header>() -> Self where Element == ModelSection<Key, Header> {
        filter { $0.isDeclared || !$0.rows.isEmpty }
    }

    /// The rows in groups, in the order of the groups' first rows.
    func grouped<Key, Header, Group: Hashable>(
        _ group: (TestRow) throws -> Group
    ) rethrows -> [ModelSection<Key, Group>] where Element == ModelSection<Key, Header> {
        var groups: [ModelSection<Key, Group>] = []
        for row in flatMap(\.rows).sorted(by: { $0.place.lexicographicallyPrecedes($1.place) }) {
            let header = try group(row.row)
            let place = groups.firstIndex { $0.header == header } ?? groups.count
            if place == groups.count {
                groups.append(ModelSection(header: header, isDeclared: false, rows: []))
            }
            groups[place].rows.append(row)
        }
        return groups
    }

    func window<Key, Header>(
        _ rows: Range<Int>
    ) -> Self where Element == ModelSection<Key, Header> {
        var start = 0
        var result: Self = []
        for var section in self {
            let end = start + section.rows.count
            let part = rows.clamped(to: start..<end)
            section.rows = section.rows[(part.lowerBound - start)..<(part.upperBound - start)].map {
                $0
            }
            if section.isDeclared || !section.rows.isEmpty { result.append(section) }
            start = end
        }
        return result
    }
}
