import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Field } from '#kit/fields/base/field-kind.ts'
import { targetsOf, toSqlName, unreachableStates } from '#kit/resource/index.ts'
import { createModuleRegistry } from '#kit/server/mount/mount.ts'
import { dictionaryOfStates, statefulResources } from '../../../scripts/state-diagrams.ts'
import { productModules } from './modules.ts'
import { STATES_LEFT, UNDECLARED_STATES } from './states.fixture.ts'

const root = join(import.meta.dirname, '../../..')
const registry = createModuleRegistry(productModules)
const stateful = statefulResources(registry)
const sources = new Map(
  globSync('domains/**/*.ts', {
    cwd: root,
    exclude: (path) => /node_modules|\.test(-d)?\.|\.demo\.|\/test-/.test(path),
  })
    .sort()
    .map((file) => [file, readFileSync(join(root, file), 'utf8')] as const),
)

/** Names under which modules export resources, with the file. */
const exported = [...sources].flatMap(([file, source]) =>
  [...source.matchAll(/export const (\w+) = defineResource\(\{\s*name: '(\w+)'/g)].map(([, constant, name]) => ({
    file,
    constant: constant!,
    name: name!,
  })),
)

/** Template texts of a source: what the program puts into one is `?`, and templates in there stand by themselves. */
function templatesOf(source: string): string[] {
  const texts: string[] = []
  const open: { text: string; depth: number }[] = []
  for (let at = 0; at < source.length; at++) {
    const last = open.at(-1)
    const char = source[at]!
    const isInside = last?.depth === 0
    if (char === '\\') at++
    else if (isInside && char === '`') texts.push(open.pop()!.text)
    else if (isInside && source.startsWith('${', at)) {
      last.text += '?'
      last.depth = 1
      at++
    } else if (isInside) last.text += char
    else if (char === '`') open.push({ text: '', depth: 0 })
    else if (last && char === '{') last.depth++
    else if (last && char === '}') last.depth--
  }
  return texts
}

const CLAUSE_END = String.raw`(?=\bwhere\b|\bfrom\b|\breturning\b|$)`
const SET = new RegExp(
  String.raw`(?:update\s+("?[\w?]+"?)(?:\s+(?:as\s+)?\w+)?\s+)?(?<!\bdo\s+update\s+)\bset\s+([\s\S]*?)${CLAUSE_END}`,
  'gi',
)
const UPSERT = new RegExp(
  String.raw`insert\s+into\s+("?[\w?]+"?)[\s\S]*?on\s+conflict[^;]*?do\s+update\s+set\s+([\s\S]*?)${CLAUSE_END}`,
  'gi',
)

/** Columns an SQL text assigns to, with the table; `?` is a table the program chooses, or one not named here. */
const assignmentsIn = (text: string): { table: string; column: string }[] =>
  [SET, UPSERT].flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap(([, table = '?', list]) =>
      [...list!.matchAll(/(?:^|[\s,])"?(\w+)"?\s*=(?!=)/g)].map(([, column]) => ({
        table: table.replaceAll('"', ''),
        column: column!,
      })),
    ),
  )

/** `file resource` of every statement that writes a declared state without a move. */
const writtenByHand = (): string[] =>
  [...sources]
    .flatMap(([file, source]) => {
      const assigned = templatesOf(source).flatMap(assignmentsIn)
      const within = (has: (resource: (typeof stateful)[number], table: string) => boolean) =>
        stateful.filter((resource) =>
          assigned.some(({ table, column }) => column === toSqlName(resource.states.field) && has(resource, table)),
        )
      const named = within((resource, table) => table === resource.table)
      const meant = named.length ? named : within((resource, table) => table === '?' && isNear(source, resource))
      return meant.map(({ name }) => `${file} ${name}`)
    })
    .sort()

/** Whether a statement that names no table may be about a resource: the file names it or its table. */
const isNear = (source: string, { name, table }: { name: string; table: string }): boolean =>
  exported.some(
    (one) => one.name === name && [one.constant, table].some((word) => new RegExp(`\\b${word}\\b`).test(source)),
  )

describe.each(stateful.map((resource) => [resource.name, resource] as const))('the states of %s', (name, resource) => {
  const { states, fields } = resource
  const machine = states

  test('are the entries of their dictionary, all reached from those rows begin in', () => {
    const stored = Object.values(machine.values).filter((value) => value !== null)
    const entries = dictionaryOfStates(productModules, resource)?.entries.map(({ key }) => key) ?? []
    expect(stored.map(String).sort()).toEqual([...entries].sort())
    expect(unreachableStates(machine)).toEqual([])
    const named = Object.values(machine.moves).flatMap((move) => [...move.from, ...targetsOf(move)])
    expect([...machine.initial, ...named].filter((state) => !(state in machine.values))).toEqual([])
  })

  test('are not edited in a form', () => {
    expect(['read', 'hidden', undefined]).toContain((fields[machine.field] as Field).form)
  })

  test('are changed by every declared move', () => {
    const constants = exported.filter((one) => one.name === name).map(({ constant }) => constant)
    const users = [...sources.values()].filter((source) =>
      constants.some((constant) =>
        new RegExp(`\\b(?:transition|transitionAll|requireTransition|MoveName)\\b[^;]*\\b${constant}\\b`).test(source),
      ),
    )
    const unused = Object.entries(machine.moves)
      .filter(([, { by }]) => !by)
      .map(([move]) => move)
      .filter((move) => !users.some((source) => source.includes(`'${move}'`)))
    expect(unused).toEqual([])
  })
})

test('a declared state is written by moves alone, but for the statements that are left', () => {
  expect(writtenByHand()).toEqual(Object.keys(STATES_LEFT).sort())
})

test('a field of states belongs to a declaration of states, but for those that are left', () => {
  const undeclared = [...registry.served.values()].flatMap(({ resource }) =>
    Object.entries(resource.fields as Record<string, Field>)
      .filter(([key, field]) => field.kind === 'dict' && /(^s|S)tat(e|us)$/.test(key) && field.dict !== 'yes_no')
      .filter(([key, field]) => resource.states?.field !== key && !field.computed && !resource.appendOnly)
      .map(([key]) => `${resource.name}.${key}`),
  )
  expect(undeclared.sort()).toEqual(Object.keys(UNDECLARED_STATES).sort())
})
