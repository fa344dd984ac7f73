package import Foundation

import Glibc

extension Process {
    /// Starts the program with no signal blocked, as a shell would.
    ///
    /// Tests run on threads that block most signals, and a program inherits what its starter blocks: it could not be
    /// asked to end.
    package func runWithoutBlockedSignals() throws {
        var none = sigset_t()
        var before = sigset_t()
        unsafe sigemptyset(&none)
        unsafe pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
        try run()
    }
}
