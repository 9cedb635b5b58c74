import type { ModuleDefinition } from '../module.ts'
import { kitTables } from './kit-tables.ts'
import { tableOfResource } from './schema.ts'
import type { Table } from './table.ts'

/** All declared tables: those of the kit, of resources, and the additional ones of modules. */
export const tablesOfModules = (modules: readonly Pick<ModuleDefinition, 'resources' | 'tables'>[]): Table[] => [
  ...kitTables,
  ...modules.flatMap((module) => [
    ...(module.resources ?? []).map(({ resource }) => tableOfResource(resource)),
    ...(module.tables ?? []),
  ]),
]
