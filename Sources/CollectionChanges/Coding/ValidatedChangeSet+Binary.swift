extension ValidatedChangeSet {
    /// The update in bytes, with its old shape: whoever has them needs nothing else.
    ///
    /// An update that follows another in a journal or on a wire needs no shape; ``encodedAlone()`` is that
    /// form. Equal edits and shapes give equal bytes, in every process and on every machine.
    ///
    /// ```swift
    /// let bytes = update.encoded()
    /// let same = try ValidatedChangeSet(decoding: bytes)
    /// ```
    ///
    /// Shape: a byte of version and one of kind; the old shape; a number that says what else follows; the
    /// edits by what they do, sorted, each as its distance from the one before. A reload or move is written
    /// once. The new shape is not written, except where everything is reloaded, since it follows.
    ///
    /// Ten edits in a million items take 30 to 60 bytes beside the shape. The update is that of the
    /// `standard` or `strict` profile, or of composing such; what only Texture would have made can be
    /// written, but may be rejected where it is read.
    ///
    /// Complexity: O(k + s) for k edits and s sections.
    public func encoded() -> [UInt8] { encode(.update) { $0.shape(oldShape) } }

    /// The update in bytes for a reader that has the shape before it.
    ///
    /// Of that shape only the number of sections and of items is written, so that a reader that has another
    /// one mostly notices. Ten edits in a million items take 40 to 70 bytes in all, however many sections
    /// there are.
    ///
    /// Complexity: O(k log k) for k edits; O(k + s) where everything is reloaded.
    public func encodedAlone() -> [UInt8] {
        encode(.updateAlone) { writer in
            writer.index(oldShape.numberOfSections)
            writer.index(oldShape.numberOfItems ?? 0)
        }
    }

    private func encode(_ form: BinaryForm, start: (inout ByteWriter) -> Void) -> [UInt8] {
        form.encode(reserving: 32 + 5 * edits.count) { writer in
            start(&writer)
            if isReloadData {
                writer.unsigned(UpdateRecord.Parts.reload.rawValue)
                writer.shape(newShape)
                let option = sectionRemovals.first ?? sectionInsertions.first
                writer.signed((option?.animation ?? .automatic).rawValue)
            } else if isEmpty {
                writer.unsigned(UpdateRecord.Parts.nothing.rawValue)
            } else {
                UpdateRecord(of: self).write(to: &writer)
            }
        }
    }
}

extension ValidatedChangeSet {
    /// Reads what ``encoded()`` wrote, and validates it.
    ///
    /// Whatever the bytes are, the result is an update that validation in the `standard` profile gives for
    /// its edits, or an error.
    ///
    /// Memory: under 2,048 bytes for each of `bytes`.
    ///
    /// Complexity: O(k log k + s) for k edits and s sections.
    ///
    /// - Parameters:
    ///   - bytes: the form, and nothing after it.
    ///   - limits: how large both shapes may be.
    /// - Throws: the first fault of the bytes; `rejected` with the verdict of validation.
    public init(
        decoding bytes: RawSpan,
        limits: ShapeLimits = ShapeLimits()
    ) throws(BinaryDecodingError) {
        self = try BinaryForm.update.decode(bytes) {
            (reader) throws(BinaryDecodingError) -> ValidatedChangeSet in
            let oldShape = try reader.shape(limits)
            return try reader.update(from: oldShape, limits)
        }
    }

    /// Reads what ``encoded()`` wrote, and validates it.
    ///
    /// Memory: under 2,048 bytes for each of `bytes`.
    ///
    /// - Throws: the first fault of the bytes; `rejected` with the verdict of validation.
    public init(
        decoding bytes: [UInt8],
        limits: ShapeLimits = ShapeLimits()
    ) throws(BinaryDecodingError) {
        try self.init(decoding: bytes.span.bytes, limits: limits)
    }

    /// Reads what ``encodedAlone()`` wrote, and validates it from the shape that the reader has.
    ///
    /// Memory: under 2,048 bytes for each of `bytes`, and at most a copy of the shape's counts.
    ///
    /// - Parameters:
    ///   - bytes: the form, and nothing after it.
    ///   - oldShape: the shape before the update.
    ///   - limits: how large both shapes may be.
    /// - Throws: the first fault of the bytes; `otherStart` where they are of an update from another shape;
    ///   `rejected` with the verdict of validation.
    public init(
        decoding bytes: RawSpan,
        from oldShape: HierarchyShape,
        limits: ShapeLimits = ShapeLimits()
    ) throws(BinaryDecodingError) {
        self = try BinaryForm.updateAlone.decode(bytes) {
            (reader) throws(BinaryDecodingError) -> ValidatedChangeSet in
            let start = reader.offset
            let (sections, items) = (try reader.index(), try reader.index())
            let expectedItems = oldShape.numberOfItems ?? 0
            guard sections == oldShape.numberOfSections, items == expectedItems else {
                throw BinaryDecodingError(
                    .otherStart,
                    at: start,
                    "the update must start from \(oldShape.numberOfSections) sections with"
                        + " \(expectedItems) items, but starts from \(sections) with \(items)"
                )
            }
            return try reader.update(from: oldShape, limits)
        }
    }

    /// Reads what ``encodedAlone()`` wrote, and validates it from the shape that the reader has.
    ///
    /// - Throws: the first fault of the bytes; `otherStart` where they are of an update from another shape;
    ///   `rejected` with the verdict of validation.
    public init(
        decoding bytes: [UInt8],
        from oldShape: HierarchyShape,
        limits: ShapeLimits = ShapeLimits()
    ) throws(BinaryDecodingError) {
        try self.init(decoding: bytes.span.bytes, from: oldShape, limits: limits)
    }
}

extension ByteReader {
    /// What follows the start of an update, validated.
    fileprivate mutating func update(
        from oldShape: HierarchyShape,
        _ limits: ShapeLimits
    ) throws(BinaryDecodingError) -> ValidatedChangeSet {
        let start = offset
        let parts = UpdateRecord.Parts(rawValue: try unsigned())
        let isWhole = parts == .reload || parts == .nothing
        guard isWhole || parts.isDisjoint(with: [.reload, .nothing]),
            UpdateRecord.Parts.all.isSuperset(of: parts)
        else {
            throw BinaryDecodingError(
                .unknownValue,
                at: start,
                "the parts of an update cannot be \(parts.rawValue)"
            )
        }
        do {
            try limits.check(oldShape)
        } catch {
            throw BinaryDecodingError(.rejected, at: start, error.message, because: error)
        }
        if parts == .nothing { return .unchanged(oldShape) }
        if parts == .reload {
            let newShape = try shape(limits)
            let animation = AnimationOption(rawValue: try signed())
            return .reloadingData(from: oldShape, to: newShape, animation: animation)
        }
        let record = try UpdateRecord(parts, from: &self)
        return try validate(record, from: oldShape, limits, start)
    }

    private func validate(
        _ record: UpdateRecord,
        from oldShape: HierarchyShape,
        _ limits: ShapeLimits,
        _ start: Int
    ) throws(BinaryDecodingError) -> ValidatedChangeSet {
        guard let newShape = record.newShape(after: oldShape) else {
            throw BinaryDecodingError(
                .rejected,
                at: start,
                "sections must be removed and inserted where there are some, each once, but are not"
            )
        }
        let update: ValidatedChangeSet
        do {
            update = try record.changes.validated(from: oldShape, to: newShape, limits: limits)
        } catch {
            throw BinaryDecodingError(.rejected, at: start, error.message, because: error)
        }
        guard update.edits.count == record.editCount,
            update.reconfigurations.count == record.reconfigurations.count,
            update.supplementaryReloads.count == record.supplementaryReloads.count
        else {
            throw BinaryDecodingError(
                .notCanonical,
                at: start,
                "the update must not list what other edits of it cover, but does"
            )
        }
        return update
    }
}
