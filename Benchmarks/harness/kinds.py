"""The kinds of stores that are compared, and catalogs that are filled once and kept."""

from .measured import measured


class CoreData:
    name = "Core Data"
    is_catalog = False

    def url(self, store):
        return f"coredata:{store.path}"

    def server_cpu(self):
        return 0.0


class Catalog:
    """A kind of catalog. A label names one catalog of this kind; it may have letters, digits and underscores."""
    is_catalog = True

    def __init__(self, worker):
        self.worker = worker

    def url(self, store):
        """The catalog with a store's objects; it is made where it is not there yet, or was not finished."""
        label = self.label(store)
        if not self.is_filled(label):
            self.make(label)
            self.fill(label, store)
            self.note_filled(label)
        return self.catalog(label)

    def label(self, store):
        return store.path.stem.replace("-", "_")

    def fill(self, label, store):
        found = measured([self.worker, "store", "import", "--store", self.catalog(label), store.path])
        self.settle(label)
        return found

    def settle(self, label):
        pass

    def server_cpu(self):
        """Seconds of CPU that a server of its own has used."""
        return 0.0


class SQLite(Catalog):
    name = "SQLite"

    def __init__(self, worker, folder):
        super().__init__(worker)
        self.folder = folder

    def path(self, label):
        return self.folder / f"catalog-{label}.sqlite"

    def catalog(self, label):
        return f"sqlite:{self.path(label)}"

    def is_filled(self, label):
        return self.path(label).with_suffix(".filled").exists()

    def note_filled(self, label):
        self.path(label).with_suffix(".filled").touch()

    def make(self, label):
        self.remove(label)

    def remove(self, label):
        for suffix in ("", "-wal", "-shm"):
            self.path(label).with_name(self.path(label).name + suffix).unlink(missing_ok=True)
        self.path(label).with_suffix(".filled").unlink(missing_ok=True)


class PostgreSQL(Catalog):
    name = "PostgreSQL"

    def __init__(self, worker, database):
        super().__init__(worker)
        self.database = database

    def catalog(self, label):
        return self.database.catalog(label)

    def is_filled(self, label):
        note = f"SELECT shobj_description(oid, 'pg_database') FROM pg_database WHERE datname = '{label}'"
        return self.database.ask(note) == "filled"

    def note_filled(self, label):
        self.database.ask(f"COMMENT ON DATABASE {label} IS 'filled'")

    def make(self, label):
        self.database.make(label)

    def remove(self, label):
        self.database.remove(label)

    def settle(self, label):
        self.database.settle(label)

    def server_cpu(self):
        return self.database.cpu_seconds()


def catalogs(options, launcher, database):
    worker = launcher.built["worker"]
    return [SQLite(worker, options.build_folder), PostgreSQL(worker, database)]
