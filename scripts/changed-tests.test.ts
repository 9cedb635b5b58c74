import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testsReaching } from './changed-tests.ts'

const root = join(import.meta.dirname, '..')
const isOf = (module: string) => (file: string) => file.startsWith(`domains/${module}/`)

test(
  'a change of a module is asked of tests of the modules above it and of all modules, not of those beside ' + 'it',
  () => {
    const found = testsReaching(root, ['domains/catalogue/products/server.ts'])
    for (const module of ['devices/shelf-labels', 'sales/orders', 'catalogue/inventory'])
      expect([module, found.some(isOf(module))]).toEqual([module, true])
    expect(found).toContain('apps/server/src/calls.test.ts')
    expect(found.filter(isOf('platform/workflow'))).toEqual([])
  },
)

test('a change of what no module uses is asked of no test beside a module', () => {
  const found = testsReaching(root, ['domains/insight/reports/server.ts'])
  expect(found.filter((file) => file.startsWith('domains/') && !isOf('insight/reports')(file))).toEqual([])
  expect(found.some(isOf('insight/reports'))).toBe(true)
})

test('a changed test is asked itself, and what reads a changed fixture', () => {
  expect(testsReaching(root, ['tests/support/whole.test.ts'])).toEqual(['tests/support/whole.test.ts'])
  expect(testsReaching(root, ['apps/server/src/calls.fixture.tsv'])).toContain('apps/server/src/calls.test.ts')
})

test('a change of the schema or of the packages is asked of everything, one of a page of words of nothing', () => {
  const all = testsReaching(root, ['package-lock.json'])
  expect(all.length).toBeGreaterThan(300)
  expect(testsReaching(root, ['migrations/0001.sql'])).toEqual(all)
  expect(testsReaching(root, ['README.md'])).toEqual([])
})
