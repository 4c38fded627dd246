import Foundation

/// Whether the thread sanitizer watches this process.
let isSanitized = dlsym(nil, "__tsan_init") != nil
