import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { supplierInfo } from '#domains/catalogue/purchasing/index.ts'
import { wxUser } from '#domains/sales/customers/index.ts'
import { ownField } from '#domains/platform/custom-fields/index.ts'
import { updateCustomFieldIndexes } from '#domains/platform/custom-fields/api.ts'
import {
  customFieldKey,
  customFieldKinds,
  customSlotsOfLetter,
  resourceWithCustomFields,
  type CustomField,
  type CustomFieldKind,
} from '#kit/resource/index.ts'
import { createModuleRegistry } from '#kit/server/mount/mount.ts'
import { sheetRows } from '#kit/server/sheets/read-sheet.ts'
import { writeWorkbook } from '#kit/server/sheets/write-sheet.ts'
import { describeContract } from '#tests/support/contract.ts'
import type { CastMember } from '#tests/support/server.ts'
import { countRoundTrips } from '#tests/support/round-trips.ts'
import { productModules } from './modules.ts'
import { testProduct, type Product } from './test-product.ts'
import { exceptions } from './test-samples.ts'

const CHOICES = [
  { key: 'c1', zh: '直营', en: 'Direct', colour: 'success' },
  { key: 'c2', zh: '代理', en: 'Agent' },
]
const WORDS: Record<CustomFieldKind, [zh: string, en: string, more?: object]> = {
  text: ['别名', 'Nickname'],
  longText: ['合作说明', 'Terms in words'],
  number: ['温度', 'Temperature', { decimals: 1, unit: '°C' }],
  money: ['保证金', 'Deposit'],
  percent: ['返点', 'Rebate'],
  date: ['签约日', 'Signed on'],
  datetime: ['巡厂时间', 'Visited at'],
  boolean: ['有冷链', 'Cold chain'],
  choice: ['渠道', 'Channel', { options: CHOICES }],
  choices: ['资质', 'Certificates', { options: CHOICES }],
  ref: ['负责人', 'Buyer', { refersTo: 'user' }],
  phone: ['值班电话', 'Duty phone'],
  email: ['对账邮箱', 'Billing address'],
  url: ['官网', 'Website'],
}
const KINDS = Object.keys(customFieldKinds) as CustomFieldKind[]

/** Keys are numbered in the order fields are created, columns by type letter. */
const KEYS = Object.fromEntries(
  KINDS.map((kind, at) => {
    const { letter } = customFieldKinds[kind]
    const before = KINDS.slice(0, at).filter((one) => customFieldKinds[one].letter === letter).length
    return [kind, customFieldKey(at + 1, customSlotsOfLetter(letter)[before]!)]
  }),
) as Record<CustomFieldKind, string>

/** Returns what the page's form sends for a field of a kind. */
const draftOf = (kind: CustomFieldKind, resource = supplierInfo.name, more: object = {}) => {
  const [labelZh, labelEn, own] = WORDS[kind]
  const required = kind === 'text'
  return { family: resource, kind, labelZh, labelEn, required, sort: KINDS.indexOf(kind), ...own, ...more }
}

/** Returns the field as the kit derives it from the form. */
const asKit = (kind: CustomFieldKind): CustomField => {
  const [zh, en, more] = WORDS[kind] as [string, string, Record<string, any>?]
  return {
    key: KEYS[kind],
    kind,
    label: { zh, en },
    required: kind === 'text',
    inList: true,
    inSearch: true,
    inForm: true,
    inExport: true,
    inImport: true,
    ...(more?.options ? { entries: more.options } : {}),
    ...(more?.decimals ? { decimals: more.decimals, unit: more.unit } : {}),
    ...(more?.refersTo ? { to: more.refersTo } : {}),
  }
}

let product: Product
let owner: CastMember
let stranger: CastMember
const call = (who: CastMember, method: 'GET' | 'POST', path: string, ask: object = {}) =>
  product.server.call(who, method, path, ask)
const must = async (...params: Parameters<typeof call>) => {
  const answer = await call(...params)
  expect(answer.body, params[2]).toMatchObject({ code: 200 })
  return answer.data
}
const add = (kind: CustomFieldKind, more: object = {}, who = owner) =>
  call(who, 'POST', `${ownField.path}/submit`, { body: { ...draftOf(kind), ...more } })
const save = (body: object, who = owner) => call(who, 'POST', `${supplierInfo.path}/submit`, { body })
const list = async (query: object, who = owner): Promise<Record<string, any>[]> =>
  (await must(who, 'GET', `${supplierInfo.path}/list`, { query: { size: 100, ...query } })).records
const detail = (id: string, who = owner) => must(who, 'GET', `${supplierInfo.path}/detail`, { query: { id } })
let made = 0
const fresh = () => `自有${++made}号`

beforeAll(async () => {
  product = await testProduct()
  ;[owner, stranger] = product.tenants.map(({ admin }) => admin) as [CastMember, CastMember]
  for (const kind of KINDS) expect((await add(kind)).data).toMatchObject({ key: KEYS[kind] })
})
afterAll(() => product?.close())

// With its own fields, the resource passes the contract of all resources.
const served = createModuleRegistry(productModules).served.get(supplierInfo.name)!
describeContract(
  { ...served, resource: resourceWithCustomFields(served.resource, KINDS.map(asKit)) },
  () => product,
  exceptions,
)

const VALUES: Record<CustomFieldKind, unknown> = {
  text: '老王',
  longText: '月结\n九折',
  number: '-18.5',
  money: '2000.00',
  percent: '2.50',
  date: '2026-03-01',
  datetime: '2026-03-02 09:30:00',
  boolean: 'yes',
  choice: 'c2',
  choices: 'c1,c2',
  ref: '',
  phone: '0571-88886666',
  email: 'pay@example.com',
  url: 'https://example.com/a',
}
const filled = (more: object = {}) => ({
  name: fresh(),
  ...Object.fromEntries(KINDS.map((kind) => [KEYS[kind], VALUES[kind]])),
  [KEYS.ref]: owner.userId,
  ...more,
})

test('resources that take own fields are told apart below their menu, in both languages', async () => {
  for (const lang of ['zh', 'en'] as const) {
    const offered = await must(owner, 'GET', `${ownField.path}/families`, { lang })
    const titles = offered.map(({ group, label }: { group: string; label: string }) => `${group} / ${label}`)
    expect(titles.filter((one: string, at: number) => titles.indexOf(one) !== at)).toEqual([])
  }
})

describe('a resource with own fields', () => {
  test('keeps each kind, answers it with its words, and finds it by its filter', async () => {
    const { data } = await save(filled())
    const { id: other } = (await save({ name: fresh(), [KEYS.text]: '小李', [KEYS.number]: '4.0' })).data
    const row = await detail(data.id)
    for (const kind of KINDS.filter((one) => one !== 'ref'))
      expect([kind, row[KEYS[kind]]]).toEqual([kind, VALUES[kind]])
    expect(row).toMatchObject({
      [KEYS.ref]: owner.userId,
      [`${KEYS.ref}Name`]: expect.stringMatching(/./),
      [`${KEYS.choice}Name`]: '代理',
      [`${KEYS.choices}Name`]: '直营,代理',
    })

    expect(
      (await call(owner, 'GET', `${supplierInfo.path}/detail`, { query: { id: data.id }, lang: 'en' })).data,
    ).toMatchObject({ [`${KEYS.choice}Name`]: 'Agent' })
    const filters: [string, string][] = [
      [KEYS.text, '老'],
      [`${KEYS.text}_equal`, '老王'],
      [KEYS.longText, '九折'],
      [`${KEYS.number}_lt`, '-18'],
      [`${KEYS.money}_ge`, '2000'],
      [`${KEYS.percent}_le`, '2.5'],
      [`${KEYS.date}_datege`, '2026-03-01'],
      [`${KEYS.datetime}_datelt`, '2026-03-03'],
      [KEYS.boolean, 'yes'],
      [KEYS.choice, 'c2'],
      [KEYS.choices, 'c1'],
      [KEYS.ref, owner.userId],
      [KEYS.phone, '8888'],
      [KEYS.email, 'pay@'],
      [`${KEYS.url}_notnull`, '1'],
    ]

    for (const [key, value] of filters) {
      const ids = (await list({ [key]: value })).map(({ id }) => id)
      expect([key, ids.includes(data.id), ids.includes(other)]).toEqual([key, true, false])
    }

    // A row without an answer matches neither yes nor no.
    expect((await list({ [KEYS.boolean]: 'no' })).map(({ id }) => id)).not.toContain(other)
    expect(
      (await call(owner, 'GET', `${supplierInfo.path}/list`, { query: { [KEYS.date]: 'soon' } })).data,
    ).toMatchObject({ reason: 'bad_filter' })
  })

  test('is sorted by them either way, rows without one last, and no page has a row twice', async () => {
    const ids: string[] = []
    for (const value of ['3.0', '', '1.5', '2.0'])
      ids.push((await save({ name: fresh(), [KEYS.text]: '排序用', [KEYS.number]: value })).data.id)
    const [three, none, low, two] = ids
    const sorted = async (query: object) => {
      const pages = [1, 2, 3, 4].map((current) =>
        must(owner, 'GET', `${supplierInfo.path}/list`, {
          query: { [KEYS.text]: '排序用', current, size: 1, ...query },
        }),
      )
      return (await Promise.all(pages)).map(({ records }) => records[0].id)
    }
    expect(await sorted({ ascs: KEYS.number })).toEqual([low, two, three, none])
    expect(await sorted({ descs: KEYS.number })).toEqual([three, two, low, none])
  })

  test('refuses a wrong value by its label in the reader’s language, and writes nothing', async () => {
    const body = { name: fresh(), [KEYS.text]: 'x', [KEYS.date]: '2026-02-30', [KEYS.choice]: 'c9' }
    const path = `${supplierInfo.path}/submit`
    expect((await call(owner, 'POST', path, { body })).data.fields).toEqual({
      [KEYS.date]: '签约日应为日期，如 2026-01-31',
      [KEYS.choice]: '渠道不在可选范围内',
    })
    expect((await call(owner, 'POST', path, { body, lang: 'en' })).data.fields[KEYS.choice]).toBe(
      'Channel is not one of the options',
    )
    expect(await list({ name: body.name })).toEqual([])
  })

  test('asks for what is required of who knows of it; older clients and older rows stay as they are', async () => {
    const refused = await save({ name: fresh(), [KEYS.text]: '', [KEYS.money]: '1.00' })
    expect(refused.data.fields).toEqual({ [KEYS.text]: '请输入别名' })
    // An older client does not send these fields.
    const old = await save({ name: fresh(), contact: '李' })
    expect(old.body).toMatchObject({ code: 200 })
    expect((await save({ id: old.data.id, contact: '王' })).body).toMatchObject({ code: 200 })
    const whole = filled()
    const { id } = (await save(whole)).data
    expect((await save({ id, contact: '赵' })).body).toMatchObject({ code: 200 })
    // A client that sends back what it read, including the -1 of a missing number, changes nothing.
    const read = await detail(old.data.id)
    expect(read[KEYS.number]).toBe(-1)
    expect((await save({ ...read, [KEYS.text]: 'y' })).body).toMatchObject({ code: 200 })
    expect((await detail(old.data.id))[KEYS.number]).toBe(-1)
    expect(await detail(id)).toMatchObject({ contact: '赵', [KEYS.text]: '老王', [KEYS.number]: '-18.5' })
  })

  test('keeps their changes in the history under the field’s name, and sets them back', async () => {
    const { id } = (await save(filled())).data
    await save({ id, [KEYS.choice]: 'c1', [KEYS.number]: '5.0' })
    const path = `/api/kit/history/${supplierInfo.name}`
    const { records } = await must(owner, 'GET', path, { query: { id } })
    expect(records[0]).toMatchObject({
      keys: expect.arrayContaining([KEYS.choice, KEYS.number]),
      was: { [`${KEYS.choice}Name`]: '代理', [KEYS.number]: '-18.5' },
      now: { [`${KEYS.choice}Name`]: '直营', [KEYS.number]: '5.0' },
    })
    await must(owner, 'POST', `${path}/restore`, { body: { id, change: records[0].id } })
    expect(await detail(id)).toMatchObject({ [KEYS.choice]: 'c2', [KEYS.number]: '-18.5' })
    const late = await save({ id, version: 0, [KEYS.text]: '晚到' })
    expect(late.data).toMatchObject({ reason: 'changed_meanwhile', row: { [KEYS.text]: '老王' } })
  })

  test('sets one for many rows at once', async () => {
    const ids = [(await save(filled())).data.id, (await save(filled())).data.id]
    const body = { operation: 'edit', ids: ids.join(','), input: { [KEYS.boolean]: 'no' }, expectedCount: 2 }
    expect((await must(owner, 'POST', `/api/kit/bulk/${supplierInfo.name}`, { body })).done).toBe(2)
    for (const id of ids) expect((await detail(id))[KEYS.boolean]).toBe('no')
  })

  test('goes out as a workbook and comes back unchanged; what was changed in it is written', async () => {
    const { id } = (await save(filled({ [KEYS.text]: '往返' }))).data
    const { id: exported } = await must(owner, 'POST', `${supplierInfo.path}/export`, {
      query: { [KEYS.text]: '往返' },
      body: { columns: 'name' },
    })
    await product.server.jobs.runDue()
    const { ticket } = await must(owner, 'POST', `/api/kit/tasks/${exported}/ticket`)
    const { rawPayload } = await product.server.http.inject({ method: 'GET', url: `/api/kit/download/${ticket}` })
    const cells: unknown[][] = []
    for await (const rows of sheetRows(rawPayload, 1e8)) cells.push(...rows.map((one) => one.cells))
    expect(cells[0]).toEqual(expect.arrayContaining(['别名', '温度', '渠道', '负责人', '签约日']))
    expect(cells[1]).toEqual(expect.arrayContaining(['往返', -18.5, '代理']))
    const same = await imported(rawPayload)
    expect(same.result).toMatchObject({ same: 1, new: 0, changed: 0, wrong: 0 })
    await save({ id, [KEYS.number]: '7.0', [KEYS.choices]: '' })
    const differs = await imported(rawPayload)
    expect(differs.result).toMatchObject({ changed: 1, cells: 2 })
    await must(owner, 'POST', `/api/kit/tasks/${differs.id}/apply`)
    await product.server.jobs.runDue()
    expect(await detail(id)).toMatchObject({ [KEYS.number]: '-18.5', [KEYS.choices]: 'c1,c2' })
    const template = await product.server.http.inject({
      method: 'GET',
      url: `${supplierInfo.path}/import-template`,
      headers: { 'blade-auth': `bearer ${owner.token}` },
    })
    const heads: unknown[][] = []
    for await (const rows of sheetRows(template.rawPayload, 1e8)) heads.push(...rows.map((one) => one.cells))
    expect(heads[0]!.map((one) => String(one).replace(/\s*\*$/, ''))).toEqual(expect.arrayContaining(['别名', '渠道']))
  })

  test('is another tenant’s own: who is of another sees no field, no value and no filter of it', async () => {
    const held = await must(stranger, 'GET', '/api/blade-system/menu/held')
    expect(held.own).toEqual({})
    const { id } = (await save({ name: fresh() }, stranger)).data
    expect(Object.keys(await detail(id, stranger)).filter((key) => /^own\d/.test(key))).toEqual([])
    const sent = await save({ id, [KEYS.text]: '偷' }, stranger)
    expect(sent.body).toMatchObject({ code: 200 })
    // Unknown filters are ignored, and so are another tenant's fields.
    expect((await list({ [KEYS.text]: '老王' }, stranger)).map((one) => one.id)).toContain(id)
    expect((await add('text', {}, stranger)).data.key).toBe(customFieldKey(1, 't1'))
    expect((await detail(id, stranger))[customFieldKey(1, 't1')]).toBe('')
    const { records } = (
      await product.server.call(product.admin, 'GET', `${supplierInfo.path}/list`, { query: { size: 5 } })
    ).data
    expect(Object.keys(records[0]).filter((key) => /^own\d/.test(key))).toEqual([])
  })

  test('costs who has none not one message more, and who has some none either', async () => {
    const ask = (who: CastMember) => () => call(who, 'GET', `${supplierInfo.path}/list`, { query: { size: 10 } })
    for (const who of [owner, stranger]) {
      await ask(who)()
      const { statements, roundTrips } = await countRoundTrips(async () => void (await ask(who)()))
      expect([statements, roundTrips]).toEqual([3, 1])
    }
  })
})

async function imported(bytes: Buffer): Promise<Record<string, any>> {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(bytes)]), 'x.xlsx')
  const request = new Request('http://x', { method: 'POST', body: form })
  const { body } = await product.server.http.inject({
    method: 'POST',
    url: `${supplierInfo.path}/import`,
    payload: Buffer.from(await request.arrayBuffer()),
    headers: { 'blade-auth': `bearer ${owner.token}`, 'content-type': request.headers.get('content-type')! },
  })
  await product.server.jobs.runDue()
  return must(owner, 'GET', `/api/kit/tasks/${JSON.parse(body).data.id}`)
}

describe('the fields themselves', () => {
  test('are refused with a reason: a name that is there, no choices, a resource that takes none', async () => {
    const reason = async (...given: Parameters<typeof add>) => (await add(...given)).data
    expect((await reason('money')).fields).toEqual({ labelZh: expect.stringContaining('已存在') })
    expect((await reason('money', { labelZh: '联系人', labelEn: 'x' })).fields).toHaveProperty('labelZh')
    const named = { labelZh: '新的', labelEn: 'New one' }
    expect(await reason('choice', { ...named, options: [] })).toMatchObject({ reason: 'own_choices_needed' })
    const twice = [CHOICES[0], { zh: '直营', en: 'Other' }]
    expect(await reason('choice', { ...named, options: twice })).toMatchObject({ reason: 'own_choices_wrong' })
    expect((await reason('number', { ...named, defaultValue: 'many' })).fields).toHaveProperty('defaultValue')
    expect(await reason('text', { ...named, family: 'user' })).toMatchObject({ reason: 'own_not_here' })
    expect((await reason('text', { ...named, family: 'nobody' })).fields).toHaveProperty('family')
    expect(await reason('text', { ...named, required: true, inImport: false })).toMatchObject({
      reason: 'own_required_places',
    })
    expect((await reason('ref', { ...named, refersTo: '' })).fields).toHaveProperty('refersTo')
  })

  test('stay within what there is room for, and give way only once what they held is cleared', async () => {
    const resource = wxUser.name
    const ids: string[] = []
    const named = (n: number) => ({ family: resource, labelZh: `日子${n}`, labelEn: `Day ${n}`, required: false })
    for (const n of customSlotsOfLetter('d').keys()) ids.push((await add('date', named(n))).data.id)
    expect((await add('date', named(9))).data).toMatchObject({ reason: 'own_no_room' })
    await must(owner, 'POST', `${ownField.path}/remove`, { query: { ids: ids[0] } })
    const removed = (await add('date', named(9))).data
    expect(removed).toMatchObject({ reason: 'own_no_room' })
    const back = { ids: ids[0] }
    await must(owner, 'POST', `/api/kit/bin/${ownField.name}/restore`, { body: back })
    await must(owner, 'POST', `${ownField.path}/remove`, { query: { ids: ids[0] } })
    await must(owner, 'POST', `${ownField.path}/clear`)
    await product.server.jobs.runDue()
    expect((await call(owner, 'POST', `/api/kit/bin/${ownField.name}/restore`, { body: back })).status).toBe(404)
    expect((await add('date', named(9))).body).toMatchObject({ code: 200 })
  })

  test('leave with their values kept: gone from the list at once, back with all they held', async () => {
    const { data } = await add('text', { labelZh: '暂存', labelEn: 'For a while', required: false })
    const { id } = (await save({ name: fresh(), [KEYS.text]: 'z', [data.key]: '还在' })).data
    await must(owner, 'POST', `${ownField.path}/remove`, { query: { ids: data.id } })
    expect(await detail(id)).not.toHaveProperty(data.key)
    await must(owner, 'POST', `/api/kit/bin/${ownField.name}/restore`, { body: { ids: data.id } })
    expect((await detail(id))[data.key]).toBe('还在')
    await must(owner, 'POST', `${ownField.path}/remove`, { query: { ids: data.id } })
    await must(owner, 'POST', `${ownField.path}/clear`)
    await product.server.jobs.runDue()
    const next = (await add('text', { labelZh: '接替', labelEn: 'Its place', required: false })).data
    // The next field reuses the column under another key, without the old values.
    expect(next.key).not.toBe(data.key)
    expect((await detail(id))[next.key]).toBe('')
  })

  test('that are removed while an import writes get nothing more of it, nor does who takes their place', async () => {
    const names = Array.from({ length: 60 }, () => fresh())
    const ids: string[] = []
    for (const name of names) ids.push((await save({ name, [KEYS.text]: 'i' })).data.id)
    const label = { labelZh: '中途', labelEn: 'On the way', required: false }
    const { id, key } = (await add('text', label)).data
    const headings = ['编号', label.labelZh].map((text) => ({ text, width: 10 }))
    const task = await imported(await writeWorkbook([{ name: 'x', headings, rows: ids.map((one) => [one, 'x']) }]))
    expect(task.result).toMatchObject({ changed: 60, wrong: 0 })
    await must(owner, 'POST', `/api/kit/tasks/${task.id}/apply`)
    const { services, jobs } = product.server
    const { unit } = services
    const clearJob = productModules
      .flatMap((module) => module.jobs ?? [])
      .find(({ queue }) => queue === 'ownfields.clear')!
    const lines = `select count(*)::int as n from background_task_row where task_id = $1 and state = 'saved'`
    let next = ''
    services.unit = async (...given) => {
      const answer = await unit(...given)
      if (next || (await services.systemPool.query(lines, [task.id])).rows[0].n !== 50) return answer
      next = 'asked'
      await must(owner, 'POST', `${ownField.path}/remove`, { query: { ids: id } })
      await must(owner, 'POST', `${ownField.path}/clear`)
      await clearJob.run({ tenantId: owner.tenantId }, { services, signal: new AbortController().signal } as never)
      next = (await add('text', { ...label, labelZh: '占位', labelEn: 'In its place' })).data.key
      return answer
    }
    await jobs.runDue().finally(() => (services.unit = unit))
    expect(next.slice(-2)).toBe(key.slice(-2))
    expect((await must(owner, 'GET', `/api/kit/tasks/${task.id}`)).state).toBe('done')
    for (const one of ids) expect((await detail(one))[next]).toBe('')
  })

  test('keep the words of choices that are no longer offered, for the rows that have them', async () => {
    const { data } = await add('choice', { labelZh: '等级', labelEn: 'Rank' })
    const { id } = (await save({ name: fresh(), [KEYS.text]: 'k', [data.key]: 'c2' })).data
    const options = [
      { ...CHOICES[0], zh: '自营' },
      { zh: '寄售', en: 'On commission' },
    ]
    await must(owner, 'POST', `${ownField.path}/submit`, { body: { id: data.id, options } })
    expect((await detail(id))[`${data.key}Name`]).toBe('代理')
    expect((await save({ id, contact: '不变' })).body).toMatchObject({ code: 200 })
    expect((await save({ name: fresh(), [KEYS.text]: 'k', [data.key]: 'c2' })).data.fields).toHaveProperty(data.key)
    const words = await must(owner, 'GET', '/api/kit/dictionary', { query: { codes: data.key } })
    expect(words[data.key].map(({ key, label }: any) => [key, label])).toEqual([
      ['c1', '自营'],
      ['c3', '寄售'],
    ])
  })

  test('are indexed where a list asks for them, and no longer where none does', async () => {
    await updateCustomFieldIndexes(product.server.services)
    const again = await updateCustomFieldIndexes(product.server.services)
    expect(again).toEqual({ built: [], gone: [] })
    const { rows } = await product.server.services.systemPool.query<{ indexdef: string }>(
      `select indexdef from pg_indexes where indexname = 'supplier_info_own_t1'`,
    )
    expect(rows[0]!.indexdef).toContain('own_t1 IS NOT NULL')
    const existing = await must(owner, 'GET', `${ownField.path}/list`, {
      query: { family_equal: wxUser.name, size: 50 },
    })
    const ids = existing.records.map(({ id }: any) => id).join(',')
    await must(owner, 'POST', `${ownField.path}/remove`, { query: { ids } })
    const { gone } = await updateCustomFieldIndexes(product.server.services)
    expect(gone.length).toBeGreaterThan(0)
    expect(gone.every((name) => name.startsWith('wx_user_own_d'))).toBe(true)
  })
})
