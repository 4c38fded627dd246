import Foundation

/// Prints a line without buffering, because its reader does not wait for the end, and the process may crash.
func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
}
