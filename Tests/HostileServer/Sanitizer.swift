import Foundation

/// Whether the thread sanitizer or the address sanitizer watches this process.
package let isSanitized = dlsym(nil, "__tsan_init") != nil || dlsym(nil, "__asan_init") != nil
