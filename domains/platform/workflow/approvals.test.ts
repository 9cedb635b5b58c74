import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Answer, CastMember } from '#tests/support/server.ts'
import { createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'
import { sql } from '#kit/server/database/db.ts'
import { reassignTasksToDeputyJob, fireProcessTimerJob } from './process-runtime.ts'
import { flowXml, line } from './test-flows.ts'

let tenants: TestTenants
let clerk: CastMember
let boss: CastMember
let chief: CastMember
let other: CastMember
let later = 0

beforeAll(async () => {
  tenants = await createTestTenants({ now: () => new Date(Date.now() + later) })
  const codes = ['work', 'work_todo', 'flow_away', 'flow_away_add']
  clerk = await tenants.person(tenants.north, 'clerk', codes)
  boss = await tenants.person(tenants.north, 'boss', codes)
  chief = await tenants.person(tenants.north, 'chief', codes)
  other = await tenants.person(tenants.north, 'other', codes)
})
afterAll(() => tenants?.close())

const flow = '/api/blade-flow'
const admin = () => tenants.north.admin
const get = (who: CastMember, path: string, query = {}): Promise<Answer> => tenants.call(who, 'GET', path, { query })
const post = (who: CastMember, path: string, body: object = {}, query = {}): Promise<Answer> =>
  tenants.call(who, 'POST', path, { body, query })
const work = (who: CastMember, name: string, body: object) => post(who, `${flow}/work/${name}`, body)

const user = (id: string, name: string, more: string) => `<userTask id="${id}" name="${name}" ${more}/>`
const expense = (key: string, more = '') =>
  flowXml(
    `<startEvent id="s" flowable:initiator="initiator" flowable:formKey="ask"/><endEvent id="e"/>` +
      user('a', '初审', `flowable:assignee="${boss.userId}" ${more}`) +
      user('b', '复审', `flowable:assignee="${chief.userId}"`) +
      line('s', 'a') +
      line('a', 'b') +
      line('b', 'e'),
    key,
    '报销',
  )
const forms = [
  {
    key: 'ask',
    label: { zh: '报销单', en: 'Expense' },
    fields: [
      { name: 'amount', label: { zh: '金额', en: 'Amount' }, input: 'money', required: true },
      { name: 'why', label: { zh: '事由', en: 'Why' }, input: 'text', required: true },
    ],
  },
]

async function deployed(xml: string, modelKey: string, id = ''): Promise<string> {
  const model = await tenants.must(
    post(admin(), `${flow}/model/submit`, { id, modelKey, name: modelKey, modelEditorXml: xml, forms }),
  )
  await tenants.must(
    post(admin(), `${flow}/model/deploy`, {}, { modelId: model.id, category: 'flow_2', tenantIds: '' }),
  )
  const { records } = await tenants.must(
    get(admin(), `${flow}/manager/list`, { key: modelKey, descs: 'processVersion' }),
  )
  return records[0].id
}
const started = async (processDefinitionId: string, amount = '12.50') =>
  (await tenants.must(work(clerk, 'start-process', { processDefinitionId, variables: { amount, why: '出差' } })))
    .processInstanceId as string
const taskOf = async (who: CastMember, processInstanceId: string, list = 'todo-list') =>
  (await tenants.must(get(who, `${flow}/work/${list}`))).records.find(
    (row: { processInstanceId: string }) => row.processInstanceId === processInstanceId,
  )
const sign = async (who: CastMember, processInstanceId: string, flag = 'ok') => {
  const { taskId } = await taskOf(who, processInstanceId)
  return work(who, 'complete-task', { taskId, processInstanceId, comment: '看过', flag })
}
const noticesOf = (who: CastMember) =>
  tenants.services.unit({ tenantId: tenants.north.tenantId }, (db) =>
    db.query<{ content: string }>(sql`select content from notice_log where tenant_id = ${db.tenantId}
      and user_id = ${who.userId} and template = 'flow' order by id desc`),
  )

describe('a process with a form of its own', () => {
  test('is started by it, read by its fields, told to who is asked, and stands in their needs', async () => {
    const processId = await deployed(expense('expense'), 'expense')
    const start = await tenants.must(get(clerk, `${flow}/work/start-form`, { processDefinitionId: processId }))
    expect(start.form.fields).toHaveLength(2)
    const refused = await work(clerk, 'start-process', { processDefinitionId: processId, variables: { why: 'x' } })
    expect(refused.data.fields).toHaveProperty('amount')
    const id = await started(processId)
    const task = await taskOf(boss, id)
    const seen = await tenants.must(get(boss, `${flow}/work/detail`, { processInstanceId: id, taskId: task.taskId }))
    expect(seen.forms[0].values).toEqual({ amount: 12.5, why: '出差' })
    expect(seen.task).toMatchObject({ isMine: true, name: '初审', returns: [] })
    expect((await noticesOf(boss))[0]?.content).toContain('初审')
    const home = await tenants.must(get(boss, '/api/blade-flow/task/list', { mine: 'todo' }))
    expect(home.records).toMatchObject([{ name: '初审' }])
    expect((await tenants.must(get(chief, '/api/blade-flow/task/list'))).records).toEqual([])
    expect((await get(other, `${flow}/work/detail`, { processInstanceId: id })).status).toBe(404)
  })

  test('whose form is incomplete is refused when it is saved', async () => {
    for (const wrong of [
      [{ key: 'a b', label: { zh: 'x', en: 'x' }, fields: [] }],
      [{ key: 'a', label: { zh: 'x', en: '' }, fields: [] }],
      [{ ...forms[0], fields: [{ name: 'pass', label: { zh: 'x', en: 'x' }, input: 'text' }] }],
      [{ ...forms[0], fields: [{ name: 'x', label: { zh: 'x', en: 'x' }, input: 'dict' }] }],
    ]) {
      const draft = { modelKey: 'bad', name: 'x', modelEditorXml: expense('bad'), forms: wrong }
      expect((await post(admin(), `${flow}/model/submit`, draft)).data.reason).toBe('flow_bad_form')
    }
  })
})

describe('a task', () => {
  test('is handed on, lent, added to and returned, and all of it stands in the history', async () => {
    const id = await started(await deployed(expense('handed'), 'handed'))
    const { taskId } = await taskOf(boss, id)
    expect((await work(clerk, 'transfer-task', { taskId, userId: other.userId })).status).toBe(403)
    expect((await work(boss, 'transfer-task', { taskId, userId: '12345' })).status).toBe(400)
    await tenants.must(work(boss, 'transfer-task', { taskId, userId: other.userId, comment: '你来' }))
    expect(await taskOf(boss, id)).toBeUndefined()
    await tenants.must(work(other, 'delegate-task', { taskId, userId: chief.userId }))
    expect(await taskOf(chief, id)).toMatchObject({ taskId, ownerName: expect.stringMatching(/^other/) })
    await tenants.must(sign(chief, id))
    expect(await taskOf(other, id)).toMatchObject({ taskId, ownerName: '' })
    await tenants.must(work(other, 'add-sign', { taskId, userIds: boss.userId, place: 'before' }))
    expect((await sign(other, id)).data.reason).toBe('flow_waits_for_added')
    await tenants.must(sign(boss, id))
    await tenants.must(sign(other, id))
    const second = await taskOf(chief, id)
    const { task } = await tenants.must(
      get(chief, `${flow}/work/detail`, { processInstanceId: id, taskId: second.taskId }),
    )
    expect(task.returns).toEqual([{ node: 'a', name: '初审' }])
    await tenants.must(work(chief, 'return-task', { taskId: second.taskId, node: 'a', comment: '补票' }))
    expect(await taskOf(boss, id)).toMatchObject({ taskName: '初审' })
    const { acts } = await tenants.must(get(clerk, `${flow}/work/detail`, { processInstanceId: id }))
    expect(acts.map((one: { act: string }) => one.act)).toEqual([
      'transfer',
      'lend',
      'word',
      'addSign_before',
      'return',
    ])
  })

  test('is urged once an hour, told to others, and withdrawn by who started it alone', async () => {
    const id = await started(await deployed(expense('urged'), 'urged'))
    await tenants.must(work(clerk, 'urge', { processInstanceId: id }))
    expect((await work(clerk, 'urge', { processInstanceId: id })).data.reason).toBe('flow_urged_lately')
    expect((await noticesOf(boss))[0]?.content).toContain('催办')
    later += 3_600_000
    await tenants.must(work(clerk, 'urge', { processInstanceId: id }))
    expect((await get(other, `${flow}/work/detail`, { processInstanceId: id })).status).toBe(404)
    await tenants.must(work(boss, 'copy', { processInstanceId: id, userIds: other.userId, comment: '知悉' }))
    expect(await taskOf(other, id, 'copy-list')).toMatchObject({ status: 'unread', comment: '知悉' })
    await tenants.must(get(other, `${flow}/work/detail`, { processInstanceId: id }))
    expect(await taskOf(other, id, 'copy-list')).toMatchObject({ status: 'read' })
    expect((await work(boss, 'withdraw', { processInstanceId: id })).status).toBe(403)
    await tenants.must(work(clerk, 'withdraw', { processInstanceId: id }))
    expect(await taskOf(boss, id)).toBeUndefined()
    expect(await taskOf(clerk, id, 'send-list')).toMatchObject({ outcome: 3, processIsFinished: 'finished' })
  })

  test('that is due is given to others by the clock, and not while the process is suspended', async () => {
    const more = `flowable:dueDate="PT2H" store:onDue="escalate" store:escalateTo="${other.userId}"`
    const id = await started(await deployed(expense('due', more), 'due'))
    const { rows } = await tenants.services.systemPool.query(
      `select payload from job where queue = 'workflow.timer' and payload->>'instanceId' = $1`,
      [id],
    )
    const ring = () =>
      fireProcessTimerJob.run(rows[0].payload, {
        tenantId: tenants.north.tenantId,
        services: tenants.services,
      } as never)
    const stand = (action: string) => post(admin(), `${flow}/follow/${action}`, {}, { id })
    await tenants.must(stand('suspend'))
    later += 2 * 3_600_000 + 1000
    await ring()
    expect(await taskOf(boss, id)).toBeDefined()
    expect((await sign(boss, id)).data.reason).toBe('flow_instance_suspended')
    await tenants.must(stand('resume'))
    await ring()
    expect(await taskOf(boss, id)).toBeUndefined()
    expect(await taskOf(other, id)).toMatchObject({ taskName: '初审' })
  })
})

describe('who is away', () => {
  test('is stood in for: what waits and what comes goes to the deputy, until they are back', async () => {
    const processId = await deployed(expense('away'), 'away')
    const before = await started(processId)
    const now = Date.now() + later
    const text = (ms: number) => new Date(ms + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
    const away = {
      userId: boss.userId,
      deputyId: other.userId,
      startTime: text(now - 60_000),
      endTime: text(now + 7_200_000),
    }
    // Nor can somebody who may follow all processes, who could otherwise delegate other people's tasks to themselves.
    const follower = await tenants.person(tenants.north, 'follower', ['flow_away', 'flow_away_add', 'flow_follow'])
    for (const who of [chief, follower])
      for (const deputyId of [other.userId, who.userId])
        expect((await post(who, `${flow}/away/submit`, { ...away, deputyId, handOver: true })).data).toMatchObject({
          reason: 'flow_away_own',
          fields: { userId: expect.any(String) },
        })
    expect((await post(boss, `${flow}/away/submit`, { ...away, deputyId: boss.userId })).data.fields).toHaveProperty(
      'deputyId',
    )
    const { id } = await tenants.must(post(boss, `${flow}/away/submit`, { ...away, handOver: true }))
    await reassignTasksToDeputyJob.run({ awayId: id }, {
      tenantId: tenants.north.tenantId,
      services: tenants.services,
    } as never)
    expect(await taskOf(boss, before)).toBeUndefined()
    expect(await taskOf(other, before)).toMatchObject({ ownerName: expect.stringMatching(/^boss/) })
    expect((await post(follower, `${flow}/away/submit`, { id, userId: follower.userId })).status).toBe(403)
    const during = await started(processId)
    expect(await taskOf(other, during)).toMatchObject({ ownerName: expect.stringMatching(/^boss/) })
    later += 7_200_000 + 1000
    expect(await taskOf(boss, await started(processId))).toBeDefined()
  })
})

test('who signs a task that asks nothing does not say by which way it goes on', async () => {
  const big =
    '<exclusiveGateway id="way"/>' + line('way', 'b', '${amount > 100}') + line('way', 'e', '${amount <= 100}')
  const id = await started(await deployed(expense('way').replace(line('a', 'b'), line('a', 'way') + big), 'way'), '500')
  const { taskId } = await taskOf(boss, id)
  const variables = { amount: 1, createUser: 'somebody else' }
  await tenants.must(work(boss, 'complete-task', { taskId, processInstanceId: id, comment: '', flag: 'ok', variables }))
  expect(await taskOf(chief, id)).toMatchObject({ taskName: '复审' })
})

describe('a running process', () => {
  test('moves to a new version where that has its elements, and is refused by name where not', async () => {
    const old = await deployed(expense('moved'), 'moved')
    const id = await started(old)
    const { records } = await tenants.must(get(admin(), `${flow}/model/list`, { modelKey: 'moved' }))
    const gone = await deployed(
      expense('moved').replaceAll('"a"', '"a2"').replaceAll('s-a"', 's-a2"'),
      'moved',
      records[0].id,
    )
    const fits = await deployed(expense('moved').replace('复审', '终审'), 'moved', records[0].id)
    const move = (processId: string) => post(admin(), `${flow}/follow/move`, { processId }, { id })
    const refused = await move(gone)
    expect(refused.data.reason).toBe('flow_cannot_move')
    expect(refused.body.msg).toContain('初审')
    await tenants.must(move(fits))
    await tenants.must(sign(boss, id))
    expect(await taskOf(chief, id)).toMatchObject({ taskName: '终审' })
    const another = await deployed(expense('elsewhere'), 'elsewhere')
    expect((await move(another)).data.reason).toBe('flow_other_process')
  })
})

test('a tenant sees neither tasks nor processes of another', async () => {
  const id = await started(await deployed(expense('apart'), 'apart'))
  const { taskId } = await taskOf(boss, id)
  const south = tenants.south.admin
  for (const [name, body] of [
    ['transfer-task', { taskId, userId: south.userId }],
    ['add-sign', { taskId, userIds: south.userId, place: 'before' }],
    ['urge', { processInstanceId: id }],
    ['withdraw', { processInstanceId: id }],
    ['copy', { processInstanceId: id, userIds: south.userId }],
  ] as const)
    expect([name, [400, 404].includes((await work(south, name, body)).status)]).toEqual([name, true])
  expect((await tenants.must(get(south, `${flow}/task/list`))).total).toBe(0)
  expect((await work(boss, 'transfer-task', { taskId, userId: south.userId })).status).toBe(400)
})

describe('an instance that does not say where it stands', () => {
  test('is refused by name whatever is asked of it, and stays as it was', async () => {
    const processId = await deployed(expense('lost'), 'lost')
    const id = await started(processId)
    const follow = (action: string, body = {}) => post(admin(), `${flow}/follow/${action}`, body, { id })
    await tenants.must(follow('suspend'))
    await tenants.services.systemPool.query('update flow_instance set stand = null where id = $1', [id])
    const suspension = async () =>
      (await tenants.services.systemPool.query('select suspension_state from flow_instance where id = $1', [id]))
        .rows[0]
    for (const [action, body] of [['resume'], ['move', { processId }]] as const)
      expect([action, await follow(action, body)]).toMatchObject([
        action,
        { status: 409, body: { data: { reason: 'flow_without_state' } } },
      ])
    expect(await suspension()).toEqual({ suspension_state: 2 })
    const ended = await post(admin(), `${flow}/follow/delete-process-instance`, {}, { processInstanceId: id })
    expect(ended).toMatchObject({ status: 409, data: { reason: 'flow_without_state' } })
  })
})
