// npm run derived: writes docs/derived, which shows reviewers what a change of declarations brings about; with --check
// only compares.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { kitRoutes } from '#kit/server/mount/kit-routes.ts'
import { declaredMenuRows } from '../kit/server/mount/menus.ts'
import { createModuleRegistry } from '#kit/server/mount/mount.ts'
import { refusalCatalogue } from '../kit/server/base/refused.ts'
import type { AccessRule } from '../kit/server/module/module.ts'
import { proposeNoTransactionMigration, proposeMigration, schemaSql, type Schema } from '#kit/server/database/schema.ts'
import { productModules } from '../apps/server/src/modules.ts'
import { openStatesOf, outboundCalls } from '../kit/server/outbox/index.ts'
import { crossings, keptForAllKinds } from './across-tenants.ts'
import { drawKitLayers } from './kit-layers.ts'
import { moduleLayers, moduleDependencies } from './module-layers.ts'
import { menusWithoutPage } from './pages.ts'
import { stateDiagrams } from './state-diagrams.ts'
import { machinerySql, questionsOfMigrations, wantedSchema } from './schema.ts'

const folder = new URL('../docs/derived/', import.meta.url)
const registry = createModuleRegistry(productModules)
const routes = [...registry.routes, ...kitRoutes]
const doorOf = (can: AccessRule) =>
  typeof can === 'string'
    ? can
    : Array.isArray(can)
      ? can.join(' | ')
      : Object.entries(can)
          .map(([door, why]) => `${door}: ${why}`)
          .join()
const menus = declaredMenuRows(registry)
const byId = new Map(menus.map((row) => [row.id, row]))
const depth = (id: string): number => (byId.has(id) ? 1 + depth(byId.get(id)!.parentId) : -1)
const children = (parentId: string): typeof menus =>
  menus
    .filter((row) => row.parentId === parentId)
    .sort((a, b) => a.sort - b.sort)
    .flatMap((row) => [row, ...children(row.id)])

const uses = moduleDependencies()
const labelOf = (name: string) => productModules.find((module) => module.name === name)?.label
const moduleLine = (name: string) =>
  `  ${name}  ${labelOf(name)!.zh} · ${labelOf(name)!.en}  ` +
  `[${[...uses.get(name)!].sort().join(' ') || 'uses no other module'}]`

/** Describes a declared call of another system: its states, how an unclear one is cleared up, and its sweep. */
const callLines = outboundCalls()
  .map(({ definition: { queue, rows, states, sweep, find, isRepeatable, attemptsMax } }) => {
    const { done, failed, unknown, expired } = states
    const ends = [...new Set([done, failed, unknown, expired].filter((one) => one !== undefined))]
    const unclear = [...(find ? ['asked about'] : []), ...(isRepeatable ? ['repeated under its number'] : [])]
    const limit = attemptsMax ? `, ${attemptsMax} attempts` : ''
    return (
      `${queue}  ${rows.name}: ${[...new Set(openStatesOf(states))].join(' → ')} → ${ends.join(' | ')}` +
      `  unclear: ${unclear.join(', or ') || `ends as ${unknown}`}${limit}  sweep: ${sweep.queue} ${sweep.cron}`
    )
  })
  .sort()

const files: Record<string, string> = {
  'modules.txt': moduleLayers(uses)
    .map((names, layer) => [`layer ${layer}`, ...names.map(moduleLine)].join('\n'))
    .toReversed()
    .join('\n'),
  'kit-layers.txt': drawKitLayers(),
  'routes.txt': routes
    .map((one) => `${one.method.padEnd(4)} ${one.path}  [${doorOf(one.can)}]  ${one.title.en}`)
    .sort()
    .join('\n'),
  'permissions.txt': [...new Set(menus.map((row) => row.code))].sort().join('\n'),
  'menus.txt': children('0')
    .map(
      (row) =>
        `${'  '.repeat(depth(row.id))}${row.category === 1 ? row.path : `· ${row.code}`}  ${row.label.zh} · ` +
        `${row.label.en}`,
    )
    .join('\n'),
  'refusals.txt': [...refusalCatalogue()]
    .map(
      ([code, words]) =>
        `${code} ${words.status ?? 400}  ${words.zh} · ` +
        `${words.en}${words.none ? ` | ${words.none.zh} · ${words.none.en}` : ''}`,
    )
    .sort()
    .join('\n'),
  'across-tenants.txt': crossings().join('\n'),
  'outbound-calls.txt': callLines.join('\n'),
  'kept-for-all.txt': keptForAllKinds().join('\n'),
  'states.md': stateDiagrams(productModules, registry),
  'schema.sql': `${machinerySql}\n${schemaSql(wantedSchema())}`,
}

const pageless = await menusWithoutPage(registry)
if (pageless.length) console.error(pageless.join('\n'))

const isCheck = process.argv.includes('--check')
mkdirSync(folder, { recursive: true })
const stale = Object.entries(files).filter(([name, text]) => {
  const url = new URL(name, folder)
  return !existsSync(url) || readFileSync(url, 'utf8') !== `${text}\n`
})
if (isCheck) {
  const was = JSON.parse(readFileSync(new URL('../migrations/schema.json', import.meta.url), 'utf8')) as Schema
  const missing = [...proposeNoTransactionMigration(was, wantedSchema()), ...proposeMigration(was, wantedSchema())]
  if (missing.length)
    console.error(`The declarations want a migration (npm run migration):\n${missing.slice(0, 10).join('\n')}`)
  const undecided = questionsOfMigrations()
  if (undecided.length) console.error(`These migrations still ask somebody to decide:\n${undecided.join('\n')}`)
  if (stale.length)
    console.error(`docs/derived is not up to date (npm run derived): ${stale.map(([name]) => name).join(', ')}`)
  process.exit(missing.length || undecided.length || stale.length || pageless.length ? 1 : 0)
}
for (const [name, text] of stale) writeFileSync(new URL(name, folder), `${text}\n`)
console.log(
  stale.length ? `docs/derived: ${stale.map(([name]) => name).join(', ')} written` : 'docs/derived is up to date',
)
process.exitCode = pageless.length ? 1 : 0
