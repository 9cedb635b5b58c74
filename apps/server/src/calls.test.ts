import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRegistry, routesOfRooms } from '#kit/server/request/mount.ts'
import { basic, type Answer } from '#kit/testing/server.ts'
import { wireFaults } from '#kit/testing/world.ts'
import { expectedCalls, ROLES, type Expected } from './test-calls.ts'
import { rooms } from './rooms.ts'
import { anotherSession, call, lastOf, openProduct, people, product, question, QUESTIONS } from './test-questions.ts'

/**
 * What does not follow from a declaration: calls rooms write beside theirs, each with the shape of its answer, and what
 * a declared call answers otherwise. `.` is what follows.
 */
const [head, ...lines] = readFileSync(new URL('./calls.fixture.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.split('\t'))
type Exception = { method: string; path: string; reason: string } & Expected
const exceptions = lines.map((cells) => Object.fromEntries(head!.map((name, at) => [name, cells[at]])) as Exception)
const nameOf = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`
const CELLS = ['shape', ...ROLES, 'nobody'] as const
const FOLLOWS = '.'

beforeAll(openProduct)
afterAll(() => product?.close())

const registry = createRegistry(rooms)
const families = [...registry.served.values()]
const { declared, expectedOf } = expectedCalls(families, (call) => call in QUESTIONS)
/** What follows for the calls of rooms; those of the kit and the assembly belong to no family. */
const following = new Map(routesOfRooms(registry).map((mounted) => [nameOf(mounted), expectedOf(mounted)]))

type Row = { name: string; method: string; path: string } & Expected
/** Every call with what it answers: declared ones, and those of the table. */
const rows = [...new Set([...declared, ...exceptions.map(nameOf)])].map((name): Row => {
  const [method, path] = name.split(' ') as [string, string]
  const exception = exceptions.find((one) => nameOf(one) === name)
  const said = CELLS.flatMap((cell) => (exception && exception[cell] !== FOLLOWS ? [[cell, exception[cell]]] : []))
  return { name, method, path, ...(following.get(name) as Expected), ...Object.fromEntries(said) }
})
const cases = (some: readonly Row[]) => some.map((row) => [row.name, row] as const)

function shapeFaults(shape: string, answer: Answer): string[] {
  const [kind, keys = ''] = shape.split(':')
  const has = (value: any) =>
    keys
      ? keys
          .split(',')
          .filter((key) => !(key in (value ?? {})))
          .map((key) => `no ${key}`)
      : []
  const nodes = (list: any[]): string[] =>
    list.flatMap((node) => [
      ...['id', 'parentId', 'title', 'key', 'value']
        .filter((key) => typeof node[key] !== 'string')
        .map((key) => `a node without ${key}`),
      ...nodes(node.children ?? []),
    ])
  const { data, body } = answer
  if (kind === 'file')
    return /spreadsheet|octet-stream|excel/.test(String(answer.headers['content-type'])) &&
      /attachment/.test(String(answer.headers['content-disposition']))
      ? []
      : [`no file: ${String(answer.headers['content-type'])}`]
  if (kind === 'bare') return [...has(body), ...('code' in body ? ['a bare body with a code'] : [])]
  const faults = [
    ...(body?.code === 200 && body.success === true && typeof body.msg === 'string' ? [] : ['no envelope']),
    ...wireFaults(body),
  ]
  if (kind === 'page')
    return [
      ...faults,
      ...(Array.isArray(data?.records) &&
      ['total', 'size', 'current', 'pages'].every((key) => Number.isInteger(data[key]))
        ? []
        : ['no page']),
    ]
  if (kind === 'array') return [...faults, ...(Array.isArray(data) ? [] : ['no array'])]
  if (kind === 'tree') return [...faults, ...(Array.isArray(data) ? nodes(data).slice(0, 3) : ['no array'])]
  if (kind === 'object' || kind === 'done')
    return [...faults, ...(typeof data === 'object' && !Array.isArray(data) ? has(data) : ['no object'])]
  return faults
}

test('every call that is mounted is declared or has a row, one each, and there is none for what is not there', () => {
  /** One never ends, the other leads away: both are held to their own promises. */
  const APART = ['GET /api/live', 'ANY /api/blade-auth/oauth/callback/:source']
  const mounted = [...new Set(product.world.routes.map(nameOf))]
  const told = rows.map(({ name }) => name)
  const written = exceptions.map(nameOf)
  expect(
    mounted.filter((one) => !told.includes(one) && !APART.includes(one)),
    'mounted, neither declared nor in the table',
  ).toEqual([])
  expect(
    told.filter((one) => !mounted.includes(one)),
    'declared or in the table, and not mounted',
  ).toEqual([])
  expect(
    written.filter((one, at) => written.indexOf(one) !== at),
    'twice in the table',
  ).toEqual([])
})

test('the table says nothing that follows, leaves nothing open, and gives a reason where it differs', () => {
  const faults = exceptions.flatMap((row) => {
    const name = nameOf(row)
    const follows: Partial<Expected> = following.get(name) ?? {}
    const differing = CELLS.filter((cell) => row[cell] !== FOLLOWS)
    const isAnswered = rows.some((one) => one.name === name && ROLES.some((role) => one[role] === '200'))
    const needsReason = declared.includes(name) || differing.some((cell) => cell !== 'shape')
    return [
      ...differing.filter((cell) => row[cell] === follows[cell]).map((cell) => `${name}: ${cell} follows`),
      ...CELLS.filter((cell) => row[cell] === FOLLOWS && !follows[cell] && (cell !== 'shape' || isAnswered)).map(
        (cell) => `${name}: ${cell} is said nowhere`,
      ),
      ...(declared.includes(name) && !differing.length ? [`${name}: all of it follows`] : []),
      ...(needsReason && (!row.reason || row.reason === FOLLOWS) ? [`${name}: no reason`] : []),
    ]
  })
  expect(faults).toEqual([])
})

describe.each(ROLES)('as %s', (who) => {
  test.each(cases(rows))('%s answers as the wire contract says', async (_name, row) => {
    const person = row.path.endsWith('/logout') ? await anotherSession(who) : people[who]
    const answer = await call(person, row.method, row.path, await question(row, person))
    expect([
      answer.status,
      answer.status === 200 || answer.code === answer.status,
      answer.status === 200 ? '' : answer.msg,
    ]).toEqual([Number(row[who]), true, answer.status === 200 ? '' : expect.stringMatching(/./)])
    if (answer.status === 200) expect(shapeFaults(row.shape, answer)).toEqual([])
    else expect([answer.success, wireFaults(answer.body)]).toEqual([false, []])
    // Nobody has more than so many tasks under way.
    if (row.method === 'POST' && row.path.endsWith('/export') && answer.status === 200)
      await call(person, 'POST', `/api/kit/tasks/${answer.data.id}/remove`)
  })
})

describe('a stranger, administrator of another tenant', () => {
  const pointed = rows.filter((row) => ['detail', 'remove'].includes(lastOf(row)))
  test.each(cases(pointed))('%s finds nothing of ours', async (_name, row) => {
    const served = [...product.world.registry.served.values()].find(({ resource }) =>
      row.path.startsWith(`${resource.path}/`),
    )
    const answer = await call(people.stranger, row.method, row.path, await question(row, people.stranger))
    if (served?.resource.tenancy === 'platform' && lastOf(row) === 'detail') return
    expect([403, 404, 400]).toContain(answer.status)
    expect(answer.success).toBe(false)
  })
})

describe('nobody, without a token', () => {
  test.each(cases(rows))('%s', async (_name, row) => {
    const asked = await question(row, undefined)
    const answer = await call(undefined, row.method, row.path, {
      ...asked,
      headers: { authorization: basic('script', 'script_secret'), ...asked.headers },
    })
    if (row.nobody === 'open') expect(answer.status).not.toBe(401)
    else expect([answer.status, answer.code, answer.success]).toEqual([401, 401, false])
  })
})
