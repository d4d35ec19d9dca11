@_exported import PipelineTesting
