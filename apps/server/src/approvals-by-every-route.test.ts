import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isEmptyInput, type Fields } from '#kit/fields/base/field-kind.ts'
import { fieldKindOf } from '#kit/fields/kinds.ts'
import { canonicalPath } from '#kit/server/request/requested-operation.ts'
import { createModuleRegistry } from '#kit/server/mount/mount.ts'
import { sheetCapabilities } from '#kit/server/sheets/routes.ts'
import { writeWorkbook } from '#kit/server/sheets/write-sheet.ts'
import type { Answer, TestRequest } from '#tests/support/server.ts'
import type { TestCaller } from '#tests/support/world.ts'
import { productModules } from './modules.ts'
import { fresh, here, openProduct, product } from './test-questions.ts'

const flow = '/api/blade-flow'
const BULK = '/api/kit/bulk/:resource'
const registry = createModuleRegistry(productModules)
/** All acts that a rule can put behind an approval. */
let acts: Set<string>
const resources = [...registry.served.values()]
/** Resources that tenants' users can save. */
const saved = () =>
  resources.filter(
    ({ resource, hooks }) =>
      acts.has(`${resource.path}/submit`) && resource.writer === 'office' && !hooks.without?.includes('submit'),
  )

let asker: TestCaller
let ruleId = ''
beforeAll(async () => {
  await openProduct()
  const { sessionId: _, ...caller } = product.cast.owner.caller
  asker = product.world.be(caller)
  const offered: { path: string }[] = await must(request('GET', `${flow}/rule/acts`))
  acts = new Set(offered.map(({ path }) => path))
}, 120_000)
afterAll(() => product?.close())

const tenantId = () => product.tenants[0]!.tenantId
const request = (method: 'GET' | 'POST', path: string, { query, body }: TestRequest = {}): Promise<Answer> =>
  product.world.ask(asker, method, path, { query, body })
const must = async (answer: Promise<Answer>): Promise<any> => {
  const { status, data, body } = await answer
  if (status !== 200) throw new Error(JSON.stringify(body))
  return data
}
const guard = async (act: string, condition = '') => {
  const rule = { id: ruleId, act, condition, name: '审批', userIds: here.boss, enabled: true, tenantId: tenantId() }
  ruleId = (await must(product.server.call(product.admin, 'POST', `${flow}/rule/submit`, { body: rule }))).id
}
const guardNothing = () => guard(`${flow}/away/remove`)
const good = () => fresh('goodInfo', { stock: 0, salePrice: 1000 })
const priceOf = async (id: string) =>
  (await must(request('GET', '/api/shop/goodInfo/detail', { query: { id } }))).salePrice as string
/** Whether a call was held for approval instead of executed. */
const isHeld = ({ status, body }: Answer) => status === 202 && body.data.reason === 'held_for_approval'

test('every address of an act is the same act, and a rule may name any of them', async () => {
  const strays = registry.routes.flatMap((one) => {
    const first = canonicalPath(registry, one.path)
    return one.aliasOf && acts.has(canonicalPath(registry, one.aliasOf)) && !acts.has(first) ? [one.path] : []
  })
  expect(strays).toEqual([])
  const names = ['user', 'system/user'].map((one) => `/api/blade-${one}`)
  for (const rule of names)
    for (const base of names)
      for (const call of ['submit', 'update']) {
        await guardNothing()
        const id = await fresh('user', { roleId: [], userType: 1 })
        await guard(`${rule}/submit`)
        const answer = await request('POST', `${base}/${call}`, { body: { id, realName: '周小云' } })
        expect([rule, base, call, isHeld(answer)]).toEqual([rule, base, call, true])
      }
})

test('what older clients do by GET is held as what is posted', async () => {
  for (const name of ['oss', 'sms']) {
    await guardNothing()
    const id = await fresh(name, { status: 1 })
    await guard(`/api/blade-resource/${name}/enable`)
    for (const method of ['GET', 'POST'] as const)
      expect(isHeld(await request(method, `/api/blade-resource/${name}/enable`, { query: { id } }))).toBe(true)
  }
})

describe('a condition on what was sent', () => {
  test('is asked of what the save of any resource reads, whatever stands in the address', async () => {
    const faults: string[] = []
    let held = 0
    for (const { resource } of saved()) {
      const path = `${resource.path}/submit`
      await guardNothing()
      const body = await product.samples.draft(resource, tenantId())
      const text = Object.entries(resource.fields as Fields).find(
        ([key, field]) =>
          typeof body[key] === 'string' &&
          !isEmptyInput(body[key]) &&
          fieldKindOf(field).isFree &&
          !fieldKindOf(field).document &&
          !field.secret &&
          !fieldKindOf(field).writeOnly &&
          /^[\w-]+$/.test(String(body[key])),
      )?.[0]
      if (!text) continue
      await guard(path, `\${args.${text} == '${String(body[text])}'}`)
      const answer = await request('POST', path, { query: { [text]: 'decoy' }, body })
      // A refused call must not be executed either.
      if (answer.status === 200) faults.push(`${path} ${text}`)
      if (isHeld(answer)) held++
    }
    expect(faults).toEqual([])
    expect(held).toBeGreaterThan(30)
  }, 120_000)

  test('reads an action’s input as the action does: trimmed, parsed, the address before the body', async () => {
    const path = '/api/shop/goodInfo/takeOffSale'
    await guard('/api/shop/goodInfo/correct', '${args.change > 5}')
    const correct = (query: object, body: object) =>
      request('POST', '/api/shop/goodInfo/correct', { query: { ...query }, body })
    const id = await good()
    expect(isHeld(await correct({}, { id, change: '10', reason: 'other' }))).toBe(true)
    expect(isHeld(await correct({ change: '10' }, { id, change: 1, reason: 'other' }))).toBe(true)
    expect((await correct({ change: '1' }, { id, change: 10, reason: 'other' })).status).toBe(200)
    expect((await must(request('GET', '/api/shop/goodInfo/detail', { query: { id } }))).stock).toBe(1)
    expect(acts.has(path)).toBe(true)
  })

  test('of bulk work is asked of its body, which is all it reads', async () => {
    await guardNothing()
    const ids = [await good(), await good(), await good()]
    await guard(BULK, "${args.operation == 'remove' && count > 2}")
    const body = { operation: 'remove', ids, expectedCount: 3 }
    for (const query of [{}, { operation: 'edit' }, { expectedCount: '1' }, { ids: ids[0] }, { salePrice: '50' }])
      expect([query, isHeld(await request('POST', '/api/kit/bulk/goodInfo', { query, body }))]).toEqual([query, true])
    await guard(BULK, '${args.input.salePrice < 5}')
    const edit = { operation: 'edit', ids, expectedCount: 3, input: { salePrice: '1.00' } }
    expect(isHeld(await request('POST', '/api/kit/bulk/goodInfo', { query: { salePrice: '50' }, body: edit }))).toBe(
      true,
    )
  })

  test('where the address and the body differ and nobody knows which is read, is refused', async () => {
    await guard('/api/blade-system/role/grant')
    const answer = await request('POST', '/api/blade-system/role/grant', {
      query: { roleIds: '1' },
      body: { roleIds: [here.clerkRole], menuIds: [], dataScopeIds: [], apiScopeIds: [] },
    })
    expect(answer).toMatchObject({ status: 400, data: { reason: 'bad_parameter' } })
  })
})

test('what bulk work would have to ask for is asked for when a resource’s own call is given many rows', async () => {
  await guardNothing()
  const ids = [await good(), await good(), await good()]
  await guard(BULK, "${args.operation == 'remove' && count > 2}")
  expect(isHeld(await request('POST', '/api/shop/goodInfo/remove', { query: { ids: ids.join() } }))).toBe(true)
  expect(isHeld(await request('POST', '/api/shop/goodInfo/remove', { body: { ids } }))).toBe(true)
  expect((await request('POST', '/api/shop/goodInfo/remove', { query: { ids: ids[0] } })).status).toBe(200)
  await guard(BULK, "${args.operation == 'takeOffSale'}")
  expect(isHeld(await request('POST', '/api/shop/goodInfo/takeOffSale', { query: { ids: ids.slice(1).join() } }))).toBe(
    true,
  )
})

describe('a save that is behind an approval', () => {
  const down = '${before == null || after.salePrice < before.salePrice}'
  const path = '/api/shop/goodInfo/submit'

  test('is held as a form, a cell, bulk work, a version set back and a row from the recycle bin', async () => {
    await guardNothing()
    const id = await good()
    await must(request('POST', path, { body: { id, salePrice: '20.00' } }))
    const { records } = await must(request('GET', '/api/kit/history/goodInfo', { query: { id } }))
    const removed = await good()
    await must(request('POST', '/api/shop/goodInfo/remove', { query: { ids: removed } }))
    await guard(path, down)
    const calls: Record<string, () => Promise<Answer>> = {
      form: () => request('POST', path, { body: { id, salePrice: '5.00' } }),
      cell: () => request('POST', path, { body: { id, salePrice: '5.00', $cellEdit: true } }),
      decoy: () => request('POST', path, { query: { salePrice: '50' }, body: { id, salePrice: '5.00' } }),
      restore: () => request('POST', '/api/kit/history/goodInfo/restore', { body: { id, change: records[0].id } }),
      bin: () => request('POST', '/api/kit/bin/goodInfo/restore', { body: { ids: removed } }),
    }
    for (const [name, call] of Object.entries(calls)) expect([name, isHeld(await call())]).toEqual([name, true])
    const bulk = { operation: 'edit', ids: [id], expectedCount: 1, input: { salePrice: '5.00' } }
    const done = await must(request('POST', '/api/kit/bulk/goodInfo', { body: bulk }))
    expect(done).toMatchObject({ done: 0, failed: 1 })
    expect(await priceOf(id)).toBe('20.00')
  })

  test('is held in sheets of every resource that has them, line by line', async () => {
    const faults: string[] = []
    let held = 0
    for (const served of saved().filter((one) => sheetCapabilities(one).import)) {
      const { resource } = served
      await guardNothing()
      const draft = await product.samples.draft(resource, tenantId())
      await guard(`${resource.path}/${resource.createPath ?? 'submit'}`)
      const before = await product.samples.countRows(resource)
      held += await imported(resource.path, resource.fields as Fields, draft)
      if ((await product.samples.countRows(resource)) !== before) faults.push(resource.name)
    }
    expect(faults).toEqual([])
    expect(held).toBeGreaterThan(15)
  }, 120_000)
})

test('a user is held as a line of the sheet of users, and is there once it is agreed to', async () => {
  await guardNothing()
  const [account, path] = ['sheet-user', '/api/blade-user/submit']
  await guard(path)
  const words = [
    '租户编号',
    '用户类型',
    '账户',
    '昵称',
    '姓名',
    '邮箱',
    '手机',
    '角色名称',
    '部门名称',
    '岗位名称',
    '生日',
  ]
  const headings = words.map((text) => ({ text, width: 10 }))
  const line = words.map((text) => ({ 账户: account, 昵称: '小周', 姓名: '周小云' })[text] ?? '')
  const book = await writeWorkbook([{ name: 'x', headings, rows: [line] }])
  const answer = await upload('/api/blade-system/user/import-user', book)
  expect([answer.statusCode, JSON.parse(answer.body).data?.reason]).toEqual([202, 'held_for_approval'])
  const known = () => product.server.services.systemPool.query('select 1 from sys_user where account = $1', [account])
  expect((await known()).rowCount).toBe(0)
})

const leaveXml = `<?xml version="1.0" encoding="UTF-8"?>
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:flowable="http://flowable.org/bpmn"
  targetNamespace="http://www.flowable.org/processdef"><process id="leave" name="请假流程" isExecutable="true">
  <startEvent id="s"/><userTask id="t" flowable:candidateGroups="boss"/><endEvent id="e"/>
  <sequenceFlow id="st" sourceRef="s" targetRef="t"/><sequenceFlow id="te" sourceRef="t" targetRef="e"/>
</process></definitions>`

test('a rule on deploying a process is about every way to deploy one', async () => {
  await guardNothing()
  const path = `${flow}/model/deploy`
  await guard(path)
  expect(acts.has(`${flow}/model/deploy-one`), 'offered beside what it comes to').toBe(false)
  const id = await fresh('flowModel', { modelKey: 'leave', modelEditorXml: leaveXml, forms: null })
  for (const [name, query] of [
    ['deploy', { modelId: id, category: 'flow_1', tenantIds: '' }],
    ['deploy-one', { id, category: '1' }],
  ] as const) {
    const answer = await request('POST', `${flow}/model/${name}`, { query })
    expect([name, isHeld(answer)], JSON.stringify(answer.body)).toEqual([name, true])
  }
  const answer = await upload(`${flow}/manager/deploy-upload?category=flow_1&tenantIds=`, Buffer.from(leaveXml))
  expect([answer.statusCode, JSON.parse(answer.body).data?.reason]).toEqual([409, 'flow_not_by_file'])
})

async function upload(path: string, book: Buffer) {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(book)]), 'x.xlsx')
  const request = new Request('http://x', { method: 'POST', body: form })
  return product.server.http.inject({
    method: 'POST',
    url: path,
    payload: Buffer.from(await request.arrayBuffer()),
    headers: { 'blade-auth': `bearer ${asker.token}`, 'content-type': request.headers.get('content-type')! },
  })
}

/** Imports a workbook with one row. Returns how many rows were held. */
async function imported(path: string, fields: Fields, draft: Record<string, unknown>): Promise<number> {
  const keys = Object.keys(draft).filter((key) => fields[key] && ['string', 'number'].includes(typeof draft[key]))
  const headings = keys.map((key) => ({ text: fields[key]!.label.zh, width: 10 }))
  const book = await writeWorkbook([{ name: 'x', headings, rows: [keys.map((key) => draft[key] as string)] }])
  const { body } = await upload(`${path}/import`, book)
  const { id } = JSON.parse(body).data
  await product.server.jobs.runDue()
  await request('POST', `/api/kit/tasks/${id}/apply`)
  await product.server.jobs.runDue()
  const { result } = await must(request('GET', `/api/kit/tasks/${id}`))
  // Removed, since each user may have only so many tasks.
  await request('POST', `/api/kit/tasks/${id}/remove`)
  return result?.held ?? 0
}
