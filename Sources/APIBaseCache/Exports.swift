@_exported public import APIBaseCore
// A folder of responses is refused with its `FileObstacle`.
@_exported public import SafeFiles
