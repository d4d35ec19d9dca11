import CollectionPipeline

/// A JSON value and its place in the line, for reading it as a value of some type.
struct JSONField {
    /// The path of the value, such as `ops[2].at`. Empty for the whole line.
    let name: String
    let value: JSONValue

    private func fault(_ expected: String) -> ScenarioFault {
        ScenarioFault("\(name) must be \(expected), found \(value.kind)")
    }

    // MARK: Members

    func member(_ key: String) throws(ScenarioFault) -> JSONField {
        guard let field = optionalMember(key) else {
            throw ScenarioFault("missing field '\(path(key))'")
        }
        return field
    }

    func optionalMember(_ key: String) -> JSONField? {
        value[key].map { JSONField(name: path(key), value: $0) }
    }

    private func path(_ key: String) -> String { name.isEmpty ? key : "\(name).\(key)" }

    func elements(_ expected: String = "an array") throws(ScenarioFault) -> [JSONField] {
        guard case .array(let elements) = value else { throw fault(expected) }
        return elements.enumerated().map {
            JSONField(name: "\(name)[\($0.offset)]", value: $0.element)
        }
    }

    // MARK: Values

    func object() throws(ScenarioFault) -> JSONField {
        guard case .object = value else { throw fault("an object") }
        return self
    }

    func string() throws(ScenarioFault) -> String {
        guard case .string(let string) = value else { throw fault("a string") }
        return string
    }

    func bool() throws(ScenarioFault) -> Bool {
        guard case .bool(let bool) = value else { throw fault("true or false") }
        return bool
    }

    func integer() throws(ScenarioFault) -> Int {
        guard case .integer(let integer) = value else { throw fault("a 64-bit integer") }
        return integer
    }

    func integers() throws(ScenarioFault) -> [Int] {
        try elements("an array of integers").map { element throws(ScenarioFault) in
            try element.integer()
        }
    }

    func itemPath() throws(ScenarioFault) -> ItemPath {
        guard case .array(let elements) = value, elements.count == 2,
            case .integer(let section) = elements[0], case .integer(let item) = elements[1]
        else {
            throw ScenarioFault("\(name) must be a path [section,item] of two 64-bit integers")
        }
        return ItemPath(section: section, item: item)
    }

    func itemPaths() throws(ScenarioFault) -> [ItemPath] {
        try elements("an array of paths").map { element throws(ScenarioFault) in
            try element.itemPath()
        }
    }
}
