import type { ModuleDefinition } from '../module.ts'
import { kitTables } from './kit-tables.ts'
import { tableOfResource, type Table } from './schema.ts'

/** All tables that are declared: those of the kit, of families, and those rooms add. */
export const tablesOfRooms = (rooms: readonly Pick<ModuleDefinition, 'resources' | 'tables'>[]): Table[] => [
  ...kitTables,
  ...rooms.flatMap((room) => [
    ...(room.resources ?? []).map(({ resource }) => tableOfResource(resource)),
    ...(room.tables ?? []),
  ]),
]
