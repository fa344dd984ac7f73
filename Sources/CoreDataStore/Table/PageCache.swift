internal import Glibc

/// Pages of an SQLite file that does not change, each kept at the place that its number leads to.
///
/// It owns the memory of all pages, which the system gives as they are filled. Bytes are read by their place in it, and
/// every access is checked.
@safe final class PageCache {
    /// How many bytes of pages are kept.
    private static let byteCountMax = 32 << 20

    let pageSize: Int
    private let file: OpenFile
    private let memory: UnsafeMutableRawPointer
    /// All pages, and room behind the last one for numbers that begin in it, where it is damaged.
    private let byteCount: Int
    /// The page at each place, 0 where there is none; the count is a power of two.
    private var numbers: [UInt32]

    /// Takes the file over; `pageSize` is a power of two.
    init(_ file: consuming OpenFile, pageSize: Int) {
        self.pageSize = pageSize
        self.file = file
        byteCount = Self.byteCountMax + 64
        numbers = [UInt32](repeating: 0, count: Self.byteCountMax / pageSize)
        unsafe memory = .allocate(byteCount: byteCount, alignment: 4096)
        unsafe memset(memory + Self.byteCountMax, 0, 64)
    }

    deinit { unsafe memory.deallocate() }

    /// Where the page begins in the memory; nil where the file has no such page.
    ///
    /// It stays there until the next call.
    @inline(__always)
    func place(ofPage number: UInt32) -> Int? {
        let index = Int(number) & (numbers.count - 1)
        if numbers[index] != number, !read(number, to: index) { return nil }
        return index &* pageSize
    }

    private func read(_ number: UInt32, to index: Int) -> Bool {
        numbers[index] = 0
        guard number > 0 else { return false }
        let offset = (Int(number) - 1) * pageSize
        while true {
            let count = unsafe pread(file.descriptor, memory + index * pageSize, pageSize, offset)
            if count < 0, errno == EINTR { continue }
            guard count == pageSize else { return false }
            numbers[index] = number
            return true
        }
    }

    /// The number that stands at a place, the highest byte first.
    @inline(__always)
    func number<Number: FixedWidthInteger>(at place: Int, _ type: Number.Type) -> Number {
        precondition(place >= 0 && place <= byteCount - MemoryLayout<Number>.size, "a place beyond the pages")
        return unsafe Number(bigEndian: memory.loadUnaligned(fromByteOffset: place, as: Number.self))
    }

    @inline(__always)
    func byte(at place: Int) -> UInt8 { number(at: place, UInt8.self) }

    /// Lends the bytes at a place.
    @inline(__always)
    func withBytes<Result>(_ range: Range<Int>, _ body: (Span<UInt8>) -> Result) -> Result {
        unsafe body(bytes(range).assumingMemoryBound(to: UInt8.self).span)
    }

    /// The text at a place; bytes that are not UTF-8 are replaced.
    func text(_ range: Range<Int>) -> String { unsafe String(decoding: bytes(range), as: UTF8.self) }

    /// The bytes at a place.
    func blob(_ range: Range<Int>) -> [UInt8] { unsafe Array(bytes(range)) }

    private func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        precondition(range.lowerBound >= 0 && range.upperBound <= byteCount, "a place beyond the pages")
        return unsafe UnsafeRawBufferPointer(start: memory + range.lowerBound, count: range.count)
    }
}
