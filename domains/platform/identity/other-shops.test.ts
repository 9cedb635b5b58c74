import ExcelJS from 'exceljs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql, type Db } from '#kit/server/database/db.ts'
import type { CastMember } from '#tests/support/server.ts'
import { createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'

const USER = '/api/blade-user'
const RIGHTS = ['user', 'user_add', 'user_edit', 'user_delete', 'user_role', 'user_reset', 'user_unlock', 'user_import']

let tenants: TestTenants
/** `wang` manages the accounts of the first shop, `zhao` of the office those of everybody. */
const cast = {} as Record<'wang' | 'mate' | 'chen' | 'manager' | 'zhao' | 'peer', CastMember>

const unit = <T>(work: (db: Db) => Promise<T>): Promise<T> => tenants.services.unit({ tenantId: '100001' }, work)
const postUser = (who: CastMember, path: string, asking: Parameters<TestTenants['call']>[3]) =>
  tenants.call(who, 'POST', path.startsWith('/') ? path : `${USER}/${path}`, asking)
const submit = (who: CastMember, body: Record<string, unknown>) => postUser(who, 'submit', { body })
const rowOf = (person: CastMember) =>
  unit((db) =>
    db.one<Record<string, unknown>>(
      sql`select account, real_name, phone, status, own_shops, is_deleted, role_id::text[] as role_id, user_type
        from sys_user where id = ${person.userId}`,
    ),
  )
const sheet = async (lines: string[][]): Promise<FormData> => {
  const book = new ExcelJS.Workbook()
  const page = book.addWorksheet('x')
  page.addRow(['账户', '昵称', '姓名'])
  for (const line of lines) page.addRow(line)
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(Buffer.from(await book.xlsx.writeBuffer()))]), 'users.xlsx')
  return form
}
async function importInto(who: CastMember, lines: string[][]): Promise<{ code: number; msg: string }> {
  const sent = new Request('http://x', { method: 'POST', body: await sheet(lines) })
  const response = await tenants.server.http.inject({
    method: 'POST',
    url: `${USER}/import-user?isCovered=1`,
    headers: { 'blade-auth': `bearer ${who.token}`, 'content-type': sent.headers.get('content-type')! },
    payload: Buffer.from(await sent.arrayBuffer()),
  })
  return response.json()
}

const above = { status: 403, data: { reason: 'user_above' } }

beforeAll(async () => {
  tenants = await createTestTenants()
  const { north } = tenants
  cast.wang = await tenants.person(north, 'clerk', RIGHTS)
  cast.mate = await tenants.person(north, 'clerk', ['user'])
  cast.chen = await tenants.person(north, 'clerk', ['user'])
  cast.manager = await tenants.person(north, 'manager', ['user', 'refunds', 'shoppingOrder'])
  cast.zhao = await tenants.person(north, 'personnel', RIGHTS)
  cast.peer = await tenants.person(north, 'office', ['user'])
  const employ = (id: string, people: CastMember[]) =>
    tenants.must(
      postUser(north.admin, '/api/shop/basicShopInfo/staff', {
        body: { id, staff: people.map(({ userId }) => ({ userId, position: 'clerk' })) },
      }),
    )
  await employ(north.shops[0]!, [cast.wang, cast.mate])
  await employ(north.shops[1]!, [cast.chen])
})
afterAll(() => tenants?.close())

describe('who is limited to a shop', () => {
  const changes: [string, (id: string) => ReturnType<typeof postUser>][] = [
    ['a name', (id) => submit(cast.wang, { id, realName: '别人' })],
    ['a phone', (id) => submit(cast.wang, { id, phone: '13900000009' })],
    ['the account', (id) => submit(cast.wang, { id, account: 'renamed' })],
    ['whether it works', (id) => submit(cast.wang, { id, status: 2 })],
    ['how far it sees', (id) => submit(cast.wang, { id, ownShops: true })],
    ['by another address', (id) => postUser(cast.wang, 'update', { body: { id, realName: '别人' } })],
    [
      'the platform',
      (id) => postUser(cast.wang, 'update-platform', { query: { userId: id, userType: 2, userExt: '{}' } }),
    ],
    ['roles', (id) => postUser(cast.wang, 'grant', { query: { userIds: id, roleIds: '' } })],
    ['a password', (id) => postUser(cast.wang, 'reset-password', { query: { userIds: id } })],
    ['a lock', (id) => postUser(cast.wang, 'unlock', { query: { userIds: id } })],
    ['sessions', (id) => postUser(cast.wang, 'session/end', { query: { userId: id } })],
    ['that it is there', (id) => postUser(cast.wang, 'remove', { query: { ids: id } })],
    ['one among others', (id) => postUser(cast.wang, 'remove', { query: { ids: `${cast.mate.userId},${id}` } })],
  ]

  test.each(changes)(
    'changes nothing of people of other shops, nor of those who see all shops: %s',
    async (_what, change) => {
      for (const one of [cast.chen, cast.manager]) {
        const before = await rowOf(one)
        expect(await change(one.userId)).toMatchObject(above)
        expect(await rowOf(one)).toEqual(before)
        expect((await tenants.call(one, 'GET', `${USER}/info`)).status).toBe(200)
      }
      expect((await rowOf(cast.mate))!.isDeleted).toBe(0)
    },
  )

  test('removes nobody of them among many at once, and overwrites nobody by a sheet', async () => {
    const before = await rowOf(cast.chen)
    const removed = await postUser(cast.wang, '/api/kit/bulk/user', {
      body: { operation: 'remove', ids: [cast.chen.userId], expectedCount: 1 },
    })
    expect(JSON.stringify(removed.body)).toContain('权限高于自己')
    expect(await importInto(cast.wang, [[cast.chen.account, 'x', '别人']])).toMatchObject({
      code: 400,
      msg: expect.stringContaining('权限高于自己'),
    })
    expect(await rowOf(cast.chen)).toEqual(before)
  })

  test('brings nobody of another shop back from the recycle bin', async () => {
    const { id } = await tenants.must(
      submit(tenants.north.admin, { account: 'gone', name: 'x', realName: 'x', roleId: '' }),
    )
    await tenants.must(postUser(tenants.north.admin, 'remove', { query: { ids: id } }))
    expect(await postUser(cast.wang, '/api/kit/bin/user/restore', { query: { ids: id } })).toMatchObject(above)
    await tenants.must(postUser(tenants.north.admin, '/api/kit/bin/user/restore', { query: { ids: id } }))
  })

  test('cares for the accounts of the own shop as before, and for the own account', async () => {
    const { mate, wang } = cast
    await tenants.must(submit(wang, { id: mate.userId, realName: '小同', phone: '13900000001', status: 2 }))
    await tenants.must(submit(wang, { id: mate.userId, status: 1 }))
    await tenants.must(postUser(wang, 'unlock', { query: { userIds: mate.userId } }))
    await tenants.must(submit(wang, { id: wang.userId, realName: '老王', account: 'oldwang' }))
    await tenants.must(postUser(wang, 'update-info', { body: { phone: '13900000002' } }))
    expect(await importInto(wang, [[mate.account, 'x', '同事']])).toMatchObject({ code: 200 })
    const { id } = await tenants.must(submit(wang, { account: 'fresh', name: 'x', realName: 'x' }))
    await tenants.must(postUser(wang, 'remove', { query: { ids: id } }))
    await tenants.must(postUser(wang, '/api/kit/bin/user/restore', { query: { ids: id } }))
    expect(await rowOf(mate)).toMatchObject({ realName: '同事', status: 1, isDeleted: 0 })
  })
})

describe('who sees all shops and may do less than a colleague', () => {
  test('corrects their names and phone, sent with all the rest as it was', async () => {
    const { manager, zhao } = cast
    const { account, status } = (await rowOf(manager)) as { account: string; status: number }
    await tenants.must(
      submit(zhao, { id: manager.userId, account, status, ownShops: false, realName: '经理', phone: '13900000003' }),
    )
    expect(await rowOf(manager)).toMatchObject({ realName: '经理', phone: '13900000003' })
  })

  test('neither renames, stops, limits nor removes them, and does not bring them back', async () => {
    const { manager, zhao } = cast
    const before = await rowOf(manager)
    for (const more of [{ account: 'renamed' }, { status: 2 }, { ownShops: true }])
      expect([more, await submit(zhao, { id: manager.userId, ...more })]).toMatchObject([more, above])
    expect(await postUser(zhao, 'remove', { query: { ids: manager.userId } })).toMatchObject(above)
    expect(await rowOf(manager)).toEqual(before)
    await tenants.must(postUser(tenants.north.admin, 'remove', { query: { ids: manager.userId } }))
    expect(await postUser(zhao, '/api/kit/bin/user/restore', { query: { ids: manager.userId } })).toMatchObject(above)
    expect((await rowOf(manager))!.isDeleted).toBe(1)
    await tenants.must(postUser(tenants.north.admin, '/api/kit/bin/user/restore', { query: { ids: manager.userId } }))
  })

  test('does all of that to those who may do no more', async () => {
    const { peer, zhao } = cast
    await tenants.must(submit(zhao, { id: peer.userId, account: 'newname', status: 2, ownShops: true }))
    await tenants.must(submit(zhao, { id: peer.userId, status: 1, ownShops: false }))
    await tenants.must(postUser(zhao, 'remove', { query: { ids: peer.userId } }))
    await tenants.must(postUser(zhao, '/api/kit/bin/user/restore', { query: { ids: peer.userId } }))
    expect(await rowOf(peer)).toMatchObject({ account: 'newname', status: 1, ownShops: false, isDeleted: 0 })
  })
})

test('a tenant’s administrator does all of that to everybody of the tenant', async () => {
  const { manager, chen } = cast
  for (const { userId: id } of [manager, chen]) {
    await tenants.must(submit(tenants.north.admin, { id, status: 2, ownShops: true, realName: 'x' }))
    await tenants.must(postUser(tenants.north.admin, 'remove', { query: { ids: id } }))
  }
  for (const one of [manager, chen])
    expect(await rowOf(one)).toMatchObject({ status: 2, ownShops: true, realName: 'x', isDeleted: 1 })
})
