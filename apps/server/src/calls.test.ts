import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '#kit/server/base/caller.ts'
import { refusalResponse } from '#kit/server/request/envelope.ts'
import { createModuleRegistry } from '#kit/server/mount/mount.ts'
import { accessRefusal, isTerminalAccess } from '#kit/server/request/permit.ts'
import { isWhole, oneOfEach } from '#tests/support/whole.ts'
import { basic, type Answer } from '#tests/support/server.ts'
import { wireFaults } from '#tests/support/world.ts'
import { expectedCalls, ROLES, type Expected, type Role } from './test-calls.ts'
import { productModules } from './modules.ts'
import {
  address,
  anotherSession,
  call,
  lastOf,
  openProduct,
  people,
  product,
  question,
  QUESTIONS,
} from './test-questions.ts'

/**
 * Answers that do not follow from declarations: routes modules write themselves, with the schema of their answers, and
 * declared routes that answer differently. `.` means as declared.
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

const registry = createModuleRegistry(productModules)
const resources = [...registry.served.values()]
const { declared, expectedOf } = expectedCalls(resources, (call) => call in QUESTIONS)
/** The expectations for routes of modules; routes of the kit and of this application belong to no resource. */
const following = new Map(registry.routes.map((mounted) => [nameOf(mounted), expectedOf(mounted)]))

type Row = { name: string; method: string; path: string } & Expected
/** All routes with their expected answers: the declared ones and those of the table. */
const rows = [...new Set([...declared, ...exceptions.map(nameOf)])].map((name): Row => {
  const [method, path] = name.split(' ') as [string, string]
  const exception = exceptions.find((one) => nameOf(one) === name)
  const own = CELLS.flatMap((cell) => (exception && exception[cell] !== FOLLOWS ? [[cell, exception[cell]]] : []))
  return { name, method, path, ...(following.get(name) as Expected), ...Object.fromEntries(own) }
})

const keyFaults = (value: any, keys: string): string[] =>
  keys
    .split(',')
    .filter((key) => key && !(key in (value ?? {})))
    .map((key) => `no ${key}`)

const nodeFaults = (nodes: any[]): string[] =>
  nodes.flatMap((node) => [
    ...['id', 'parentId', 'title', 'key', 'value']
      .filter((key) => typeof node[key] !== 'string')
      .map((key) => `a node without ${key}`),
    ...nodeFaults(node.children ?? []),
  ])

const fileFaults = ({ headers }: Answer): string[] =>
  /spreadsheet|octet-stream|excel/.test(String(headers['content-type'])) &&
  /attachment/.test(String(headers['content-disposition']))
    ? []
    : [`no file: ${String(headers['content-type'])}`]

const envelopeFaults = ({ body }: Answer): string[] => [
  ...(body?.code === 200 && body.success === true && typeof body.msg === 'string' ? [] : ['no envelope']),
  ...wireFaults(body),
]

const isPage = (data: any): boolean =>
  Array.isArray(data?.records) && ['total', 'size', 'current', 'pages'].every((key) => Number.isInteger(data[key]))

const objectFaults = (data: unknown, keys: string): string[] =>
  typeof data === 'object' && !Array.isArray(data) ? keyFaults(data, keys) : ['no object']

/** Faults of the data of an envelope, by the shape it is declared with. */
const dataFaults: Record<string, (data: any, keys: string) => string[]> = {
  page: (data) => (isPage(data) ? [] : ['no page']),
  array: (data) => (Array.isArray(data) ? [] : ['no array']),
  tree: (data) => (Array.isArray(data) ? nodeFaults(data).slice(0, 3) : ['no array']),
  object: objectFaults,
  done: objectFaults,
}

function shapeFaults(shape: string, answer: Answer): string[] {
  const [kind, keys = ''] = shape.split(':') as [string, string?]
  const { data, body } = answer
  if (kind === 'file') return fileFaults(answer)
  if (kind === 'bare') return [...keyFaults(body, keys), ...('code' in body ? ['a bare body with a code'] : [])]
  return [...envelopeFaults(answer), ...(dataFaults[kind]?.(data, keys) ?? [])]
}

test('every call that is mounted is declared or has a row, one each, and there is none for what is not there', () => {
  /** Tested elsewhere: one never ends, the other redirects. */
  const APART = ['GET /api/live', 'ANY /api/blade-auth/oauth/callback/:source']
  const mounted = [...new Set(product.world.routes.map(nameOf))]
  const names = rows.map(({ name }) => name)
  const written = exceptions.map(nameOf)
  expect(
    mounted.filter((one) => !names.includes(one) && !APART.includes(one)),
    'mounted, neither declared nor in the table',
  ).toEqual([])
  expect(
    names.filter((one) => !mounted.includes(one)),
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

/** Calls a route as a role. Returns how the answer differs from the expected one. */
async function faultsOf(row: Row, who: Role): Promise<string[]> {
  const person = row.path.endsWith('/logout') ? await anotherSession(who) : people[who]
  const answer = await call(person, row.method, row.path, await question(row, person))
  // Removed, since each user may have only so many tasks.
  if (row.method === 'POST' && row.path.endsWith('/export') && answer.status === 200)
    await call(person, 'POST', `/api/kit/tasks/${answer.data.id}/remove`)
  const faults =
    answer.status === 200
      ? shapeFaults(row.shape, answer)
      : [
          ...(answer.code === answer.status && answer.success === false ? [] : ['no envelope of a refusal']),
          ...(answer.msg ? [] : ['no sentence']),
          ...wireFaults(answer.body),
        ]
  return [
    ...(answer.status === Number(row[who]) ? faults : [`${answer.status} instead of ${row[who]} (${answer.msg})`]),
  ]
}

/** Like `faultsOf`, without a token. */
async function faultsWithoutToken(row: Row): Promise<string[]> {
  const request = await question(row, undefined)
  const { status, code, success } = await call(undefined, row.method, row.path, {
    ...request,
    headers: { authorization: basic('script', 'script_secret'), ...request.headers },
  })
  const isTurnedAway = status === 401 && code === 401 && success === false
  if (row.nobody === 'open') return status === 401 ? ['401 instead of an answer'] : []
  return isTurnedAway ? [] : [`${status} instead of 401`]
}

/** Makes the calls over HTTP one after the other. Returns each fault with the route and the role. */
async function faultsOverWire(calls: readonly { row: Row; who: Role | 'nobody' }[]): Promise<string[]> {
  const faults: string[] = []
  for (const { row, who } of calls) {
    const found = await (who === 'nobody' ? faultsWithoutToken(row) : faultsOf(row, who))
    faults.push(...found.map((fault) => `${row.name} as ${who}: ${fault}`))
  }
  return faults
}

/** Returns the resource of a route, or the first parts of its path when it belongs to none. */
const resourceOf = ({ path }: Row): string =>
  resources.find(({ resource }) => path.startsWith(`${resource.path}/`))?.resource.name ??
  path.split('/').slice(0, 4).join('/')

const kindsOf = ({ row }: { row: Row }): string[] => [`${row.method} ${lastOf(row)}`, resourceOf(row)]

/**
 * Returns the status with which a caller is refused before the handler, undefined when let in. Uses the same function
 * as the pipeline.
 */
async function deniedAt(row: Row, callers: Record<Role, Caller>, who: Role | 'nobody'): Promise<number | undefined> {
  const { services, routes } = product.world
  const spec = routes.find((one) => nameOf(one) === row.name)!
  const caller = who === 'nobody' || isTerminalAccess(spec.can) ? undefined : callers[who]
  const guards = { guarded: await services.access.guardedPaths(), addresses: services.registry.addresses }
  const denied = accessRefusal(caller, spec, address(row.path), guards)
  return denied && refusalResponse(denied, 'zh').status
}

describe('who may what', () => {
  type Question = { row: Row; who: Role | 'nobody'; denied: number | undefined }
  let questions: Question[]

  beforeAll(async () => {
    const callers = {} as Record<Role, Caller>
    for (const who of ROLES) callers[who] = (await product.world.services.access.callerOf(people[who].token))!
    questions = []
    for (const row of rows)
      for (const who of [...ROLES, 'nobody'] as const)
        questions.push({ row, who, denied: await deniedAt(row, callers, who) })
  })

  /** Calls the table refuses but the access rule lets in must be refused by the handler, so they are made over HTTP. */
  const saysNo = ({ row, who }: Question) => row[who] === '401' || row[who] === '403'

  test('the door of every call turns away whom the table says', () => {
    const differing = questions
      .filter(({ row, who, denied }) => denied !== undefined && row[who] !== String(denied))
      .map(({ row, who, denied }) => `${row.name} as ${who}: ${denied} instead of ${row[who]}`)
    expect(questions.length).toBe(rows.length * (ROLES.length + 1))
    expect(differing).toEqual([])
  })

  test('every call answers in its shape, and refuses behind its door whom the table says', async () => {
    const letIn = questions.filter(({ who, denied }) => denied === undefined && who !== 'nobody')
    const calls = rows.flatMap((row) => {
      const [first, ...others] = letIn
        .filter((one) => one.row === row)
        // Callers who are answered come first, so that the answer's schema is checked.
        .sort((one, other) => Number(other.row[other.who] === '200') - Number(one.row[one.who] === '200'))
      if (!first) return []
      return [first, ...others.filter((one) => saysNo(one) || row[one.who] !== row[first.who])]
    })
    expect(calls.length).toBeGreaterThan(rows.length / 2)
    // Removals come last, since other calls need the rows.
    const isLast = ({ row }: Question) => Number(lastOf(row) === 'remove')
    expect(await faultsOverWire(calls.toSorted((one, other) => isLast(one) - isLast(other)))).toEqual([])
  })

  test('who is turned away is told so over the wire, by each kind of call and each resource', async () => {
    const turnedAway = questions.filter(({ denied }) => denied !== undefined)
    const calls = [
      ...oneOfEach(
        turnedAway.filter(({ who }) => who === 'nobody'),
        kindsOf,
      ),
      ...oneOfEach(
        turnedAway.filter(({ who }) => who !== 'nobody'),
        kindsOf,
      ),
    ]
    expect(calls.length).toBeGreaterThan(resources.length)
    expect(await faultsOverWire(calls)).toEqual([])
  })

  test('what is open answers who has no token', async () => {
    const open = questions.filter(({ who, denied }) => who === 'nobody' && denied === undefined)
    expect(open.length).toBeGreaterThan(0)
    expect(await faultsOverWire(open)).toEqual([])
  })
})

/** Every route is called by every role. */
const LONG_MS = 600_000

describe.runIf(isWhole)('asked over the wire by everybody', () => {
  test.each(ROLES)('every call answers %s as the wire contract says', { timeout: LONG_MS }, async (who) => {
    expect(await faultsOverWire(rows.map((row) => ({ row, who })))).toEqual([])
  })
  test('no call answers who has no token', { timeout: LONG_MS }, async () => {
    expect(await faultsOverWire(rows.map((row) => ({ row, who: 'nobody' as const })))).toEqual([])
  })
})

test('an administrator of another tenant finds nothing of ours', async () => {
  const pointed = rows.filter((row) => ['detail', 'remove'].includes(lastOf(row)))
  const called = isWhole ? pointed : oneOfEach(pointed, (row) => kindsOf({ row }))
  const faults: string[] = []
  for (const row of called) {
    const served = resources.find(({ resource }) => row.path.startsWith(`${resource.path}/`))
    const answer = await call(people.stranger, row.method, row.path, await question(row, people.stranger))
    if (served?.resource.tenancy === 'platform' && lastOf(row) === 'detail') continue
    if (![403, 404, 400].includes(answer.status) || answer.success) faults.push(`${row.name}: ${answer.status}`)
  }
  expect(called.length).toBeGreaterThan(resources.length / 2)
  expect(faults).toEqual([])
})
