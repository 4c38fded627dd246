@_exported public import APIBaseRecording
