import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

type Package = {
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

const root = join(import.meta.dirname, '..')
const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8')) as unknown
const { packages } = read('package-lock.json') as { packages: Record<string, Package> }

/** Whether a package at `path` finds another one: in its own node_modules or in one above. */
function isFound(path: string, name: string): boolean {
  for (let at = path; ; at = at.slice(0, Math.max(at.lastIndexOf('node_modules/') - 1, 0))) {
    if (packages[`${at ? `${at}/` : ''}node_modules/${name}`]) return true
    if (!at) return false
  }
}

test('the lock file is whole, those for other machines too: npm installs nothing for a new clone otherwise', () => {
  const missing = Object.entries(packages).flatMap(([path, one]) =>
    Object.keys({ ...one.dependencies, ...one.devDependencies, ...one.optionalDependencies })
      .filter((name) => !isFound(path, name))
      .map((name) => `${path} wants ${name}`),
  )
  expect(missing).toEqual([])
  const { dependencies, devDependencies } = read('package.json') as Package
  expect(packages['']).toMatchObject({ dependencies, devDependencies })
})
