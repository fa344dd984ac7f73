/// The pages of one state of a store's file, and how they are used.
struct StorePages {
    let cache: PageCache
    /// How many bytes at the end of each page are not used.
    let reservedSize: Int

    /// Opens the file; nil where its pages are not for us: texts in UTF-16, or a page size that SQLite does not have.
    init?(path: String) {
        guard let file = OpenFile(path: path), let start = file.bytes(at: 0, count: FileHeader.size),
            let header = FileHeader(start), header.isUTF8, (512...65536).contains(header.pageSize),
            header.pageSize.nonzeroBitCount == 1
        else { return nil }
        cache = PageCache(file, pageSize: header.pageSize)
        reservedSize = header.reservedSize
    }
}
