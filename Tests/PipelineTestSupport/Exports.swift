@_exported import PipelineTesting
@_exported import TestSupport
