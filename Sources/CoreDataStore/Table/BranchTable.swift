/// The interior pages of a table's B-tree that were read, as arrays of keys and children.
///
/// Finding a child in an array costs a fraction of finding it in a page, and the pages of a state never change.
struct BranchTable {
    /// A page below another one.
    struct Child {
        let page: UInt32
        /// All keys in it are greater; the least number there is where nothing is known.
        let before: Int64
        /// The place in the arrays; -1 for the root, and nil below a page that is not kept.
        fileprivate let place: Int?
    }

    /// An interior page: the places of its children.
    private struct Branch {
        let start: Int
        let end: Int
    }

    /// How many children are kept, each in 16 bytes; those of a table of ten million rows are a quarter of a million.
    static let childCountMax = 1 << 18

    private let root: UInt32
    private let childCountMax: Int
    private var rootBranch: Int?
    private var branches: [Branch] = []
    /// The greatest key in each child; that of a page's last child is not known, and counts as the greatest there is.
    private var keys: [Int64] = []
    private var pages: [UInt32] = []
    /// The branch that a child is; -1 where it has not been read, or has rows.
    private var branchOfChild: [Int32] = []

    init(root: UInt32, childCountMax: Int = childCountMax) {
        self.root = root
        self.childCountMax = childCountMax
    }

    /// The lowest page known that may hold a key; nil where the tree is deeper than it can be.
    func child(for key: Int64, depthMax: Int) -> Child? {
        var child = Child(page: root, before: .min, place: -1)
        guard var branch = rootBranch else { return child }
        for _ in 0..<depthMax {
            child = self.child(for: key, of: branches[branch], before: child.before)
            guard let place = child.place, branchOfChild[place] >= 0 else { return child }
            branch = Int(branchOfChild[place])
        }
        return nil
    }

    private func child(for key: Int64, of branch: Branch, before: Int64) -> Child {
        // A span: an array would be looked up in memory at every step.
        let keys = keys.span
        var low = branch.start
        // The last child takes every key that is greater than the others.
        var count = branch.end - branch.start - 1
        while count > 0 {
            let half = (count + 1) / 2
            if keys[low + half - 1] < key { low += half }
            count -= half
        }
        return Child(page: pages[low], before: low > branch.start ? keys[low - 1] : before, place: low)
    }

    /// The page below an interior page that may hold a key; nil where the page is damaged.
    ///
    /// Keeps the interior page, whose cells are given, where there is room.
    mutating func child(
        for key: Int64, of parent: Child, _ cells: Cells, count: Int, last: UInt32, in cache: PageCache
    ) -> Child? {
        if let place = parent.place, keys.count + count < childCountMax {
            guard let branch = add(cells, count: count, last: last, in: cache) else { return nil }
            if place < 0 { rootBranch = branches.count } else { branchOfChild[place] = Int32(branches.count) }
            branches.append(branch)
            return child(for: key, of: branch, before: parent.before)
        }
        guard let index = cache.firstNotLess(than: key, in: cells, count: count) else { return nil }
        guard index < count else { return Child(page: last, before: .min, place: nil) }
        guard let place = cache.place(of: index, in: cells) else { return nil }
        return Child(page: cache.number(at: place, UInt32.self), before: .min, place: nil)
    }

    private mutating func add(_ cells: Cells, count: Int, last: UInt32, in cache: PageCache) -> Branch? {
        guard cells.array + 2 * count <= cells.start + cells.usableSize else { return nil }
        let start = keys.count
        for index in 0..<count {
            guard let place = cache.place(of: index, in: cells), let key = cache.key(of: index, in: cells) else {
                keys.removeLast(keys.count - start)
                pages.removeLast(pages.count - start)
                return nil
            }
            keys.append(key)
            pages.append(cache.number(at: place, UInt32.self))
        }
        keys.append(.max)
        pages.append(last)
        branchOfChild.append(contentsOf: repeatElement(-1, count: count + 1))
        return Branch(start: start, end: keys.count)
    }
}
