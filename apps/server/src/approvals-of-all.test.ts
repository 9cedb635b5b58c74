import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RowCondition } from '#kit/fields/base/condition.ts'
import type { Action } from '#kit/resource/define-resource.ts'
import type { TestRequest, Answer } from '#tests/support/server.ts'
import type { TestCaller } from '#tests/support/world.ts'
import { bulkRoutes } from '#kit/server/lists/bulk.ts'
import { findRoute } from '#kit/server/resource/call-route.ts'
import { productModules } from './modules.ts'
import { address, fresh, here, lastOf, openProduct, people, product, question, QUESTIONS } from './test-questions.ts'

const flow = '/api/blade-flow'
/** Outcomes of a held change (dictionary `flow_change_state`). */
const [DONE, FAILED] = [2, 6]
const changeJob = productModules.flatMap(({ jobs = [] }) => jobs).find(({ queue }) => queue === 'workflow.change')!
const routeAtPath = (path: string) =>
  findRoute(product.world.registry, path) ?? bulkRoutes.find((one) => one.path === path && one.method === 'POST')!

let ruleId = ''
beforeAll(async () => {
  await openProduct()
  const { sessionId: _, ...caller } = product.cast.owner.caller
  requester = product.world.be(caller)
  const { sessionId: _session, ...boss } = (await product.server.services.access.callerOf(people.boss.token))!
  decider = product.world.be(boss)
})
afterAll(() => product?.close())

/** Asks for the acts: a caller with every permission, also when the act is executed. `decider` approves them. */
let requester: TestCaller
let decider: TestCaller
const asker = () => requester
const tenantId = () => product.tenants[0]!.tenantId
const request = (path: string, { query, body }: TestRequest): Promise<Answer> =>
  product.world.ask(asker(), 'POST', address(path), { query, body })

async function must(answer: Promise<Answer>): Promise<any> {
  const { status, data, body } = await answer
  if (status !== 200) throw new Error(JSON.stringify(body))
  return data
}

/** Puts one act behind an approval, and removes it from all others. */
async function guard(act: string): Promise<void> {
  const rule = { id: ruleId, act, name: '审批', userIds: here.boss, enabled: true, mode: 'any', tenantId: tenantId() }
  const { id } = await must(product.server.call(product.admin, 'POST', `${flow}/rule/submit`, { body: rule }))
  ruleId = id
}

async function agree(held: string): Promise<void> {
  const { world } = product
  const { records } = await must(world.ask(decider, 'GET', `${flow}/work/claim-list`, { query: { size: 100 } }))
  const { taskId, processInstanceId } = records.find((row: { businessId: string }) => row.businessId === held)
  await must(world.ask(decider, 'POST', `${flow}/work/claim-task`, { query: { taskId } }))
  const body = { taskId, processInstanceId, comment: '看过', flag: 'ok' }
  await must(world.ask(decider, 'POST', `${flow}/work/complete-task`, { body }))
}

const stateOf = async (id: string): Promise<{ state: number; outcome: string }> => {
  const { records } = await must(product.world.ask(asker(), 'GET', `${flow}/change/list`, { query: { id_in: id } }))
  return records[0]
}

/** Returns field values that meet a condition on a row. */
const meeting = (condition: RowCondition | undefined): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(condition ?? {}).flatMap(([key, test]) => {
      const value = test?.eq ?? test?.in?.[0]
      return value === undefined ? (test?.ne === '' ? [] : []) : [[key, value === '' ? null : value]]
    }),
  )

async function asks(path: string): Promise<[string, () => Promise<TestRequest>][]> {
  const named = { name: `POST ${path}`, path }
  if (QUESTIONS[named.name]) return [['', async () => question(named, undefined)]]
  const served = [...product.world.registry.served.values()]
    .filter(({ resource }) => path.startsWith(`${resource.path}/`))
    .toSorted((a, b) => b.resource.path.length - a.resource.path.length)[0]
  const last = lastOf(named)
  const given = routeAtPath(path)?.input
  if (!served && given) return [['', async () => ({ body: await product.samples.input(given, tenantId()) })]]
  if (!served || ['remove', 'export'].includes(last)) return [['', () => question(named, undefined)]]

  if (last === 'submit')
    return [
      ...(served.resource.createPath
        ? []
        : [['new', () => question(named, undefined)] as [string, () => Promise<TestRequest>]]),
      [
        'changed',
        async () => {
          const { body } = (await question(named, undefined)) as { body: Record<string, unknown> }
          if (served.resource.createPath) return { body }
          const made = await product.world.ask(asker(), 'POST', path, { body })
          const next = await product.samples.draft(served.resource, tenantId())
          const fields = served.resource.fields
          const changed = Object.entries(next).filter(
            ([key]) => (fields[key].form ?? 'edit') === 'edit' && !fields[key].to,
          )
          return { body: { id: made.data?.id ?? '1', ...Object.fromEntries(changed) } }
        },
      ],
    ]

  const [, action] = Object.entries(served.resource.actions as Record<string, Action>).find(
    ([name, one]) => path === `${served.resource.path}/${one.path ?? name}`,
  ) ?? ['', undefined]
  const { input } = routeAtPath(path)
  if (!action)
    return [
      ['', async () => (input ? { body: await product.samples.input(input, tenantId()) } : question(named, undefined))],
    ]

  return [
    [
      '',
      async () => {
        const body = await product.samples.input(action.input ?? {}, tenantId())
        if (action.on === 'toolbar') return { body }
        const id = await fresh(served.resource.name, meeting(action.enabled))
        return { query: action.on === 'row' ? { id } : { ids: id }, body }
      },
    ],
  ]
}

/** Asks for an act, approves it and executes it. Returns `done`, or why not. */
async function became(path: string, given: TestRequest): Promise<string> {
  await guard(path)
  const answer = await request(path, given)
  if (answer.status !== 202) return answer.data?.reason ?? `not held: ${answer.status}`
  const id = answer.body.data.held as string
  const route = routeAtPath(path)
  const { handle } = route
  let runs = 0
  route.handle = (call) => {
    runs++
    return handle(call)
  }
  try {
    await agree(id)
    await product.server.jobs.runDue()
    // Running the job again, as after a crash, must change nothing.
    await changeJob.run({ id }, { tenantId: tenantId(), services: product.server.services } as never)
  } finally {
    route.handle = handle
  }
  const { state, outcome } = await stateOf(id)
  if (state === FAILED) return 'failed'
  return state === DONE && runs === 1 ? 'done' : `state ${state}, done ${runs} times: ${outcome}`
}

/** Acts that test rows cannot execute (they need a platform or a second person), each with its expected outcome. */
const elsewhere = new Set(
  readFileSync(new URL('./approvals.fixture.tsv', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t').slice(0, 2).join('\t')),
)

test(
  'every act there is can be held, and is done once when it is agreed to',
  { timeout: 900_000, retry: 0 },
  async () => {
    const faults: string[] = []
    const acts: { path: string }[] = await must(product.world.ask(asker(), 'GET', `${flow}/rule/acts`))
    expect(acts.length).toBeGreaterThan(400)
    for (const { path } of acts)
      for (const [variant, make] of await asks(path)) {
        await guard(`${flow}/away/remove`)
        const what = await became(path, await make())
        if (what === 'done' || (/^\w+$/.test(what) && elsewhere.has(`${path}\t${variant}`))) continue
        faults.push([path, variant, what].join('\t'))
      }
    expect(faults).toEqual([])
    const paths = new Set(acts.map(({ path }) => path))
    expect(
      [...elsewhere].filter((line) => !paths.has(line.split('\t')[0]!)),
      'said of an act there is not',
    ).toEqual([])
  },
)
