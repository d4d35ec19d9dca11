@_exported import CollectionChanges
