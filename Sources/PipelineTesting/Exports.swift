@_exported import CollectionPipeline
