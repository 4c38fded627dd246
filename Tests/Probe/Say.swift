import Foundation

/// Prints a line at once: whoever reads it may not wait for the end, and the end may be a crash.
func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
}
