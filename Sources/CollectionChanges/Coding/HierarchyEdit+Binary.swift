// Edits as they are, one after the other, for who has them from somewhere and checks them where they
// arrive. An update as a whole has a shorter form.

extension Sequence<HierarchyEdit> {
    /// The edits in bytes: version, kind, how many, and each in order.
    ///
    /// Any edits can be written, in any order, and come back equal. An edit takes a byte and its places as
    /// steps from those before: four bytes where edits are near to each other, up to eight in a million
    /// items. ``ValidatedChangeSet/encoded()`` is shorter and is validated where it is read.
    ///
    /// Complexity: O(k) for k edits.
    public func encoded() -> [UInt8] {
        let edits = Array(self)
        return BinaryForm.edits.encode(reserving: 8 + 6 * edits.count) { writer in
            writer.index(edits.count)
            var last = ItemPath(section: 0, item: 0)
            for edit in edits { writer.edit(edit, after: &last) }
        }
    }
}

extension Array where Element == HierarchyEdit {
    /// Reads what `encoded()` wrote. Nothing is known of the edits then: ``ValidatedChangeSet`` checks them.
    ///
    /// Memory: under 128 bytes for each of `bytes`.
    ///
    /// - Throws: the first fault of the bytes.
    public init(decoding bytes: RawSpan) throws(BinaryDecodingError) {
        self = try BinaryForm.edits.decode(bytes) {
            (reader) throws(BinaryDecodingError) -> [HierarchyEdit] in
            let count = try reader.count(of: "edits")
            var edits: [HierarchyEdit] = []
            // Each takes two bytes or more.
            edits.reserveCapacity(Swift.min(count, reader.remaining / 2))
            var last = ItemPath(section: 0, item: 0)
            for _ in 0..<count { edits.append(try reader.edit(after: &last)) }
            return edits
        }
    }

    /// Reads what `encoded()` wrote. Nothing is known of the edits then: ``ValidatedChangeSet`` checks them.
    ///
    /// Memory: under 128 bytes for each of `bytes`.
    ///
    /// - Throws: the first fault of the bytes.
    public init(decoding bytes: [UInt8]) throws(BinaryDecodingError) {
        try self.init(decoding: bytes.span.bytes)
    }
}

/// The byte that begins an edit: two bits for its run, two for its role, one each for an associated place,
/// an option that is not `automatic`, and a number of fresh items.
private struct EditHead {
    static let associated: UInt8 = 1 << 4
    static let animated: UInt8 = 1 << 5
    static let fresh: UInt8 = 1 << 6
    static let roles: [EditRole] = [.delete, .insert, .reload, .move]

    static func number(of role: EditRole) -> UInt8 {
        switch role {
        case .delete: 0
        case .insert: 1
        case .reload: 2
        case .move: 3
        }
    }
}

extension ByteWriter {
    fileprivate mutating func edit(_ edit: HierarchyEdit, after last: inout ItemPath) {
        switch edit {
        case .removeItem(let edit): item(edit, run: 0, &last)
        case .removeSection(let edit): section(edit, run: 1, &last)
        case .insertSection(let edit): section(edit, run: 2, &last)
        case .insertItem(let edit): item(edit, run: 3, &last)
        }
    }

    private mutating func item(_ edit: ItemEdit, run: UInt8, _ last: inout ItemPath) {
        head(run, edit.role, edit.associatedWith != nil, edit.animation, fresh: 0)
        path(edit.path, after: last)
        if let other = edit.associatedWith { path(other, after: edit.path) }
        last = edit.path
    }

    private mutating func section(_ edit: SectionEdit, run: UInt8, _ last: inout ItemPath) {
        let fresh = edit.freshItemCount
        head(run, edit.role, edit.associatedWith != nil, edit.animation, fresh: fresh)
        step(from: last.section, to: edit.section)
        if let other = edit.associatedWith { step(from: edit.section, to: other) }
        if fresh != 0 { signed(fresh) }
        last.section = edit.section
    }

    private mutating func head(
        _ run: UInt8,
        _ role: EditRole,
        _ isAssociated: Bool,
        _ option: AnimationOption,
        fresh: Int
    ) {
        var head = run | EditHead.number(of: role) << 2
        if isAssociated { head |= EditHead.associated }
        if option != .automatic { head |= EditHead.animated }
        if fresh != 0 { head |= EditHead.fresh }
        byte(head)
        if option != .automatic { signed(option.rawValue) }
    }
}

extension ByteReader {
    fileprivate mutating func edit(
        after last: inout ItemPath
    ) throws(BinaryDecodingError) -> HierarchyEdit {
        let start = offset
        let head = try byte()
        let run = head & 3
        let isItem = run == 0 || run == 3
        guard head < 128, !(isItem && head & EditHead.fresh != 0) else {
            throw BinaryDecodingError(.unknownValue, at: start, "an edit cannot begin with \(head)")
        }
        let role = EditHead.roles[Int(head >> 2 & 3)]
        let isAssociated = head & EditHead.associated != 0
        var option = AnimationOption.automatic
        if head & EditHead.animated != 0 { option = AnimationOption(rawValue: try signed()) }
        if isItem {
            let path = try path(after: last)
            var edit = ItemEdit(path: path, role: role, animation: option)
            if isAssociated { edit.associatedWith = try self.path(after: path) }
            last = path
            return run == 0 ? .removeItem(edit) : .insertItem(edit)
        }
        let section = try step(from: last.section)
        var edit = SectionEdit(section: section, role: role, animation: option)
        if isAssociated { edit.associatedWith = try step(from: section) }
        if head & EditHead.fresh != 0 { edit.freshItemCount = try signed() }
        last.section = section
        return run == 1 ? .removeSection(edit) : .insertSection(edit)
    }
}
