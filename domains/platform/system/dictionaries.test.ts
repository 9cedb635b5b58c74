import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Field } from '#kit/fields/base/field-kind.ts'
import { testServer, type TestServer } from '#tests/support/server.ts'
import { createTestWorld, type TestCaller, type TestWorld } from '#tests/support/world.ts'
import { createTenant } from './tenant-create.ts'
import { createLabelLookup } from './labels.ts'

let server: TestServer
let world: TestWorld
let platform: TestCaller
let boss: TestCaller
let other: TestCaller
let clerk: TestCaller

const codes = new Set(['dict', 'dictbiz', 'dictbiz_add', 'dictbiz_edit', 'dictbiz_delete'])

beforeAll(async () => {
  server = await testServer()
  world = createTestWorld(server)
  platform = world.be({ tenantId: '000000', isPlatform: true, isAdmin: true })
  boss = world.be({ tenantId: '990001', isAdmin: true, permissions: codes })
  other = world.be({ tenantId: '990002', isAdmin: true, permissions: codes })
  clerk = world.be({ tenantId: '990001' })
})
afterAll(() => server?.close())

const system = '/api/blade-system/dict'
const biz = '/api/blade-system/dict-biz'
let count = 0
const newCode = () => `test_code_${++count}`

async function add(who: TestCaller, base: string, row: Record<string, unknown>): Promise<string> {
  const answer = await world.ask(who, 'POST', `${base}/submit`, {
    body: row.id ? row : { sort: 1, isSealed: 0, ...row },
  })
  expect(answer.body).toMatchObject({ code: 200, success: true })
  return answer.data.id as string
}

async function dictionary(
  who = platform,
  base = system,
): Promise<{ code: string; root: string; first: string; second: string }> {
  const code = newCode()
  const root = await add(who, base, { code, dictKey: -1, dictValue: '天气', dictValueEn: 'Weather', parentId: 0 })
  const first = await add(who, base, { code, dictKey: '1', dictValue: '晴', dictValueEn: 'Sunny', parentId: root })
  const second = await add(who, base, { code, dictKey: '2', dictValue: '雨', parentId: root, sort: 2 })
  return { code, root, first, second }
}

const words = async (who: TestCaller, code: string, lang: 'zh' | 'en' = 'zh', base = system) =>
  (
    (await world.ask(who, 'GET', `${base}/dictionary`, { query: { code }, lang })).data as {
      dictValue: string
      dictKey: string
    }[]
  ).map((row) => [row.dictKey, row.dictValue])

describe('words of a dictionary', () => {
  test('come in order and in the reader’s language, Chinese where English is missing', async () => {
    const { code } = await dictionary()
    expect(await words(clerk, code)).toEqual([
      ['1', '晴'],
      ['2', '雨'],
    ])
    expect(await words(clerk, code, 'en')).toEqual([
      ['1', 'Sunny'],
      ['2', '雨'],
    ])
    const kit = await world.ask(clerk, 'GET', '/api/kit/dictionary', { query: { codes: code }, lang: 'en' })
    expect(kit.data[code]).toEqual([
      { key: '1', label: 'Sunny' },
      { key: '2', label: '雨' },
    ])
  })

  test('are for the signed in alone', async () => {
    expect((await world.ask(undefined, 'GET', `${system}/dictionary`, { query: { code: 'sex' } })).code).toBe(401)
  })

  test('are new in the very next answer after a change, an addition and a removal', async () => {
    const { code, root, first, second } = await dictionary()
    await add(platform, system, { id: first, dictValue: '多云', parentId: root })
    expect((await words(clerk, code))[0]).toEqual(['1', '多云'])
    await add(platform, system, { code, dictKey: '3', dictValue: '雪', parentId: root, sort: 3 })
    expect(await words(clerk, code)).toHaveLength(3)
    await world.ask(platform, 'POST', `${system}/remove`, { query: { ids: second } })
    expect((await words(clerk, code)).map(([key]) => key)).toEqual(['1', '3'])
  })

  test('are new in another process too', async () => {
    const { code, root, first } = await dictionary()
    const elsewhere = createLabelLookup({ ...server.services })
    const field: Field = { kind: 'dict', dict: code, label: { zh: '', en: '' } }
    await elsewhere.ready('990001')
    expect(elsewhere.dict('990001', field, '1', 'zh')).toBe('晴')
    await add(platform, system, { id: first, dictValue: '阴', parentId: root })
    await expect
      .poll(async () => {
        await elsewhere.ready('990001')
        return elsewhere.dict('990001', field, '1', 'zh')
      })
      .toBe('阴')
  })

  test('a sealed entry is no choice any more but keeps its word', async () => {
    const { code, root, first } = await dictionary()
    await add(platform, system, { id: first, isSealed: 1, parentId: root })
    expect(await words(clerk, code)).toEqual([['2', '雨']])
    const field: Field = { kind: 'dict', dict: code, label: { zh: '', en: '' } }
    await server.services.labels.ready('990001')
    expect(server.services.labels.dict('990001', field, '1', 'zh')).toBe('晴')
    expect(server.services.labels.hasKey('990001', field, '1')).toBe(false)
    expect(server.services.labels.hasKey('990001', field, '2')).toBe(true)
    expect(server.services.labels.hasKey('990001', field, '-1')).toBe(false)
  })
})

test('a row keeps a value that was sealed after it was chosen, and no other row gets it', async () => {
  const writer = world.be({ tenantId: '990001', permissions: new Set(['notice', 'notice_add', 'notice_edit']) })
  const notice = '/api/blade-desk/notice'
  const make = async (category: number) =>
    (await world.ask(writer, 'POST', `${notice}/submit`, { body: { title: 'x', category } })).data.id as string
  const [held, free] = [await make(6), await make(5)]
  const list = (await world.ask(platform, 'GET', `${system}/list`, { query: { code_equal: 'notice' } })).data as {
    id: string
    children: { id: string; dictKey: string }[]
  }[]
  const entry = list[0]!.children.find((one) => one.dictKey === '6')!
  await add(platform, system, { id: entry.id, isSealed: 1, parentId: list[0]!.id })
  expect(
    (await world.ask(writer, 'POST', `${notice}/submit`, { body: { id: held, title: 'y', category: 6 } })).code,
  ).toBe(200)
  expect((await world.ask(writer, 'GET', `${notice}/detail`, { query: { id: held } })).data).toMatchObject({
    title: 'y',
    categoryName: '事务通知',
  })
  const refused = await world.ask(writer, 'POST', `${notice}/submit`, { body: { id: free, category: 6 } })
  expect(refused.body).toMatchObject({ code: 400, data: { fields: { category: '通知类型不在可选范围内' } } })
  await add(platform, system, { id: entry.id, isSealed: 0, parentId: list[0]!.id })
})

describe('the tables of a dictionary', () => {
  test('roots are a page, entries of a root an array, and nothing is below no parent', async () => {
    const { code, root, first } = await dictionary()
    const roots = await world.ask(platform, 'GET', `${system}/parent-list`, { query: { code, current: 1, size: 10 } })
    expect(roots.data).toMatchObject({
      total: 1,
      records: [{ id: root, code, dictKey: '-1', parentId: '0', parentName: '顶级', isSealed: 0 }],
    })
    const children = await world.ask(platform, 'GET', `${system}/child-list`, {
      query: { parentId: root, current: 1, size: 10 },
    })
    expect(children.data.map((row: { id: string }) => row.id)).toContain(first)
    expect(children.data[0]).toMatchObject({ parentName: '天气', isSealed: 0, dictKey: '1' })
    expect(children.data[0]).not.toHaveProperty('children')
    for (const parentId of ['-1', undefined, '', '0', 'x'])
      expect((await world.ask(platform, 'GET', `${system}/child-list`, { query: { parentId } })).data).toEqual([])
    const found = await world.ask(platform, 'GET', `${system}/child-list`, {
      query: { parentId: root, dictValue: '晴' },
    })
    expect(found.data).toHaveLength(1)
  })

  test('trees hold every entry with text ids, and a code can be looked up as a list', async () => {
    const { code, root, first } = await dictionary()
    const tree = (await world.ask(platform, 'GET', `${system}/tree`, { query: { code: 'DICT' } })).data as {
      id: string
      title: string
      children?: { id: string }[]
    }[]
    expect(tree.find((node) => node.id === root)).toMatchObject({
      title: '天气',
      key: root,
      value: root,
      children: [expect.objectContaining({ id: first }), expect.anything()],
    })
    const roots = (await world.ask(platform, 'GET', `${system}/parent-tree`)).data as { id: string }[]
    expect(roots.map((node) => node.id)).toContain(root)
    expect(roots.map((node) => node.id)).not.toContain(first)
    const list = await world.ask(platform, 'GET', `${system}/list`, { query: { code } })
    expect(list.data).toMatchObject([{ id: root, children: [{ id: first }, {}] }])
  })

  test('a new code of a root follows to everything below', async () => {
    const { root, code } = await dictionary()
    const renamed = newCode()
    await add(platform, system, { id: root, code: renamed, dictValue: '天气' })
    expect(await words(clerk, renamed)).toHaveLength(2)
    expect(await words(clerk, code)).toEqual([])
  })

  test('an entry keeps the code of its root whatever is sent', async () => {
    const { root, first, code } = await dictionary()
    await add(platform, system, { id: first, code: 'elsewhere', parentId: root })
    expect((await world.ask(platform, 'GET', `${system}/detail`, { query: { id: first } })).data.code).toBe(code)
  })

  test('a key is given once within a code', async () => {
    const { root, code } = await dictionary()
    const twice = await world.ask(platform, 'POST', `${system}/submit`, {
      body: { code, dictKey: '1', dictValue: '又', parentId: root, sort: 1, isSealed: 0 },
    })
    expect(twice.body).toMatchObject({ code: 400, msg: '当前字典键值已存在!', data: { reason: 'dict_key_taken' } })
    const root2 = await world.ask(platform, 'POST', `${system}/submit`, {
      body: { code, dictKey: -1, dictValue: '又', sort: 1, isSealed: 0 },
      lang: 'en',
    })
    expect(root2.body).toMatchObject({ code: 400, msg: `Dictionary code ${code} already exists` })
    const keyless = await world.ask(platform, 'POST', `${system}/submit`, {
      body: { code, dictValue: '又', parentId: root, sort: 1, isSealed: 0 },
    })
    expect(keyless.body).toMatchObject({ code: 400, data: { fields: { dictKey: '请输入字典键值' } } })
  })

  test('what has entries below cannot be removed, and nothing moves below itself', async () => {
    const { root, first } = await dictionary()
    expect((await world.ask(platform, 'POST', `${system}/remove`, { query: { ids: root } })).body).toMatchObject({
      code: 400,
      msg: '请先删除子节点!',
    })
    expect(
      (await world.ask(platform, 'POST', `${system}/submit`, { body: { id: root, parentId: root } })).data.reason,
    ).toBe('parent_is_self')
    expect(
      (await world.ask(platform, 'POST', `${system}/submit`, { body: { id: root, parentId: first } })).data.reason,
    ).toBe('parent_is_descendant')
  })

  test('a tenant’s administrator cannot write the dictionaries all tenants share', async () => {
    const mighty = world.be({
      tenantId: '990001',
      isAdmin: true,
      permissions: new Set(['dict', 'dict_add', 'dict_edit', 'dict_delete']),
    })
    const { root } = await dictionary()
    for (const body of [
      { code: newCode(), dictValue: 'x', sort: 1, isSealed: 0 },
      { id: root, dictValue: 'x' },
    ]) {
      expect((await world.ask(mighty, 'POST', `${system}/submit`, { body })).body).toMatchObject({
        code: 403,
        data: { reason: 'platform_only' },
      })
    }
    expect((await world.ask(mighty, 'POST', `${system}/remove`, { query: { ids: root } })).code).toBe(403)
  })
})

describe('a tenant’s own dictionary', () => {
  test('is seen in that tenant and nowhere else, and both may use the same code', async () => {
    const mine = await dictionary(boss, biz)
    expect(await words(clerk, mine.code, 'zh', biz)).toHaveLength(2)
    expect(await words(other, mine.code, 'zh', biz)).toEqual([])
    expect((await world.ask(other, 'GET', `${biz}/child-list`, { query: { parentId: mine.root } })).data).toEqual([])
    const stolen = await world.ask(other, 'POST', `${biz}/submit`, {
      body: { code: mine.code, dictKey: '9', dictValue: 'x', parentId: mine.root, sort: 1, isSealed: 0 },
    })
    expect(stolen.success).toBe(false)
    await add(other, biz, { code: mine.code, dictKey: -1, dictValue: '同名', parentId: 0 })
    expect(await words(clerk, mine.code, 'zh', biz)).toHaveLength(2)
  })

  test('gets what the platform adds below it', async () => {
    const { tenantId } = await server.services.unit({ tenantId: '000000' }, (db) =>
      createTenant(db, server.services, { tenantName: '字典租户' }),
    )
    const its = world.be({ tenantId, isAdmin: true, permissions: codes })
    const theirs = await dictionary(its, biz)
    const id = await add(platform, biz, {
      code: theirs.code,
      dictKey: '7',
      dictValue: '霜',
      parentId: theirs.root,
      sort: 7,
    })
    expect((await world.ask(its, 'GET', `${biz}/detail`, { query: { id } })).data).toMatchObject({
      tenantId,
      dictKey: '7',
    })
    expect(await words(its, theirs.code, 'zh', biz)).toHaveLength(3)
  })
})

describe('the seeded dictionaries', () => {
  test.each([
    ['sex', ['1', '2']],
    ['notice', ['1', '2', '3', '4', '5', '6']],
    ['menu_category', ['1', '2']],
    ['button_func', ['1', '2', '3']],
    ['yes_no', ['1', '2']],
    ['flow', ['1', '2']],
    ['org_category', ['1', '2', '3']],
    ['data_scope_type', ['1', '2', '3', '4', '5']],
    ['api_scope_type', ['1', '2']],
    ['scope_category', ['1', '2']],
    ['oss', ['1', '2', '3', '4']],
    ['sms', ['1', '2', '3', '4']],
    ['post_category', ['1', '2', '3', '4']],
    ['region', ['0', '1', '2', '3', '4', '5']],
    ['user_type', ['1', '2', '3']],
  ])('%s has the keys of the wire contract', async (code, keys) => {
    expect((await words(clerk, code)).map(([key]) => key)).toEqual(expect.arrayContaining(keys))
    for (const [, word] of await words(clerk, code, 'en')) expect(word).not.toMatch(/\p{Script=Han}/u)
  })

  test('flow says which process a category is', async () => {
    expect((await world.ask(clerk, 'GET', `${system}/dictionary`, { query: { code: 'flow' } })).data[0]).toMatchObject({
      code: 'flow',
      dictKey: '1',
      remark: 'leave',
    })
  })

  test('a second seeding adds nothing and gives back nothing a person changed or removed', async () => {
    const list = (await world.ask(platform, 'GET', `${system}/list`, { query: { code_equal: 'notice' } })).data as {
      id: string
      children: { id: string; dictKey: string }[]
    }[]
    const [first, second] = list[0]!.children
    await add(platform, system, { id: first!.id, dictValue: '改过', parentId: list[0]!.id })
    await world.ask(platform, 'POST', `${system}/remove`, { query: { ids: second!.id } })
    const before = await words(clerk, 'notice')
    await server.seed()
    await server.services.labels.ready('990001')
    expect(await words(clerk, 'notice')).toEqual(before)
    expect(before[0]).toEqual(['1', '改过'])
  })
})
