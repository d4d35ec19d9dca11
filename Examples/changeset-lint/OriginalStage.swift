import CollectionPipeline

/// When and how the original rejects: with an assertion while an operation is submitted, with an
/// assertion when the set is completed, or with the exception of its validation.
enum OriginalStage {
    case build
    case completion
    case validation

    /// Nil for a fault that the original does not know.
    init?(of code: HierarchyUpdateError.Code) {
        switch code {
        case .emptyItemOp, .emptySectionOp, .reloadDataTwice: self = .build
        case .reloadDeletedSection, .reloadWithoutTarget: self = .completion
        case .sectionCount, .deleteSectionRange, .deleteItemSectionRange, .deleteItemRange,
            .insertItemSectionRange, .insertItemRange, .insertSectionRange, .deleteAndReloadItem,
            .itemCount:
            self = .validation
        default: return nil
        }
    }

    var name: String { self == .build ? "build" : "complete" }

    var exception: String {
        self == .validation
            ? "ASCollectionInvalidUpdateException" : "NSInternalInconsistencyException"
    }
}
