@_exported public import APIBaseCore
@_exported public import SafeFiles
