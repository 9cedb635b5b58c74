import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Field } from '#kit/fields/field-kind.ts'
import { targetsOf, toSqlName, unreachableStates } from '#kit/resource/index.ts'
import { createModuleRegistry } from '#kit/server/request/mount.ts'
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

/** Assignments of SQL texts that change rows: `[table or "", column]`. A table the program chooses is "". */
function assignmentsIn(text: string): [table: string, column: string][] {
  const set =
    /(?:update\s+(?:only\s+)?("?\w+"?|\$\{[^}]*\}["`)}]*)(?:\s+(?:as\s+)?\w+)?\s+)?\bset\s+([\s\S]*?)(?=\bwhere\b|\bfrom\b|\breturning\b|$)/gi
  const conflict =
    /insert\s+into\s+("?\w+"?)[\s\S]*?on\s+conflict[^;]*?do\s+update\s+set\s+([\s\S]*?)(?=\bwhere\b|\breturning\b|$)/gi
  return [set, conflict].flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap(([, table = '', list]) =>
      [...list!.matchAll(/(?:^|[\s,])"?(\w+)"?\s*=(?!=)/g)].map(
        ([, column]) => [table.startsWith('$') ? '' : table.replaceAll('"', ''), column!] as [string, string],
      ),
    ),
  )
}

/** Template texts of a file, with the texts nested in them. */
const templatesOf = (source: string): string[] => source.split('`').filter((text) => /\bset\b/i.test(text))

/** `file resource` of every statement that writes a declared state without a move. */
const writtenByHand = (): string[] => {
  const found = new Set<string>()
  for (const [file, source] of sources)
    for (const text of templatesOf(source))
      for (const [table, column] of assignmentsIn(text))
        for (const { name, table: own, states } of stateful)
          if (toSqlName(states.field) === column && (table === own || (!table && isNear(file, name))))
            found.add(`${file} ${name}`)
  return [...found].sort()
}
/** Whether a file that names no table is of the module that declares the resource. */
const isNear = (file: string, name: string): boolean =>
  exported.some((one) => one.name === name && dirname(one.file) === dirname(file))

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
    const unused = Object.keys(machine.moves).filter((move) => !users.some((source) => source.includes(`'${move}'`)))
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
