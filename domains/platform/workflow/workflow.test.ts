import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#kit/server/database/db.ts'
import type { Answer, CastMember } from '#tests/support/server.ts'
import { createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'
import { countRoundTrips } from '#tests/support/round-trips.ts'
import { fireProcessTimerJob } from './process-runtime.ts'
import { flowXml, leaveXml, line } from './test-flows.ts'

let tenants: TestTenants
let clerk: CastMember
let hr: CastMember
let boss: CastMember
let second: CastMember
let later = 0

beforeAll(async () => {
  tenants = await createTestTenants({ now: () => new Date(Date.now() + later) })
  clerk = await tenants.person(tenants.north, 'clerk', [])
  hr = await tenants.person(tenants.north, 'hr', [])
  boss = await tenants.person(tenants.north, 'boss', [])
  second = await tenants.person(tenants.north, 'boss', [])
})
afterAll(() => tenants?.close())

const flow = '/api/blade-flow'
const admin = () => tenants.north.admin
const get = (who: CastMember, path: string, query = {}): Promise<Answer> => tenants.call(who, 'GET', path, { query })
const post = (who: CastMember, path: string, query: object, body = {}): Promise<Answer> =>
  tenants.call(who, 'POST', path, { query: query as Record<string, unknown>, body })

/** Saves and deploys a process as older clients do. Returns its id. */
async function deployed(xml: string, modelKey: string): Promise<string> {
  const drawn = { modelKey, name: modelKey, modelEditorXml: xml }
  const { id } = await tenants.must(post(admin(), `${flow}/model/submit`, {}, drawn))
  await tenants.must(post(admin(), `${flow}/model/deploy`, { modelId: id, category: 'flow_1', tenantIds: '' }))
  const { records } = await tenants.must(get(admin(), `${flow}/manager/list`, { key: modelKey }))
  return records[0].id
}
const leave = (processDefinitionId: string, more = {}) =>
  post(
    clerk,
    '/api/blade-desk/process/leave/start-process',
    {},
    {
      processDefinitionId,
      taskUser: hr.userId,
      startTime: '2026-12-01 09:00:00',
      endTime: '2026-12-05 09:00:00',
      reason: '回家',
      ...more,
    },
  )
const todo = async (who: CastMember, processInstanceId: string, list = 'todo-list') =>
  (await tenants.must(get(who, `${flow}/work/${list}`, { size: 200 }))).records.filter(
    (row: { processInstanceId: string }) => row.processInstanceId === processInstanceId,
  )
const done = (who: CastMember, taskId: string, processInstanceId: string, more = {}) =>
  post(who, `${flow}/work/complete-task`, {}, { taskId, processInstanceId, comment: '好的', flag: 'ok', ...more })

describe('a task', () => {
  test('that twenty take or sign at once is had by one, and the others are told; it is signed once', async () => {
    const xml = leaveXml.replace('candidateGroups="manager"', 'candidateGroups="boss"')
    const processDefinitionId = await deployed(xml.replace('<process id="leave"', '<process id="rush"'), 'rush')
    const { processInstanceId } = await tenants.must(leave(processDefinitionId, { endTime: '2026-12-01 10:00:00' }))
    const [own] = await todo(hr, processInstanceId)
    const signed = await Promise.all(
      Array.from({ length: 20 }, () => done(hr, own.taskId, processInstanceId, { flag: undefined, comment: '同意' })),
    )
    const reasons = (answers: Answer[]) => [
      ...new Set(answers.filter(({ status }) => status !== 200).map(({ data }) => data.reason)),
    ]
    expect(signed.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(reasons(signed)).toEqual(['flow_task_gone'])
    const [open] = await todo(boss, processInstanceId, 'claim-list')
    const people = Array.from({ length: 20 }, (_one, at) => (at % 2 ? boss : second))
    const taken = await Promise.all(people.map((who) => post(who, `${flow}/work/claim-task`, { taskId: open.taskId })))
    expect(taken.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(reasons(taken)).toEqual(['flow_task_claimed'])
    const held = [...(await todo(boss, processInstanceId)), ...(await todo(second, processInstanceId))]
    expect(held.map((one) => one.taskId)).toEqual([open.taskId])
  })

  test.each([
    ['begun', 16, 5],
    ['signed by the first', 19, 4],
    ['taken', 13, 3],
    ['signed by the last', 16, 4],
  ])('that is %s asks no more of the database than %i statements in %i messages', async (what, statements, trips) => {
    const key = `trips${what.length}${statements}`
    const processDefinitionId = await deployed(leaveXml.replace('<process id="leave"', `<process id="${key}"`), key)
    const begin = () => leave(processDefinitionId)
    const taskOf = async (who: CastMember, id: string, list?: string) => (await todo(who, id, list))[0].taskId as string
    const steps: Record<string, (id: string) => Promise<() => Promise<Answer>>> = {
      'signed by the first': async (id) => done.bind(undefined, hr, await taskOf(hr, id), id, {}),
      taken: async (id) => {
        const query = { taskId: await taskOf(boss, id, 'claim-list') }
        return () => post(boss, `${flow}/work/claim-task`, query)
      },
      'signed by the last': async (id) => done.bind(undefined, boss, await taskOf(boss, id), id, {}),
    }
    const names = Object.keys(steps)
    const measured = async () => {
      if (what === 'begun') return countRoundTrips(async () => void (await tenants.must(begin())))
      const { processInstanceId } = await tenants.must(begin())
      for (const name of names.slice(0, names.indexOf(what)))
        await tenants.must((await steps[name]!(processInstanceId))())
      const step = await steps[what]!(processInstanceId)
      return countRoundTrips(async () => void (await tenants.must(step())))
    }
    await measured()
    const measuredRun = await measured()
    const texts = measuredRun.sent.map(({ text }) => text).join('\n')
    expect(measuredRun.statements, texts).toBeLessThanOrEqual(statements)
    expect(measuredRun.roundTrips, texts).toBeLessThanOrEqual(trips)
  })
})

describe('a client of the lineage', () => {
  test('models, deploys, starts, claims, finishes and looks at the diagram', async () => {
    const processDefinitionId = await deployed(leaveXml, 'leave')
    const model = (await tenants.must(get(admin(), `${flow}/model/list`, { modelKey: 'leave' }))).records[0]
    expect(model).toMatchObject({ modelKey: 'leave', created: expect.any(String), modelType: 0 })
    const whole = await tenants.must(get(admin(), `${flow}/model/detail`, { id: model.id }))
    expect(whole.modelEditorXml).toBe(leaveXml)
    await tenants.must(post(admin(), `${flow}/model/submit`, {}, { ...whole, description: '改过' }))
    expect((await tenants.must(get(admin(), `${flow}/model/detail`, { id: model.id }))).version).toBe(whole.version + 1)

    const [offered] = (await tenants.must(get(clerk, `${flow}/work/start-list`, { category: 'flow_1', mode: 2 })))
      .records
    expect(offered).toMatchObject({ id: processDefinitionId, key: 'leave', category: 'flow_1', version: 1 })
    expect(offered).toMatchObject({ categoryName: '请假流程', suspensionState: 1, name: '请假流程' })

    const { id, processInstanceId } = await tenants.must(leave(processDefinitionId))
    const [first] = await todo(hr, processInstanceId)
    expect(first).toMatchObject({
      taskName: '人事审批',
      status: 'todo',
      businessTable: 'process_leave',
      businessId: id,
    })
    expect((await get(hr, '/api/blade-desk/process/leave/detail', { businessId: id })).data).toMatchObject({
      reason: '回家',
      taskUser: hr.userId,
      flow: { assigneeName: expect.stringMatching(/^clerk/) },
    })
    await tenants.must(done(hr, first.taskId, processInstanceId, { flag: 'no', comment: '同意' }))
    const [again] = await todo(clerk, processInstanceId)
    expect(again).toMatchObject({ taskName: '调整申请' })
    await tenants.must(done(clerk, again.taskId, processInstanceId))
    const [anew] = await todo(hr, processInstanceId)
    await tenants.must(done(hr, anew.taskId, processInstanceId))
    const [open] = await todo(boss, processInstanceId, 'claim-list')
    expect(open).toMatchObject({ taskName: '老板审批', status: 'claim', assignee: '' })
    const view = (await get(clerk, `${flow}/process/model-view`, { processInstanceId })).data
    const types = Object.fromEntries(
      view.flow.map((one: Record<string, string>) => [one.historyActivityId, [one.historyActivityType, !!one.endTime]]),
    )
    expect(types).toMatchObject({
      hr: ['userTask', true],
      'way-boss': ['sequenceFlow', true],
      boss: ['candidate', false],
      manager: ['candidate', false],
    })
    expect(types['way-manager']).toBeUndefined()

    await tenants.must(post(boss, `${flow}/work/claim-task`, { taskId: open.taskId }))
    expect(await todo(second, processInstanceId, 'claim-list')).toEqual([])
    await tenants.must(done(boss, open.taskId, processInstanceId, { comment: '同意', flag: undefined }))
    expect(await todo(boss, processInstanceId, 'done-list')).toMatchObject([{ comment: '同意', pass: true }])
    expect(await todo(clerk, processInstanceId, 'send-list')).toMatchObject([{ processIsFinished: 'finished' }])
    const history = (await get(clerk, `${flow}/process/history-flow-list`, { processInstanceId })).data
    expect(history.map((one: Record<string, string>) => one.historyActivityName)).toEqual([
      '开始',
      '人事审批',
      '调整申请',
      '人事审批',
      '老板审批',
      '结束',
    ])
  })

  test('is told at saving what cannot run, and nothing is kept', async () => {
    const xml = flowXml('<startEvent id="s"/><scriptTask id="x" name="跑脚本"/>')
    const refused = await post(
      admin(),
      `${flow}/model/submit`,
      {},
      { modelKey: 'bad', name: '坏', modelEditorXml: xml },
    )
    expect(refused).toMatchObject({ status: 400, body: { data: { reason: 'flow_faults' } } })
    expect(refused.body.data.reasons).toEqual(['flow_cannot', 'flow_to_nowhere'])
    expect(refused.body.msg).toBe('流程文件有 2 处问题：“跑脚本”是不支持的元素（scriptTask）；“s”没有后续连线')
    expect((await tenants.must(get(admin(), `${flow}/model/list`, { modelKey: 'bad' }))).records).toEqual([])
  })

  test('suspends and resumes a process; what is suspended is neither offered nor started', async () => {
    const processId = await deployed(leaveXml.replace('id="leave"', 'id="halted"'), 'halted')
    await tenants.must(post(admin(), `${flow}/manager/change-state`, { processId, state: 'suspend' }))
    expect((await leave(processId)).body.data.reason).toBe('flow_suspended')
    const offered = await tenants.must(get(clerk, `${flow}/work/start-list`, { size: 100 }))
    expect(offered.records.map((row: { id: string }) => row.id)).not.toContain(processId)
    expect((await post(admin(), `${flow}/manager/change-state`, { processId, state: 'gone' })).status).toBe(400)
    await tenants.must(post(admin(), `${flow}/manager/change-state`, { processId, state: 'active' }))
    await tenants.must(leave(processId))
  })

  test('is not deployed while a task is for nobody; drawn it may be', async () => {
    const draw = async (modelKey: string, task: string) =>
      (
        await tenants.must(
          post(
            admin(),
            `${flow}/model/submit`,
            {},
            {
              modelKey,
              name: modelKey,
              modelEditorXml: flowXml(
                `<startEvent id="s"/>${task}<endEvent id="e"/>${line('s', 't')}${line('t', 'e')}`,
                modelKey,
              ),
            },
          ),
        )
      ).id as string
    const many = '<multiInstanceLoopCharacteristics flowable:collection="people" flowable:elementVariable="one"/>'
    for (const [at, task] of [
      '<userTask id="t" name="复核"/>',
      '<userTask id="t" name="复核" flowable:assignee=" " flowable:candidateUsers=","/>',
      `<userTask id="t" name="复核">${many}</userTask>`,
    ].entries()) {
      const modelId = await draw(`nobody${at}`, task)
      for (const [path, query] of [
        ['model/deploy', { modelId, category: 'flow_1', tenantIds: '' }],
        ['model/deploy-one', { id: modelId, category: '1' }],
      ] as const)
        expect(await post(admin(), `${flow}/${path}`, query)).toMatchObject({
          status: 400,
          body: { msg: '任务“复核”没有写明办理人，未部署', data: { reason: 'flow_task_for_nobody' } },
        })
    }
    for (const [at, task] of [
      '<userTask id="t" flowable:assignee="${asked}"/>',
      '<userTask id="t" flowable:candidateUsers="${asked}"/>',
      '<userTask id="t" flowable:candidateGroups="boss"/>',
      `<userTask id="t" flowable:assignee="\${one}">${many}</userTask>`,
    ].entries()) {
      const modelId = await draw(`somebody${at}`, task)
      await tenants.must(post(admin(), `${flow}/model/deploy`, { modelId, category: 'flow_1', tenantIds: '' }))
    }
  })

  test('deploys anew; who started before goes on with the version of then', async () => {
    const old = await deployed(leaveXml.replace('id="leave"', 'id="grown"'), 'grown')
    const { processInstanceId } = await tenants.must(leave(old))
    const { id } = (await tenants.must(get(admin(), `${flow}/model/list`, { modelKey: 'grown' }))).records[0]
    const changed = leaveXml.replace('id="leave"', 'id="grown"').replace('老板审批', '总经理审批')
    await tenants.must(post(admin(), `${flow}/model/submit`, {}, { id, modelEditorXml: changed }))
    await tenants.must(post(admin(), `${flow}/model/deploy`, { modelId: id, category: 'flow_1', tenantIds: '' }))
    const offered = (await tenants.must(get(clerk, `${flow}/work/start-list`, { size: 100 }))).records
    expect(offered.filter((row: { key: string }) => row.key === 'grown')).toMatchObject([{ version: 2 }])
    await tenants.must(done(hr, (await todo(hr, processInstanceId))[0].taskId, processInstanceId))
    expect(await todo(boss, processInstanceId, 'claim-list')).toMatchObject([{ taskName: '老板审批' }])
  })
})

describe('a step', () => {
  test('of two people on one task is made by one; the other is told, and nothing happens twice', async () => {
    const processId = await deployed(leaveXml.replace('id="leave"', 'id="race"'), 'race')
    const { processInstanceId } = await tenants.must(leave(processId))
    const [first] = await todo(hr, processInstanceId)
    const both = await Promise.all([1, 2, 3].map(() => done(hr, first.taskId, processInstanceId)))
    expect(both.map((one) => one.status).toSorted((a, b) => a - b)).toEqual([200, 409, 409])
    const [open] = await todo(boss, processInstanceId, 'claim-list')
    const claims = await Promise.all(
      [boss, second].map((who) => post(who, `${flow}/work/claim-task`, { taskId: open.taskId })),
    )
    expect(claims.map((one) => one.status).toSorted((a, b) => a - b)).toEqual([200, 409])
    const loser = claims[0]!.status === 200 ? second : boss
    expect((await done(loser, open.taskId, processInstanceId)).status).toBe(403)
    const history = (await get(clerk, `${flow}/process/history-flow-list`, { processInstanceId })).data
    expect(history).toHaveLength(3)
  })

  test('that is refused leaves nothing behind: no leave, no instance, no task', async () => {
    const processId = await deployed(leaveXml.replace('id="leave"', 'id="nobody"'), 'nobody')
    const count = async () => {
      const [row] = await tenants.services.unit({ tenantId: tenants.north.tenantId }, (db) =>
        db.query(sql`select (select count(*) from process_leave)::int as leaves,
          (select count(*) from flow_instance)::int as instances, (select count(*) from flow_task)::int as tasks`),
      )
      return row
    }
    const was = await count()
    expect((await leave(processId, { taskUser: '12345' })).body.data.reason).toBe('flow_unknown_person')
    expect((await leave(processId, { endTime: '2026-12-01 08:00:00' })).data.fields).toHaveProperty('endTime')
    expect(await count()).toEqual(was)
  })

  test('of the clock is made when its time has come, once', async () => {
    const xml = flowXml(
      `<startEvent id="s"/><userTask id="t" name="审批" flowable:assignee="\${taskUser}"/>
      <boundaryEvent id="b" attachedToRef="t"><timerEventDefinition><timeDuration>PT2H</timeDuration>
      </timerEventDefinition></boundaryEvent><userTask id="up" name="升级" flowable:candidateGroups="boss"/>
      <endEvent id="e"/>${line('s', 't')}${line('t', 'e')}${line('b', 'up')}${line('up', 'e')}`,
      'timed',
    )
    const { processInstanceId } = await tenants.must(leave(await deployed(xml, 'timed')))
    const { rows } = await tenants.services.systemPool.query(
      `select payload from job where queue = 'workflow.timer' and payload->>'instanceId' = $1`,
      [processInstanceId],
    )
    expect(rows).toHaveLength(1)
    const run = () =>
      fireProcessTimerJob.run(rows[0].payload, {
        tenantId: tenants.north.tenantId,
        services: tenants.services,
      } as never)
    await run()
    expect(await todo(hr, processInstanceId)).toHaveLength(1)
    later += 2 * 3_600_000 + 1000
    await run()
    await run()
    expect(await todo(hr, processInstanceId)).toEqual([])
    expect(await todo(boss, processInstanceId, 'claim-list')).toMatchObject([{ taskName: '升级' }])
  })
})

describe('a running process', () => {
  test('is seen by who has to do with it, by nobody else, and never by another tenant', async () => {
    const processId = await deployed(leaveXml.replace('id="leave"', 'id="private"'), 'private')
    const { id, processInstanceId } = await tenants.must(leave(processId))
    const [task] = await todo(hr, processInstanceId)
    const stranger = await tenants.person(tenants.north, 'stranger', [])
    for (const who of [stranger, tenants.south.admin]) {
      expect((await get(who, `${flow}/process/model-view`, { processInstanceId })).status).toBe(404)
      expect((await get(who, `${flow}/process/history-flow-list`, { processInstanceId })).status).toBe(404)
      expect((await get(who, '/api/blade-desk/process/leave/detail', { businessId: id })).status).toBe(404)
      expect((await done(who, task.taskId, processInstanceId)).status).toBe(who === stranger ? 403 : 404)
    }
    expect(
      (await get(tenants.south.admin, `${flow}/process/model-view`, { processDefinitionId: processId })).status,
    ).toBe(404)
    expect((await leaveOf(tenants.south.admin, processId)).status).toBe(404)
    expect((await todo(hr, processInstanceId))[0].taskId).toBe(task.taskId)
  })

  test('is ended by who may, and goes with its deployment', async () => {
    const processId = await deployed(leaveXml.replace('id="leave"', 'id="ended"'), 'ended')
    const { processInstanceId } = await tenants.must(leave(processId))
    const second = (await tenants.must(leave(processId))).processInstanceId
    const list = async () =>
      (await tenants.must(get(admin(), `${flow}/follow/list`, { processDefinitionKey: 'ended' }))).records
    const ids = new Set((await list()).map((row: { id: string }) => row.id))
    expect(ids).toEqual(new Set([processInstanceId, second]))
    expect((await post(clerk, `${flow}/follow/delete-process-instance`, { processInstanceId })).status).toBe(403)
    await tenants.must(
      post(admin(), `${flow}/follow/delete-process-instance`, { processInstanceId, deleteReason: '填错了' }),
    )
    expect(await list()).toMatchObject([{ id: second, startUser: expect.stringMatching(/^clerk/) }])
    expect(await todo(hr, processInstanceId)).toEqual([])
    await tenants.must(post(admin(), `${flow}/manager/delete-deployment`, { deploymentIds: processId }))
    expect(await list()).toEqual([])
    expect(await todo(hr, second)).toEqual([])
  })
})

const leaveOf = (who: CastMember, processDefinitionId: string) =>
  post(
    who,
    '/api/blade-desk/process/leave/start-process',
    {},
    {
      processDefinitionId,
      taskUser: who.userId,
      startTime: '2026-12-01 09:00:00',
      endTime: '2026-12-05 09:00:00',
      reason: '回家',
    },
  )
