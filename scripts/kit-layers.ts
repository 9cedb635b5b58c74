import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findCycle } from './module-layers.ts'

const root = join(import.meta.dirname, '..')

/**
 * The parts of the kit by layer, lowest first. A part imports from parts of lower layers only, types included; what
 * must act on a part above fills a slot or is registered where the modules are mounted. `fields/*` are the kinds of
 * fields, `fields/web` their browser halves.
 */
const KIT_LAYERS: readonly (readonly string[])[] = [
  ['base'],
  ['fields/base'],
  ['fields/*'],
  ['fields/datetime'],
  ['fields'],
  ['resource'],
  ['server/base', 'web/base'],
  ['server/database', 'server/meters', 'server/storage', 'web/http', 'web/theme'],
  ['server/shared', 'web/live'],
  ['server/broker', 'server/jobs', 'server/live', 'server/query', 'server/security', 'web/parts'],
  ['server/module', 'web/session'],
  ['server/request', 'web/inputs'],
  ['server/resource', 'fields/web'],
  ['server/history', 'server/lists', 'server/outbox', 'server/sheets', 'web/row'],
  ['server/mount', 'server/reports', 'web/form'],
  ['web/detail'],
  ['web/list'],
  ['web/page'],
]
const declared = new Set(KIT_LAYERS.flat())

/** Returns the part a file belongs to, `server/database` for `kit/server/database/db.ts`. */
function partOf(file: string): string {
  const [, area, folder, name] = file.split('/')
  if (area === 'fields' && /\.web\.tsx$|\/(web|web-kind)\.ts$/.test(file)) return 'fields/web'
  if (name === undefined) return declared.has(area!) ? area! : `${area}/${folder}`
  const part = `${area}/${folder}`
  return area === 'fields' && !declared.has(part) ? 'fields/*' : part
}

/** Returns the files of this project that a file imports, for types too. */
const importsOf = (file: string): string[] =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/(?:from|import|import\() ?'([.#][^']+)'/g)].map(([, path]) =>
    path!.startsWith('#') ? path!.slice(1) : join(dirname(file), path!),
  )

/** Returns the files of the kit that each of its files imports, for types too; tests are left out. */
export function kitImports(): Map<string, Set<string>> {
  const files = globSync('kit/**/*.{ts,tsx}', { cwd: root }).filter((file) => !/\.(test|test-d|child)\./.test(file))
  const known = new Set(files)
  return new Map(files.sort().map((file) => [file, new Set(importsOf(file).filter((path) => known.has(path)))]))
}

/** Returns the parts that each part imports from. */
function partsUsed(imports: ReadonlyMap<string, ReadonlySet<string>>): Map<string, Set<string>> {
  const used = new Map<string, Set<string>>()
  for (const [file, others] of imports) {
    const part = partOf(file)
    const below = used.get(part) ?? new Set()
    for (const other of others) if (partOf(other) !== part) below.add(partOf(other))
    used.set(part, below)
  }
  return used
}

/** Returns what breaks the layers: a part without one, an import that does not go down, a circle of files. */
export function layerFaults(imports: ReadonlyMap<string, ReadonlySet<string>> = kitImports()): string[] {
  const layerOf = new Map(KIT_LAYERS.flatMap((parts, layer) => parts.map((part) => [part, layer] as const)))
  const parts = new Set([...imports.keys()].map(partOf))
  /** Whether a file may import another: of its own part, or of a lower layer. A kind of field knows no other kind. */
  const isBelow = (other: string, file: string) =>
    partOf(other) === partOf(file)
      ? partOf(file) !== 'fields/*' || dirname(other) === dirname(file)
      : layerOf.get(partOf(other))! < layerOf.get(partOf(file))!
  const upward = [...imports].flatMap(([file, others]) =>
    [...others]
      .filter((other) => !isBelow(other, file))
      .map((other) => `${file} imports ${other}, which is not below it`),
  )
  return [
    ...[...parts].filter((part) => !layerOf.has(part)).map((part) => `${part} has no layer`),
    ...[...layerOf.keys()].filter((part) => !parts.has(part)).map((part) => `${part} has a layer and no files`),
    ...upward,
    ...[...imports.keys()].flatMap((file) => findCycle(imports, file)?.join(' → ') ?? []),
  ]
}

/** What the kit's own tests may stand on: the kit, the support of tests that needs no product, a database server. */
const UNDER_KIT_TESTS = /^(kit|tests\/support|apps\/database)\//

/** Returns the tests of the kit that reach a module, an app or a simulator, each with the path there. */
export function kitTestsBeyond(): string[] {
  const known = new Map<string, string[]>()
  const next = (file: string) =>
    known.get(file) ?? known.set(file, existsSync(join(root, file)) ? importsOf(file) : []).get(file)!
  const pathBeyond = (file: string, seen: Set<string>): string[] | undefined => {
    if (!UNDER_KIT_TESTS.test(file)) return [file]
    if (seen.has(file)) return undefined
    seen.add(file)
    for (const other of next(file)) {
      const path = pathBeyond(other, seen)
      if (path) return [file, ...path]
    }
    return undefined
  }
  return globSync('kit/**/*.test.{ts,tsx}', { cwd: root })
    .sort()
    .flatMap((file) => pathBeyond(file, new Set())?.join(' → ') ?? [])
}

/** Returns the files of the product that import what is there for tests. */
export const productOnTests = (): string[] =>
  globSync('{kit,domains,apps}/**/*.{ts,tsx}', { cwd: root, exclude: ['**/node_modules/**', '**/dist/**'] })
    .filter((file) => !/\.(test|test-d|child)\.|\/test-[\w-]+\.tsx?$/.test(file))
    .filter((file) => importsOf(file).some((path) => path.startsWith('tests/')))
    .sort()

/** Draws the layers, highest first, each part with those it imports from. */
export function drawKitLayers(): string {
  const used = partsUsed(kitImports())
  const line = (part: string) => `  ${part}  [${[...used.get(part)!].sort().join(' ') || 'uses no other part'}]`
  return KIT_LAYERS.map((parts, layer) => [`layer ${layer}`, ...parts.map(line)].join('\n'))
    .toReversed()
    .join('\n')
}
