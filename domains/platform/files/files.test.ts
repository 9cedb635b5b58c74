import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startS3Simulator, type S3Simulator } from '#simulators/s3/s3.simulator.ts'
import { testServer, type TestServer } from '#tests/support/server.ts'
import { createTestWorld, type TestCaller, type TestWorld } from '#tests/support/world.ts'
import { removeFileBytesJob } from './file.job.ts'
import { findFileByKey, findTenantFileByLink, storeFile } from './stored-file.ts'

let server: TestServer
let world: TestWorld
let s3: S3Simulator
let platform: TestCaller
let boss: TestCaller
let clerk: TestCaller
let stranger: TestCaller

const codes = new Set([
  'attach',
  'attach_delete',
  'attach_download',
  'attach_upload',
  'oss',
  'oss_add',
  'oss_edit',
  'oss_delete',
  'oss_view',
  'oss_enable',
])
const endpoint = '/api/blade-resource/oss/endpoint'
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

beforeAll(async () => {
  s3 = await startS3Simulator()
  server = await testServer()
  world = createTestWorld(server)
  platform = world.be({ tenantId: '000000', isPlatform: true, isAdmin: true })
  boss = world.be({ tenantId: '990001', userId: '21', permissions: codes })
  clerk = world.be({ tenantId: '990001', userId: '22' })
  stranger = world.be({ tenantId: '990002', userId: '23', permissions: codes })
})
afterAll(async () => {
  await server?.close()
  await s3?.close()
})

type Put = { link: string; name: string; originalName: string; domain: string; attachId?: string }

async function put(
  who: TestCaller | undefined,
  name: string,
  bytes: Buffer,
  path = 'put-file',
  query = '',
): Promise<{ code: number; msg: string; data: Put & { reason?: string } }> {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(bytes)]), name)
  const request = new Request('http://localhost/', { method: 'POST', body: form })
  const response = await server.http.inject({
    method: 'POST',
    url: `${endpoint}/${path}${query}`,
    payload: Buffer.from(await request.arrayBuffer()),
    headers: {
      'content-type': request.headers.get('content-type')!,
      ...(who ? { 'blade-auth': `bearer ${who.token}` } : {}),
    },
  })
  return response.json()
}

const load = (link: string, headers: Record<string, string> = {}) =>
  server.http.inject({ method: 'GET', url: link, headers })

describe('an uploaded file', () => {
  test('is loaded by its link without headers, for good, and cannot be taken for something else', async () => {
    const { code, data } = await put(clerk, '../../头像.png', png)
    expect(code).toBe(200)
    expect(data).toMatchObject({ originalName: '头像.png', link: `${endpoint}/file/${data.name}` })
    expect(data.name).toMatch(/^990001\/upload\/\d{8}\/[0-9a-f-]{36}\.png$/)
    const loaded = await load(data.link)
    expect(loaded.rawPayload.equals(png)).toBe(true)
    expect(loaded.headers).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'cache-control': expect.stringContaining('immutable'),
    })
    expect(loaded.headers['content-disposition']).toMatch(/^inline/)
    expect((await load(data.link, { 'if-none-match': String(loaded.headers.etag) })).statusCode).toBe(304)
  })

  test(
    'is told with its domain under both names clients know, and a text that ' + 'calls itself a picture is none',
    async () => {
      const { data } = await put(boss, 'a.png', png, 'put-file-attach')
      expect(data).toMatchObject({ domain: expect.stringMatching(/./), domainUrl: data.domain })
      const { records } = (
        await world.ask(boss, 'GET', '/api/blade-resource/attach/list', { query: { domainUrl: data.domain } })
      ).data
      expect(records[0]).toMatchObject({ domain: data.domain, domainUrl: data.domain })
      expect(await put(clerk, 'avatar.png', Buffer.from('only words'))).toMatchObject({
        code: 400,
        data: { reason: 'upload_type' },
      })
      const text = await put(clerk, 'words.txt', Buffer.from('only words'))
      const saved = await world.ask(clerk, 'POST', '/api/blade-user/update-info', { body: { avatar: text.data.link } })
      expect(saved.data.fields).toHaveProperty('avatar')
    },
  )

  test('that is a page or a drawing is never shown in the product’s name', async () => {
    const html = await put(clerk, 'page.png', Buffer.from('<html><script>alert(1)</script></html>'))
    const svg = await put(
      clerk,
      'pic.svg',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
    )
    for (const one of [html, svg]) expect(one).toMatchObject({ code: 400, data: { reason: 'upload_type' } })
    const text = await put(clerk, 'x.csv', Buffer.from('name,price\na,1\n'))
    const loaded = await load(text.data.link)
    expect(loaded.headers['content-disposition']).toMatch(/^attachment/)
  })

  test('needs a session and bytes', async () => {
    expect((await put(undefined, 'a.png', png)).code).toBe(401)
    expect((await put(clerk, 'a.png', Buffer.alloc(0))).data.reason).toBe('upload_empty')
    expect((await world.ask(clerk, 'POST', `${endpoint}/put-file`, { body: {} })).data.reason).toBe('no_file')
  })

  test('is not found by tricks with paths or guesses', async () => {
    for (const key of [
      '..%2f..%2fkeys%2fsecrets.key',
      '990001/upload/',
      '',
      '%00',
      '000000/upload/20260101/00000000-0000-0000-0000-000000000000.png',
      'x'.repeat(500),
    ]) {
      expect([key, (await load(`${endpoint}/file/${key}`)).statusCode]).toEqual([key, 404])
    }
  })

  test('is told about, and removed, by its tenant alone', async () => {
    const { data } = await put(boss, 'a.png', png, 'put-file-attach')
    expect(
      (await world.ask(boss, 'GET', `${endpoint}/stat-file`, { query: { fileName: data.name } })).data,
    ).toMatchObject({ length: png.length, contentType: 'image/png', link: data.link, originalName: 'a.png' })
    expect((await world.ask(boss, 'GET', `${endpoint}/file-link`, { query: { fileName: data.name } })).data).toBe(
      data.link,
    )
    expect((await world.ask(stranger, 'GET', `${endpoint}/stat-file`, { query: { fileName: data.name } })).code).toBe(
      404,
    )
    expect(
      (await world.ask(stranger, 'POST', `${endpoint}/remove-file`, { query: { fileName: data.name } })).code,
    ).toBe(404)
    expect((await load(data.link)).statusCode).toBe(200)
    expect((await world.ask(clerk, 'POST', `${endpoint}/remove-file`, { query: { fileName: data.name } })).code).toBe(
      403,
    )
    expect((await world.ask(boss, 'POST', `${endpoint}/remove-file`, { query: { fileName: data.name } })).code).toBe(
      200,
    )
    expect((await load(data.link)).statusCode).toBe(404)
    expect(
      (await world.ask(boss, 'GET', '/api/blade-resource/attach/detail', { query: { id: data.attachId } })).code,
    ).toBe(404)
  })
})

describe('the removal of a file', () => {
  const remove = async (who: TestCaller, fileName: string) =>
    (await world.ask(who, 'POST', `${endpoint}/remove-file`, { query: { fileName } })).data?.reason ?? 'done'
  const hands = () => world.be({ tenantId: '990001', userId: '24', permissions: codes })

  test('takes back what one put up oneself, and nothing that somebody else did and is no attachment', async () => {
    const { data } = await put(boss, 'a.png', png)
    expect(await remove(hands(), data.link)).toBe('not_found')
    expect((await load(data.link)).statusCode).toBe(200)
    const { data: both } = await put(hands(), 'b.png', png)
    expect(await remove(hands(), `${both.link},${data.link}`)).toBe('not_found')
    expect((await load(both.link)).statusCode).toBe(200)
    expect(await remove(boss, data.link)).toBe('done')
    expect((await load(data.link)).statusCode).toBe(404)
  })

  test('is refused while a row names it, to who put it up as well, and also with its attachment', async () => {
    const { data } = await put(boss, 'a.png', png, 'put-file-attach')
    await server.services.systemPool.query(
      `insert into good_type (tenant_id, id, name, icon) values ('990001', 9901, '饮料', $1)`,
      [data.link],
    )
    expect(await remove(boss, data.link)).toBe('file_named')
    await world.ask(boss, 'POST', '/api/blade-resource/attach/remove', { query: { ids: data.attachId } })
    await server.jobs.runDue()
    expect((await load(data.link)).statusCode).toBe(200)
    await server.services.systemPool.query(`delete from good_type where id = 9901`)
    expect(await remove(boss, data.link)).toBe('done')
  })
})

describe('what people put up in a day', () => {
  const setParam = (key: string, value: string) =>
    server.services.systemPool.query('update sys_param set param_value = $2 where param_key = $1', [key, value])
  const megabyte = Buffer.concat([png, Buffer.alloc(1024 * 1024 - png.length)])
  const dina = () => world.be({ tenantId: '990003', userId: '31' })
  const emil = () => world.be({ tenantId: '990003', userId: '32' })
  const rows = async () =>
    (await server.services.systemPool.query(`select count(*)::int n from stored_file where tenant_id = '990003'`))
      .rows[0].n as number

  test('ends at the figures of a person and of a tenant, also all at once, and says when it goes on', async () => {
    await setParam('file.personMbPerDay', '3')
    await setParam('file.tenantMbPerDay', '5')
    const answers = await Promise.all(Array.from({ length: 6 }, () => put(dina(), 'a.png', megabyte)))
    const refused = answers.filter(({ code }) => code !== 200)
    expect(refused).toHaveLength(3)
    expect(refused[0]).toMatchObject({ code: 429, data: { reason: 'upload_day_person' } })
    expect(refused[0]!.msg).toMatch(/^您今天上传的文件已达 3 MB，\d{4}-\d\d-\d\d 00:00 起可以继续上传$/)
    expect([(await put(emil(), 'a.png', megabyte)).code, (await put(emil(), 'a.png', megabyte)).code]).toEqual([
      200, 200,
    ])
    expect((await put(emil(), 'a.png', megabyte)).data.reason).toBe('upload_day_tenant')
    expect(await rows()).toBe(5)
    // Refused files leave nothing in the store; other people and the tenant's devices can still upload.
    expect(await server.services.files.list('990003/')).toHaveLength(5)
    expect((await put(clerk, 'a.png', png)).code).toBe(200)
    await storeFile(server.services, { tenantId: '990003', bytes: megabyte, name: 'camera.png' })
    expect(await rows()).toBe(6)
  })

  test('begins anew with the next day, and what a device put does not count', async () => {
    await server.services.systemPool.query(
      `update stored_file set key = regexp_replace(key, '/upload/\\d{8}/', '/upload/20200101/')
        where tenant_id = '990003' and create_user is not null`,
    )
    expect((await put(dina(), 'a.png', megabyte)).code).toBe(200)
    await setParam('file.personMbPerDay', '2000')
    await setParam('file.tenantMbPerDay', '10000')
  })
})

describe('an attachment', () => {
  test('is listed in its tenant, and its bytes go with it', async () => {
    const { data } = await put(boss, '合同.png', png, 'put-file-attach')
    const found = await world.ask(boss, 'GET', '/api/blade-resource/attach/list', { query: { originalName: '合同' } })
    expect(found.data.records).toMatchObject([
      { id: data.attachId, link: data.link, extension: 'png', attachSize: png.length, name: data.name },
    ])
    expect(
      (await world.ask(stranger, 'GET', '/api/blade-resource/attach/list', { query: { originalName: '合同' } })).data
        .total,
    ).toBe(0)
    expect(
      (await world.ask(boss, 'POST', '/api/blade-resource/attach/remove', { query: { ids: data.attachId } })).code,
    ).toBe(200)
    expect((await load(data.link)).statusCode).toBe(404)
    await server.jobs.runDue()
    expect(await server.services.files.stat(data.name)).toBeUndefined()
  })

  test('is downloaded by a ticket that is worth one use', async () => {
    const { data } = await put(boss, '单据.png', png, 'put-file-attach')
    expect(
      (await world.ask(clerk, 'POST', '/api/blade-resource/attach/ticket', { query: { id: data.attachId } })).code,
    ).toBe(403)
    expect(
      (await world.ask(stranger, 'POST', '/api/blade-resource/attach/ticket', { query: { id: data.attachId } })).code,
    ).toBe(404)
    const { url } = (
      await world.ask(boss, 'POST', '/api/blade-resource/attach/ticket', { query: { id: data.attachId } })
    ).data
    const first = await load(url)
    expect(first.rawPayload.equals(png)).toBe(true)
    expect(first.headers['content-disposition']).toMatch(/^attachment/)
    expect(first.headers['cache-control']).toBe('no-store')
    expect((await load(url)).statusCode).toBe(404)
    expect((await load('/api/blade-resource/attach/download?ticket=x')).statusCode).toBe(404)
  })

  test('of a file of another tenant, or of one only modules hand out, gives and removes nothing of it', async () => {
    const { services } = server
    const foreign = (await put(stranger, '别家.png', png)).data
    const hidden = await storeFile(services, { tenantId: '990001', bytes: png, name: '屏幕.png', isPrivate: true })
    expect(await findTenantFileByLink(services, '990002', foreign.link)).toMatchObject({ key: foreign.name })
    for (const { link, name } of [foreign, hidden]) {
      expect(await findTenantFileByLink(services, '990001', link)).toBeUndefined()
      const { id } = await services.unit({ tenantId: '990001' }, (db) =>
        db.insert(services.registry.resource('attach'), { link, name, originalName: 'x.png' }),
      )
      const response = await world.ask(boss, 'POST', '/api/blade-resource/attach/ticket', { query: { id } })
      expect(response.status).toBe(404)
      const byName = await world.ask(boss, 'POST', `${endpoint}/remove-file`, { query: { fileName: name } })
      expect(byName.status).toBe(404)
      const removed = await world.ask(boss, 'POST', '/api/blade-resource/attach/remove', { query: { ids: id } })
      expect(removed.status).toBe(200)
      expect(await findFileByKey(services, name)).toMatchObject({ key: name })
    }
  })
})

describe('an object store of a tenant’s own', () => {
  let n = 0
  const row = (more: Record<string, unknown> = {}) => ({
    category: 1,
    ossCode: `store${++n}`,
    endpoint: s3.url,
    bucketName: `bucket-${n}`,
    accessKey: s3.keys.accessKey,
    secretKey: s3.keys.secretKey,
    ...more,
  })
  const add = async (more: Record<string, unknown> = {}) =>
    (await world.ask(platform, 'POST', '/api/blade-resource/oss/submit', { body: row(more) })).data.id as string
  const detail = async (id: string) =>
    (await world.ask(platform, 'GET', '/api/blade-resource/oss/detail', { query: { id } })).data

  test('takes new files once it is enabled, and gives them back after it was switched off', async () => {
    const id = await add()
    expect((await world.ask(platform, 'POST', '/api/blade-resource/oss/test', { query: { id } })).data).toEqual({
      success: true,
    })
    expect((await world.ask(platform, 'GET', '/api/blade-resource/oss/enable', { query: { id } })).code).toBe(200)
    const { data } = await put(platform, 'there.png', png)
    expect(await server.services.files.stat(data.name)).toBeUndefined()
    expect((await load(data.link)).rawPayload.equals(png)).toBe(true)
    expect((await world.ask(platform, 'POST', '/api/blade-resource/oss/disable', { query: { id } })).code).toBe(200)
    expect((await load(data.link)).rawPayload.equals(png)).toBe(true)
    const local = await put(platform, 'here.png', png)
    expect(await server.services.files.stat(local.data.name)).toBeDefined()
    expect(
      (await world.ask(platform, 'POST', '/api/blade-resource/oss/remove', { query: { ids: id } })).data.reason,
    ).toBe('store_in_use')
    await world.ask(platform, 'POST', `${endpoint}/remove-file`, { query: { fileName: data.name } })
    await server.jobs.runDue()
    expect((await world.ask(platform, 'POST', '/api/blade-resource/oss/remove', { query: { ids: id } })).code).toBe(200)
  })

  test('is the only enabled one, by GET as by POST, also when many enable at once', async () => {
    const ids = [await add(), await add(), await add()]
    await Promise.all(
      [...ids, ...ids].map((id, index) =>
        world.ask(platform, index % 2 ? 'GET' : 'POST', '/api/blade-resource/oss/enable', { query: { id } }),
      ),
    )
    const states = await Promise.all(ids.map(async (id) => (await detail(id)).status as number))
    expect(states.filter((status) => status === 2)).toHaveLength(1)
    const last = ids[states.indexOf(2)]!
    expect(await detail(last)).toMatchObject({ status: 2, statusName: '是', categoryName: 'minio' })
    await world.ask(platform, 'POST', '/api/blade-resource/oss/disable', { query: { id: last } })
  })

  test(
    'shows its secret to nobody; the mask coming back changes nothing, and ' + 'it lies sealed in the database',
    async () => {
      const id = await add()
      expect((await detail(id)).secretKey).toBe('******')
      expect(JSON.stringify((await world.ask(platform, 'GET', '/api/blade-resource/oss/list')).data)).not.toContain(
        s3.keys.secretKey,
      )
      await world.ask(platform, 'POST', '/api/blade-resource/oss/submit', {
        body: { ...(await detail(id)), remark: '改' },
      })
      expect((await world.ask(platform, 'POST', '/api/blade-resource/oss/test', { query: { id } })).code).toBe(200)
      const { rows } = await server.services.systemPool.query('select secret_key from oss where id = $1', [id])
      expect(rows[0].secret_key).toMatch(/^sealed2:/)
      await world.ask(platform, 'POST', '/api/blade-resource/oss/submit', { body: { id, secretKey: 'wrong' } })
      expect((await world.ask(platform, 'POST', '/api/blade-resource/oss/test', { query: { id } })).data.reason).toBe(
        'store_unreachable',
      )
    },
  )

  test('may not lie inside the network unless the platform says so', async () => {
    for (const inside of [
      'http://127.0.0.1:9000',
      'localhost',
      'localhost.',
      'http://127。0。0。1',
      '127.1.',
      '0177.0.0.1',
      'http://169.254.169.254',
      'https://10.1.2.3',
      'minio',
    ]) {
      expect([
        inside,
        (await world.ask(boss, 'POST', '/api/blade-resource/oss/submit', { body: row({ endpoint: inside }) })).success,
      ]).toEqual([inside, false])
    }
    expect(
      (
        await world.ask(boss, 'POST', '/api/blade-resource/oss/submit', {
          body: row({ endpoint: 'https://oss-cn-hangzhou.aliyuncs.com' }),
        })
      ).code,
    ).toBe(200)
  })

  test(
    'named by a tenant is not called inside either, whatever its name comes to ' +
      'mean, and a failure tells no address',
    async () => {
      const own = await world.ask(boss, 'POST', '/api/blade-resource/oss/submit', {
        body: row({ endpoint: 'https://store.example.com' }),
      })
      const id = own.data.id as string
      // As if the host name resolved to it, or the row were older than the rule.
      await server.services.systemPool.query('update oss set endpoint = $1 where id = $2', [new URL(s3.url).origin, id])
      const closed = await world.ask(boss, 'POST', '/api/blade-resource/oss/test', { query: { id } })
      expect(closed).toMatchObject({ status: 400, data: { reason: 'store_unreachable' } })
      expect(JSON.stringify(closed.body)).not.toMatch(/127\.0|ECONN|ENOTFOUND|INNER|lies inside/)
      // Saving it unchanged permits nothing; the platform may.
      await world.ask(boss, 'POST', '/api/blade-resource/oss/submit', { body: { id, mayBeInside: true, remark: '改' } })
      expect((await world.ask(boss, 'POST', '/api/blade-resource/oss/test', { query: { id } })).success).toBe(false)
    },
  )
})

test('removing the bytes of a file twice is no error', async () => {
  const context = {
    tenantId: '990001',
    signal: new AbortController().signal,
    jobId: '1',
    attempt: 2,
    services: server.services,
  } as never
  for (const ossId of [null, null, '123'])
    await expect(
      removeFileBytesJob.run({ key: '990001/upload/20260101/x.png', ossId }, context),
    ).resolves.toBeUndefined()
})
