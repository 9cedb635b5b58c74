import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { moduleFolderOfService, serviceOfModuleFolder } from './module-folders.ts'

const domains = join(import.meta.dirname, '../..')
const modules = readdirSync(domains).flatMap((folder) =>
  readdirSync(join(domains, folder)).map((module) => `${folder}/${module}`),
)

test('a service named by an older client leads to the folder of its module, and back', () => {
  expect(moduleFolderOfService('goods')).toBe('catalogue/products')
  expect(serviceOfModuleFolder('catalogue/products')).toBe('goods')
  expect(moduleFolderOfService('racks')).toBe('own/racks')
  expect(serviceOfModuleFolder('own/racks')).toBe('racks')
})

test('every module of the tree is known by a service, so that nothing is generated beside it', () => {
  expect(modules.filter((module) => moduleFolderOfService(serviceOfModuleFolder(module)) !== module)).toEqual([])
})
