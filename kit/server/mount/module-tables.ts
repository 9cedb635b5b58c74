import type { ModuleDefinition } from '../module/module.ts'
import { kitTables } from './kit-tables.ts'
import { tableOfResource } from '../database/schema.ts'
import type { Table } from '../database/table.ts'

/** All declared tables: those of the kit, of resources, and the additional ones of modules. */
export const tablesOfModules = (modules: readonly Pick<ModuleDefinition, 'resources' | 'tables'>[]): Table[] => [
  ...kitTables,
  ...modules.flatMap((module) => [
    ...(module.resources ?? []).map(({ resource }) => tableOfResource(resource)),
    ...(module.tables ?? []),
  ]),
]
