import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { moduleOf, serviceOf } from './module-folders.ts'

const domains = join(import.meta.dirname, '../..')
const modules = readdirSync(domains).flatMap((folder) =>
  readdirSync(join(domains, folder)).map((module) => `${folder}/${module}`),
)

test('a service named by an older client leads to the folder of its module, and back', () => {
  expect(moduleOf('goods')).toBe('catalogue/products')
  expect(serviceOf('catalogue/products')).toBe('goods')
  expect(moduleOf('racks')).toBe('own/racks')
  expect(serviceOf('own/racks')).toBe('racks')
})

test('every module of the tree is known by a service, so that nothing is generated beside it', () => {
  expect(modules.filter((module) => moduleOf(serviceOf(module)) !== module)).toEqual([])
})
