import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const { dependencies, devDependencies, overrides } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
  overrides: Record<string, string>
}

/** What runs in production: the server, its threads, and what operators call. */
const ENTRIES = [
  'apps/server/src/main.ts',
  'kit/server/broker/broker.worker.ts',
  ...[
    'backup',
    'database',
    'orphans',
    'read-archive',
    'rebuild-statistics',
    'restore',
    'rotate-keys',
    'rotate-secrets',
  ].map((name) => `scripts/${name}.ts`),
]
/** The simulators of the demo data run where everything is installed. */
const OUTSIDE_WORLD = /^simulators\//
const IMPORT = /^(?:import|export) (?!type )(?:[^;'`]*? from )?'([^'\n]+)'/gm
const LOAD = /(?:import|createRequire\(import\.meta\.url\)(?:\.resolve)?)\('([^'\n]+)'\)/g

/** Returns the packages that these files and those they import need, each with a file that imports it. */
function packagesOf(entries: readonly string[]): Map<string, string> {
  const seen = new Set<string>()
  const packages = new Map<string, string>()
  const visit = (file: string): void => {
    if (seen.has(file) || OUTSIDE_WORLD.test(file)) return
    seen.add(file)
    const code = readFileSync(join(root, file), 'utf8')
    for (const [, path = ''] of [...code.matchAll(IMPORT), ...code.matchAll(LOAD)]) {
      if (path.startsWith('#')) visit(path.slice(1))
      else if (path.startsWith('.')) visit(join(dirname(file), path))
      else if (!path.startsWith('node:')) packages.set(path.match(/^(@[^/]+\/)?[^/]+/)![0], file)
    }
  }
  for (const entry of entries) visit(entry)
  return packages
}

test('the server needs the packages for production alone, and nothing else is among them', () => {
  const needed = packagesOf(ENTRIES)
  expect([...needed].filter(([name]) => !(name in dependencies))).toEqual([])
  expect(Object.keys(dependencies).filter((name) => !needed.has(name))).toEqual([])
  expect(Object.keys(dependencies).filter((name) => name in devDependencies)).toEqual([])
})

test('every package is pinned to one version', () => {
  const versions = Object.entries({ ...dependencies, ...devDependencies, ...overrides })
  expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([])
})
