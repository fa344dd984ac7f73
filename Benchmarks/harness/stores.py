"""Catalogs beside Core Data files, and by themselves: what a look-up costs, how fast they are filled and kept fresh."""

from .database import private_database
from .items import Beside, Items
from .kinds import CoreData, catalogs
from .lookups import Growth, Throughput
from .imports import Imports

PARTS = {"throughput": Throughput, "growth": Growth, "imports": Imports, "items": Items, "beside": Beside}


class Stores:
    programs = ["worker"]

    def measure(self, options, launcher):
        with private_database(options.database_script, options.build_folder / "postgresql") as database:
            kinds = [CoreData(), *catalogs(options, launcher, database)]
            for part in options.stores_parts:
                yield from PARTS[part](options, launcher, kinds).measure()
