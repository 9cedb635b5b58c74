import { readFileSync, readdirSync } from 'node:fs'
import { SaxesParser } from 'saxes'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { sql } from '#kit/server/database/db.ts'
import { declaredMenuRows } from '#kit/server/mount/menus.ts'
import type { Answer, CastMember } from '#tests/support/server.ts'
import { createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'
import { flowXml, leaveXml, line } from './test-flows.ts'

/** Permission codes by page by which older clients show their buttons (wire contract §4.4). */
const CODES = Object.entries({
  ...Object.fromEntries(
    ['dept', 'dict', 'dictbiz', 'menu', 'param', 'post', 'tenant', 'client', 'notice', 'code', 'datasource'].map(
      (page) => [page, 'add edit delete view'],
    ),
  ),
  user: 'add edit delete view role reset',
  role: 'add edit delete view',
  topmenu: 'add edit delete view setting',
  data_scope: 'setting',
  api_scope: 'setting',
  oss: 'add edit delete view enable',
  sms: 'add edit delete view enable',
  attach: 'upload delete download',
  region: 'add delete import export debug view',
  log_usual: 'view',
  log_api: 'view',
  log_error: 'view',
  flow_model: 'create update deploy download delete',
  flow_manager: 'state image remove',
  flow_follow: 'delete',
  work_start: 'flow image',
  work_claim: 'sign detail follow',
  work_todo: 'handle detail follow',
  work_send: 'detail follow',
  work_done: 'detail follow',
}).flatMap(([page, verbs]) => verbs.split(' ').map((verb) => `${page}_${verb}`))

let tenants: TestTenants
beforeAll(async () => {
  tenants = await createTestTenants()
})
afterAll(() => tenants?.close())

const flow = '/api/blade-flow'
const get = (who: CastMember | undefined, path: string, query = {}, headers = {}): Promise<Answer> =>
  tenants.call(who, 'GET', path, { query, headers })
const post = (who: CastMember, path: string, query: object, body = {}): Promise<Answer> =>
  tenants.call(who, 'POST', path, { query: query as Record<string, unknown>, body })

type Node = { code: string; path: string; children?: Node[] }
const flat = (nodes: readonly Node[]): Node[] => nodes.flatMap((one) => [one, ...flat(one.children ?? [])])
const buttonsOf = async (who: CastMember) =>
  flat(await tenants.must(get(who, '/api/blade-system/menu/buttons'))).map(({ code }) => code)

/** Sends a multipart form with files as browsers do. */
const upload = (who: CastMember, name: string, fields: Record<string, string>, files: readonly [string, string][]) => {
  const part = (head: string, text: string) => `--x\r\nContent-Disposition: form-data; ${head}\r\n\r\n${text}\r\n`
  const body = [
    ...Object.entries(fields).map(([key, value]) => part(`name="${key}"`, value)),
    ...files.map(([key, xml]) =>
      part(`name="${key}"; filename="leave.bpmn20.xml"`, xml).replace('xml"\r\n', 'xml"\r\nContent-Type: text/xml\r\n'),
    ),
    '--x--\r\n',
  ].join('')
  const headers = { 'content-type': 'multipart/form-data; boundary=x' }
  return tenants.call(who, 'POST', `${flow}/manager/${name}`, { body, headers })
}

describe('clients of the protocol', () => {
  test('find a button for each code they ask by, and the page for files, which ours does not show', async () => {
    const declared = new Set(declaredMenuRows(tenants.services.registry).map(({ code }) => code))
    expect(CODES.filter((code) => !declared.has(code))).toEqual([])
    const held = await buttonsOf(tenants.north.admin)
    expect(CODES.filter((code) => /^(flow|work)_/.test(code) && !held.includes(code))).toEqual([])
    const paths = async (name: string) => {
      const data = await tenants.must(get(tenants.north.admin, `/api/blade-system/menu/${name}`))
      return flat(data.routes ?? data).map(({ path }) => path)
    }
    expect(await paths('routes')).toContain('/flow/deploy')
    expect(await paths('held')).not.toContain('/flow/deploy')
    expect(await paths('held')).toContain('/flow/manager')
  })

  test('do what their buttons say, and nothing more, where a role was given those alone', async () => {
    const drawer = await tenants.person(tenants.north, 'drawer', ['flow_model', 'flow_model_create'])
    const body = { modelKey: 'byclient', name: '请假', modelEditorXml: leaveXml }
    const { id } = await tenants.must(post(drawer, `${flow}/model/submit`, {}, body))
    expect((await post(drawer, `${flow}/model/submit`, {}, { id, name: '改' })).status).toBe(403)
    const keeper = await tenants.person(tenants.north, 'keeper', ['flow_model', 'flow_model_update'])
    await tenants.must(post(keeper, `${flow}/model/submit`, {}, { id, name: '改' }))
    expect((await post(keeper, `${flow}/model/submit`, {}, { ...body, modelKey: 'other' })).status).toBe(403)
    expect(await buttonsOf(keeper)).toEqual(expect.arrayContaining(['flow_model_update', 'flow_model_edit']))
  })

  test('keep what their roles could do over the upgrade that brings these buttons', async () => {
    const { services } = tenants
    const file = readdirSync('migrations').find((name) => name.includes('buttons-of-the-protocols-clients'))!
    const clerk = await tenants.person(tenants.south, 'clerk', ['work_claim', 'flow_model_edit', 'flow_model_deploy'])
    const stranger = await tenants.person(tenants.south, 'clerk', ['flow_follow'])
    await services.systemPool.query(readFileSync(`migrations/${file}`, 'utf8'))
    const codesOf = async (who: CastMember) =>
      (
        await services.unit({ tenantId: tenants.south.tenantId }, (db) =>
          db.query<{ code: string }>(sql`select m.code from menu m join role_menu g on g.menu_id = m.id
            join sys_user u on u.tenant_id = g.tenant_id and g.role_id = any(u.role_id)
            where g.tenant_id = ${db.tenantId} and u.id = ${who.userId} and m.is_deleted = 0 order by m.code`),
        )
      ).map(({ code }) => code)
    expect(await codesOf(clerk)).toEqual(
      [
        'flow_deploy',
        'flow_model_deploy',
        'flow_model_edit',
        'flow_model_update',
        'work_claim',
        'work_claim_detail',
        'work_claim_follow',
        'work_claim_sign',
      ].sort(),
    )
    expect(await codesOf(stranger)).toEqual(['flow_follow'])
  })

  test('take a leave of three persons from the file to its end, with the pictures on the way', async () => {
    const { north, must } = tenants
    const pages = ['work_start', 'work_claim', 'work_todo', 'work_send', 'work_done']
    const own = CODES.filter((code) => pages.some((page) => code.startsWith(page)))
    const [clerk, hr, boss] = [
      await tenants.person(north, 'clerk', [...pages, ...own]),
      await tenants.person(north, 'hr', [...pages, ...own]),
      await tenants.person(north, 'boss', [...pages, ...own]),
    ]
    for (const who of [clerk, hr, boss]) expect(await buttonsOf(who)).toEqual(expect.arrayContaining(own))

    // The administrator: the page that deploys files.
    const checked = await must(upload(north.admin, 'check-upload', {}, [['file', leaveXml]]))
    expect(checked).toMatchObject({ name: '请假流程', success: true })
    expect(checked.remarks).toEqual(['任务“经理审批”的候选角色 manager 目前没有人持有，走到这里会停住'])
    const given = { category: 'flow_1', tenantIds: '' }
    const answered = await upload(north.admin, 'deploy-upload', given, [['files', leaveXml]])
    expect(answered.body.msg).toBe(`部署成功。请注意：${checked.remarks[0]}`)
    const listed = await must(get(north.admin, `${flow}/manager/list`, { mode: 2, current: 1, size: 10 }))
    const process = listed.records.find((row: { key: string }) => row.key === 'leave')
    expect(process).toMatchObject({ category: 'flow_1', categoryName: '请假流程', version: 1, suspensionState: 1 })

    // The clerk: what can be started, its picture, the form of a leave.
    const dictionary = await must(get(clerk, '/api/blade-system/dict/dictionary', { code: 'flow' }))
    expect(dictionary).toMatchObject(
      expect.arrayContaining([expect.objectContaining({ dictKey: '1', remark: 'leave' })]),
    )
    const [offered] = (await must(get(clerk, `${flow}/work/start-list`, { category: 'flow_1', current: 1, size: 10 })))
      .records
    expect(offered.id).toBe(process.id)
    const cookie = (who: CastMember) => ({ cookie: `other=1; saber-access-token=${who.token}` })
    const drawn = (who: CastMember, name: string, query: object) =>
      get(undefined, `${flow}/process/${name}`, query, cookie(who))
    const plain = await drawn(clerk, 'resource-view', { processDefinitionId: process.id })
    expect(plain.headers['content-type']).toContain('image/svg+xml')
    expect(plain.headers['content-security-policy']).toContain("default-src 'none'")
    expect(plain.body).toMatch(/^<svg .*人事审批.*<\/svg>$/s)
    const leaveRequest = {
      processDefinitionId: process.id,
      taskUser: hr.userId,
      startTime: '2026-12-01 09:00:00',
      endTime: '2026-12-07 09:00:00',
      reason: '回家',
    }
    await must(post(clerk, '/api/blade-desk/process/leave/start-process', {}, leaveRequest))
    const [sent] = (await must(get(clerk, `${flow}/work/send-list`, { current: 1, size: 10 }))).records
    expect(sent).toMatchObject({ processIsFinished: 'unfinished', category: 'flow_1' })
    const { processInstanceId, businessId } = sent

    // The first who signs refuses, the clerk corrects it, then all agree.
    const sign = async (who: CastMember, comment: string, list = 'todo-list') => {
      const [task] = (await must(get(who, `${flow}/work/${list}`, { current: 1, size: 10 }))).records
      if (list === 'claim-list') await must(post(who, `${flow}/work/claim-task`, { taskId: task.taskId }))
      const detail = await must(get(who, '/api/blade-desk/process/leave/detail', { businessId }))
      expect(detail.flow.assigneeName).toBeTruthy()
      const view = await drawn(who, 'diagram-view', { processInstanceId, t: 1 })
      expect(view.body).toContain('#1677ff')
      const body = { taskId: task.taskId, processInstanceId, comment, ...(comment === '同意' ? { flag: 'ok' } : {}) }
      expect((await post(who, `${flow}/work/complete-task`, {}, body)).body).toMatchObject({ success: true })
      return task.taskName
    }
    expect(await sign(hr, '日期不对')).toBe('人事审批')
    expect(await sign(clerk, '同意')).toBe('调整申请')
    expect(await sign(hr, '同意')).toBe('人事审批')
    expect(await sign(boss, '同意', 'claim-list')).toBe('老板审批')
    const [over] = (await must(get(clerk, `${flow}/work/send-list`, { current: 1, size: 10 }))).records
    expect(over).toMatchObject({ processInstanceId, processIsFinished: 'finished' })
    expect((await must(get(hr, `${flow}/work/done-list`, { current: 1, size: 10 }))).records).toHaveLength(2)
    const history = await must(get(boss, `${flow}/process/history-flow-list`, { processInstanceId }))
    expect(history.map((one: { historyActivityName: string }) => one.historyActivityName)).toEqual([
      '开始',
      '人事审批',
      '调整申请',
      '人事审批',
      '老板审批',
      '结束',
    ])
    const view = await must(get(boss, `${flow}/process/model-view`, { processInstanceId }))
    expect(view.xml).toContain('BPMNShape')

    // Somebody not involved sees nothing, with or without a cookie.
    const stranger = await tenants.person(north, 'clerk', [...pages, ...own])
    expect((await drawn(stranger, 'diagram-view', { processInstanceId })).status).toBe(404)
    expect((await drawn(tenants.south.admin, 'resource-view', { processDefinitionId: process.id })).status).toBe(404)
    expect((await get(undefined, `${flow}/process/diagram-view`, { processInstanceId })).status).toBe(401)
    expect((await get(undefined, `${flow}/work/todo-list`, {}, cookie(hr))).status).toBe(401)

    // The messages older clients show after a change of state.
    const state = async (name: string) =>
      (await post(north.admin, `${flow}/manager/change-state`, { processId: process.id, state: name })).body.msg
    expect(await state('suspend')).toBe(`挂起ID为 [${process.id}] 的流程成功`)
    expect(await state('active')).toBe(`激活ID为 [${process.id}] 的流程成功`)
    expect((await must(get(north.admin, `${flow}/manager/list`, { mode: 1 }))).records).toEqual([])
  })
})

describe('a process file', () => {
  test('is told at deployment what checking it says, and what starting it would say', async () => {
    const unsound = flowXml(
      `<startEvent id="s"/><userTask id="a" name="甲" flowable:assignee="kermit"/><userTask id="b" name="乙"/>
      <endEvent id="e"/>${line('s', 'a')}${line('a', 'b')}${line('b', 'e')}`,
      'unsound',
    )
    const admin = tenants.north.admin
    const responses = [
      await upload(admin, 'check-upload', {}, [['file', unsound]]),
      await upload(admin, 'deploy-upload', { category: 'flow_1', tenantIds: '' }, [['files', unsound]]),
    ].map(({ status, body }) => [status, body.msg])
    expect(responses[0]).toEqual([400, expect.stringContaining('“乙”没有写明办理人')])
    expect(responses[0]![1]).toContain('“甲”写明的人员不存在')
    expect(responses[1]).toEqual(responses[0])
  })

  test('comes with others in one form: all are deployed or none, and each that is wrong is named', async () => {
    const admin = tenants.north.admin
    const as = (key: string) => leaveXml.replace('id="leave"', `id="${key}"`)
    const wrong = flowXml('<scriptTask id="x" name="脚本"/>', 'wrong')
    const given = { category: 'flow_1', tenantIds: '' }
    const refused = await upload(admin, 'deploy-upload', given, [
      ['files', as('one')],
      ['files', wrong],
    ])
    expect(refused).toMatchObject({ status: 400, data: { reason: 'flow_file_refused' } })
    expect(refused.body.msg).toMatch(/^文件“leave.bpmn20.xml”：流程文件有 .*“脚本”是不支持的元素/)
    const keys = async () =>
      (await tenants.must(get(admin, `${flow}/manager/list`, { size: 100 }))).records.map(
        ({ key }: { key: string }) => key,
      )
    expect(await keys()).not.toContain('one')
    await tenants.must(
      upload(admin, 'deploy-upload', given, [
        ['files', as('one')],
        ['files', as('two')],
      ]),
    )
    expect(await keys()).toEqual(expect.arrayContaining(['one', 'two']))
  })

  test('is read once, however many come with it and for however many tenants', async () => {
    const root = await tenants.server.as('admin', { tenantId: '000000' })
    const files = ['three', 'four'].map((key): [string, string] => [
      'files',
      leaveXml.replace('id="leave"', `id="${key}"`),
    ])
    const given = { category: 'flow_1', tenantIds: '100001,100002' }
    const close = vi.spyOn(SaxesParser.prototype, 'close')
    try {
      await tenants.must(upload(root, 'deploy-upload', given, files))
      expect(close).toHaveBeenCalledTimes(files.length)
    } finally {
      close.mockRestore()
    }
    for (const { admin } of [tenants.north, tenants.south])
      for (const key of ['three', 'four'])
        expect((await tenants.must(get(admin, `${flow}/manager/list`, { key }))).records).toMatchObject([
          { version: 1 },
        ])
  })

  test('with a role nobody holds is started by nobody, until somebody does', async () => {
    const { north, must } = tenants
    const xml = flowXml(
      `<startEvent id="s"/><userTask id="a" name="复核" flowable:candidateGroups="auditor"/><endEvent id="e"/>
      ${line('s', 'a')}${line('a', 'e')}`,
      'audited',
    )
    const answer = await upload(north.admin, 'deploy-upload', { category: 'flow_1', tenantIds: '' }, [['files', xml]])
    expect(answer.body).toMatchObject({ success: true, msg: expect.stringContaining('auditor 目前没有人持有') })
    const { records } = await must(get(north.admin, `${flow}/manager/list`, { key: 'audited' }))
    const start = () =>
      post(north.admin, `${flow}/work/start-process`, {}, { processDefinitionId: records[0].id, variables: {} })
    expect(await start()).toMatchObject({ status: 400, data: { reason: 'flow_nobody_to_claim' } })
    const running = await must(get(north.admin, `${flow}/follow/list`, { processDefinitionKey: 'audited' }))
    expect(running.records).toEqual([])
    await tenants.person(north, 'auditor', [])
    await must(start())
  })

  test('of a tenant is suspended and removed by the platform that lists it, a common one by nobody else', async () => {
    const { north, must, server } = tenants
    const root = await server.as('admin', { tenantId: '000000' })
    const xml = leaveXml.replace('id="leave"', 'id="both"')
    await must(upload(root, 'deploy-upload', { category: 'flow_1', tenantIds: '100001' }, [['files', xml]]))
    await must(upload(root, 'deploy-upload', { category: 'flow_1', tenantIds: '' }, [['files', xml]]))
    const list = async (who: CastMember, mode: number) =>
      (await must(get(who, `${flow}/manager/list`, { key: 'both', mode }))).records.map(({ id }: { id: string }) => id)
    const [[ofTenant], [common]] = [await list(root, 2), await list(root, 1)]
    expect(await list(north.admin, 2)).toEqual([ofTenant])
    expect(await list(north.admin, 1)).toEqual([common])
    for (const [path, query] of [
      ['change-state', { processId: common, state: 'suspend' }],
      ['delete-deployment', { deploymentIds: common }],
    ] as const)
      expect(await post(north.admin, `${flow}/manager/${path}`, query)).toMatchObject({
        status: 403,
        data: { reason: 'common_to_all' },
      })
    await must(post(root, `${flow}/manager/change-state`, { processId: ofTenant, state: 'suspend' }))
    await must(post(root, `${flow}/manager/delete-deployment`, { deploymentIds: `${ofTenant},${common}` }))
    expect([await list(root, 1), await list(root, 2)]).toEqual([[], []])
  })

  test('that no tenant of its own keeps for others is said so everywhere: barcodes of all', async () => {
    const { north, must, server } = tenants
    const root = await server.as('admin', { tenantId: '000000' })
    const body = { upc: '6901234567892', name: '公共条码' }
    const { id } = await must(post(root, '/api/shop/barcodes/submit', {}, body))
    for (const answer of [
      await post(north.admin, '/api/shop/barcodes/remove', { ids: id }),
      await post(north.admin, '/api/shop/barcodes/submit', {}, { id, name: '改名' }),
    ])
      expect(answer).toMatchObject({ status: 403, data: { reason: 'common_to_all' } })
    expect((await post(tenants.south.admin, '/api/shop/barcodes/remove', { ids: '1' })).status).toBe(404)
  })
})
