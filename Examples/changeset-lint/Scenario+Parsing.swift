import CollectionPipeline

extension Scenario {
    /// Reads a line. Numbers may be any integers of 64 bits, for validation to judge; fields that
    /// the format does not have are ignored.
    init(line: [UInt8]) throws(ScenarioFault) {
        let value: JSONValue
        do throws(JSONSyntaxError) {
            value = try JSONParser.parse(line)
        } catch {
            throw ScenarioFault("invalid JSON in column \(error.column): \(error.message)")
        }
        guard case .object = value else {
            throw ScenarioFault("a scenario must be an object, found \(value.kind)")
        }
        let line = JSONField(name: "", value: value)
        id = value["id"]
        oldCounts = try line.member("oldCounts").integers()
        newCounts = try line.member("newCounts").integers()
        steps = []
        for field in try line.member("ops").elements() { steps.append(try Step(field)) }
        result = value["result"]
    }
}

extension Scenario.Step {
    fileprivate init(_ field: JSONField) throws(ScenarioFault) {
        let field = try field.object()
        let name = try field.member("op").string()
        if let probe = Scenario.Probe(rawValue: name) {
            self = .probe(probe)
            return
        }
        let animation = AnimationOption(
            rawValue: try field.optionalMember("anim")?.integer() ?? 0
        )
        let operation: HierarchyChangeSet.Operation
        switch name {
        case "deleteItems":
            operation = .deleteItems(try field.member("at").itemPaths(), animation)
        case "insertItems":
            operation = .insertItems(try field.member("at").itemPaths(), animation)
        case "reloadItems":
            operation = .reloadItems(try field.member("at").itemPaths(), animation)
        case "reconfigureItems":
            operation = .reconfigureItems(try field.member("at").itemPaths(), animation)
        case "moveItem":
            operation = .moveItem(
                at: try field.member("from").itemPath(),
                to: try field.member("to").itemPath(),
                animation
            )
        case "reloadData": operation = .reloadData(.none)
        default: operation = try Self.sectionOperation(name, field, animation)
        }
        self = .operation(operation)
    }

    private static func sectionOperation(
        _ name: String,
        _ field: JSONField,
        _ animation: AnimationOption
    ) throws(ScenarioFault) -> HierarchyChangeSet.Operation {
        func sections() throws(ScenarioFault) -> SectionSet {
            SectionSet(try field.member("at").integers())
        }
        switch name {
        case "deleteSections": return .deleteSections(try sections(), animation)
        case "insertSections": return .insertSections(try sections(), animation)
        case "reloadSections": return .reloadSections(try sections(), animation)
        case "reconfigureSections": return .reconfigureSections(try sections(), animation)
        case "moveSection":
            return .moveSection(
                try field.member("from").integer(),
                toSection: try field.member("to").integer(),
                animation
            )
        case "reloadSupplementaries":
            let kind = SupplementaryKind(rawValue: try field.member("kind").string())
            return .reloadSupplementaries(kind, in: try sections(), animation)
        default:
            throw ScenarioFault("\(field.name).op is unknown: \"\(name.prefix(40))\"")
        }
    }
}
