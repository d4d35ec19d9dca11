@_exported import CollectionChanges
@_exported import CollectionElements
