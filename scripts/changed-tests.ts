import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { moduleDependencies } from './module-layers.ts'

/** The files changed since a commit, and the test files that depend on one of them. */
export type Change = { files: string[]; tests: string[] }

const SOURCES = '{apps,bench,domains,kit,scripts,simulators,tests}/**/*.{ts,tsx,mjs,css,json,tsv}'
/**
 * The file that imports every module. A test inside a module depends through it on that module and those below it only,
 * any other test on all modules.
 */
const MODULES_FILE = 'apps/server/src/modules.ts'
/** Files on which every test depends without importing them. */
const EVERYWHERE = /^(package(-lock)?\.json|vitest\.config\.ts|tsconfig.*\.json|migrations\/.*)$/

/** Returns what changed since a commit, by default since this branch left main. */
export async function changeSince(root: string, since?: string): Promise<Change> {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)
  const base = since ?? git('merge-base', 'HEAD', 'main')[0]!
  const files = [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')]
  return { files, tests: testsReaching(root, files) }
}

/** Returns the test files that import one of these files, directly or through others. */
export function testsReaching(root: string, files: readonly string[]): string[] {
  const all = globSync(SOURCES, { cwd: root, exclude: ['**/node_modules/**', '**/dist/**'] })
  const tests = all.filter((file) => /\.test\.tsx?$/.test(file) && !/^tests\/(journeys|walks)\//.test(file))
  if (files.some((file) => EVERYWHERE.test(file))) return tests
  const known = new Set(all)
  const imports = new Map(all.map((file) => [file, importsOf(root, file, known)]))
  const modules = below(moduleDependencies())
  const changed = new Set(files)
  return tests.filter((test) => {
    const seen = new Set<string>()
    const reaches = (file: string): boolean => {
      if (seen.has(file)) return false
      seen.add(file)
      if (changed.has(file)) return true
      if (file === MODULES_FILE) return modulesOf(test, modules).some(reaches)
      return (imports.get(file) ?? []).some(reaches)
    }
    return reaches(test)
  })
}

/** Returns the server entry files of the modules a test mounts. */
function modulesOf(test: string, modules: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const [folder, ...path] = test.split('/')
  const module = path.slice(0, 2).join('/')
  const mounted = folder === 'domains' ? (modules.get(module) ?? new Set([module])) : modules.keys()
  return [...mounted].map((name) => `domains/${name}/server.ts`)
}

/** Modules for sign-in and permissions, which every test over HTTP needs. */
const GROUND = ['identity', 'access', 'organisation', 'system'].map((name) => `platform/${name}`)

/** Returns for each module itself, all modules below it, and `GROUND`. */
function below(uses: ReadonlyMap<string, ReadonlySet<string>>): Map<string, Set<string>> {
  return new Map(
    [...uses.keys()].map((module) => {
      const all = new Set<string>()
      const add = (one: string): void => {
        if (all.has(one)) return
        all.add(one)
        for (const other of uses.get(one) ?? []) add(other)
      }
      for (const one of [module, ...GROUND]) add(one)
      return [module, all]
    }),
  )
}

const IMPORTS = /(?:from|import|import\(|new URL\()\s*'([#.][^']+)'/g
/** Type imports are left out: the compiler checks types. */
const TYPES_ALONE = /(?:import|export) type \{[^}]*\} from '[^']+'/g
const ALIAS = /^#(kit|domains|apps|simulators|tests)\//

/** Returns the files of this project that a file imports or names by `new URL`. */
function importsOf(root: string, file: string, known: ReadonlySet<string>): string[] {
  if (!/\.(ts|tsx|mjs)$/.test(file)) return []
  const code = readFileSync(join(root, file), 'utf8').replace(TYPES_ALONE, '')
  const named = [...code.matchAll(IMPORTS)].map(([, path]) =>
    ALIAS.test(path!) ? path!.slice(1) : join(dirname(file), path!),
  )
  return [...new Set(named)].filter((path) => known.has(path) || existsSync(join(root, path)))
}
