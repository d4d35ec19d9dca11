import CollectionChanges

/// The path of an item, short for records with many.
func path(_ section: Int, _ item: Int) -> ItemPath { ItemPath(section: section, item: item) }

/// The error with which `body` ends, or nil.
func refusal<Result>(
    of body: () throws(HierarchyUpdateError) -> Result
) -> HierarchyUpdateError? {
    do {
        _ = try body()
        return nil
    } catch {
        return error
    }
}
