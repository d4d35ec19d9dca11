@_exported import CollectionChanges
@_exported import CollectionElements
@_exported import CollectionSnapshots
