import mysql from 'mysql2/promise'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readZipEntries, unpackZipEntry } from '#kit/server/sheets/zip.ts'
import { testServer, type CastMember, type TestServer } from '#tests/support/server.ts'
import { createTenant } from '#domains/platform/system/api.ts'
import { MYSQL_DRIVER_CLASS, POSTGRES_DRIVER_CLASS } from './dictionaries.ts'

const base = '/api/blade-develop'
let server: TestServer
let admin: CastMember
let tenantAdmin: CastMember
let place: { host: string; port: number; databaseName: string; username: string; password: string }

const TABLE = `create table shelf (id bigint primary key, shop_id bigint, shelf_no varchar(20) not null, kind int,
    price numeric(10,2), tenant_id text);
  comment on table shelf is '货架：门店里的架子'; comment on column shelf.shelf_no is '货架号';
  comment on column shelf.kind is '温层：1常温 2冷藏'`

beforeAll(async () => {
  server = await testServer()
  admin = await server.as('admin', { tenantId: '000000' })
  const { hostname, port, pathname, username, password } = new URL(server.databaseUrl)
  place = {
    host: hostname,
    port: Number(port),
    databaseName: pathname.slice(1),
    username: decodeURIComponent(username),
    password: decodeURIComponent(password),
  }
  open()
  const client = new pg.Client({ connectionString: server.databaseUrl })
  await client.connect()
  await client.query(`create schema legacy; set search_path to legacy; ${TABLE}`)
  await client.end()
  await server.services.unit({ crossTenantReason: 'a test makes a tenant' }, (all) =>
    createTenant(
      all,
      server.services,
      { tenantName: '连锁', accountNumber: -1 },
      { tenantId: '100077', password: 'admin' },
    ),
  )
  // Tenants do not have these tools by default; this one is granted them.
  await server.services.systemPool.query(
    `insert into role_menu (tenant_id, role_id, menu_id) select '100077', r.id, m.id from sys_role r, menu m
     where r.tenant_id = '100077' and r.role_alias = 'admin' and m.code ~ '^(tool$|model|code|datasource)'
     on conflict do nothing`,
  )
  tenantAdmin = await server.as('admin', { tenantId: '100077' })
})
afterAll(() => server?.close())

/** Opens this machine's networks and the test database's port, as an operator's settings would. */
const open = (networks = ['127.0.0.1/32', '::1/128']) => {
  Object.assign(server.services.config, { sourceNetworks: networks, sourcePorts: [place.port, 3306] })
}

const get = (path: string, query = {}, who = admin) => server.call(who, 'GET', `${base}/${path}`, { query })
const post = (path: string, ask: { body?: unknown; query?: Record<string, unknown> }, who = admin) =>
  server.call(who, 'POST', `${base}/${path}`, ask)
let names = 0
const sourceBody = (more = {}) => ({
  name: `ERP ${++names}`,
  driverClass: POSTGRES_DRIVER_CLASS,
  schemaName: 'legacy',
  ...place,
  ...more,
})
async function aSource(more = {}): Promise<string> {
  const { body, data } = await post('datasource/submit', { body: sourceBody(more) })
  expect(body).toMatchObject({ code: 200 })
  return data.id as string
}
async function aModel(more = {}): Promise<string> {
  const body = { modelName: '货架', modelNameEn: 'Shelf', modelCode: `shelf${++names}`, modelTable: 'shelf', ...more }
  const answer = await post('model/submit', { body })
  expect(answer.body).toMatchObject({ code: 200 })
  return answer.data.id as string
}

describe('a data source', () => {
  test('keeps its password sealed, shows it to nobody, and keeps it while only its name changes', async () => {
    const id = await aSource()
    const { data } = await get('datasource/detail', { id })
    expect(data.password).not.toContain(place.password)
    expect(data.url).toBe(`jdbc:postgresql://${place.host}:${place.port}/${place.databaseName}`)
    const sealed = async () =>
      (await server.services.systemPool.query('select password from data_source where id = $1', [id])).rows[0].password
    const first = await sealed()
    expect(first).not.toContain(place.password)
    expect((await post('datasource/submit', { body: { ...data, name: '进销存' } })).status).toBe(200)
    expect(await sealed()).toBe(first)
    expect((await post('datasource/test', { query: { id } })).data).toMatchObject({ tables: 1 })
    expect((await get('datasource/detail', { id })).data).toMatchObject({ testState: '1', name: '进销存' })
  })

  test('does not tell a kept password to another place or account', async () => {
    const id = await aSource()
    const { data } = await get('datasource/detail', { id })
    for (const change of [{ host: '::1' }, { port: 3306 }, { username: 'other' }, { databaseName: 'other' }]) {
      const answer = await post('datasource/submit', { body: { ...data, ...change } })
      expect(answer).toMatchObject({ status: 400, data: { reason: 'source_password', fields: { password: /./ } } })
    }
    expect((await post('datasource/submit', { body: { ...data, host: '::1', password: 'new' } })).status).toBe(200)
  })

  test('is written by its address as older clients do, who send all else back as they read it', async () => {
    const { host, port, databaseName, ...rest } = sourceBody()
    const url = `jdbc:postgresql://${host}:${port}/${databaseName}?currentSchema=legacy&amp;useUnicode=true`
    const id = (await post('datasource/submit', { body: { ...rest, schemaName: '', url } })).data.id as string
    const read = async () => (await get('datasource/detail', { id })).data
    expect(await read()).toMatchObject({ host, port: Number(port), databaseName, schemaName: 'legacy' })
    expect((await post('datasource/test', { query: { id } })).status).toBe(200)
    const whole = await read()
    const moved = { ...whole, url: `jdbc:mysql://${host}/other?useSSL=false`, password: 'new' }
    expect((await post('datasource/submit', { body: moved })).status).toBe(200)
    expect(await read()).toMatchObject({
      port: 3306,
      databaseName: 'other',
      driverClass: MYSQL_DRIVER_CLASS,
      useTls: false,
    })
    expect((await post('datasource/submit', { body: { ...(await read()), name: '改名' } })).status).toBe(200)
    expect(await read()).toMatchObject({ name: '改名', databaseName: 'other' })
    for (const wrong of ['jdbc:oracle:thin:@h:1521:orcl', 'jdbc:mysql://a,b/erp', 'mysql://h/erp', 'jdbc:mysql://h:1'])
      expect((await post('datasource/submit', { body: { ...rest, url: wrong } })).data).toMatchObject({
        reason: 'source_address',
        fields: { url: expect.stringContaining('jdbc:mysql://') },
      })
    expect(
      (await post('datasource/submit', { body: { ...rest, url: 'jdbc:mysql://169.254.169.254/x' } })).data.fields.host,
    ).toMatch(/内部网络/)
  })

  test('inside, at a closed port or written as an address is refused at its field, in both languages', async () => {
    const refusals: [object, string, RegExp][] = [
      [{ host: '10.0.0.8' }, 'host', /内部网络/],
      [{ host: '169.254.169.254' }, 'host', /内部网络/],
      [{ port: 22 }, 'port', /端口 22 未开放/],
      [{ host: '/var/run/postgresql' }, 'host', /不要填连接地址/],
      [{ host: 'postgres://x@y/z' }, 'host', /不要填连接地址/],
      [{ databaseName: 'erp?sslrootcert=/etc/passwd' }, 'databaseName', /不能带参数/],
    ]
    for (const [change, field, words] of refusals) {
      const answer = await post('datasource/submit', { body: sourceBody(change) })
      expect(answer.status).toBe(400)
      expect(answer.data.fields[field]).toMatch(words)
      const english = await server.call(admin, 'POST', `${base}/datasource/submit`, {
        body: sourceBody(change),
        lang: 'en',
      })
      expect(english.data.fields[field]).not.toMatch(/\p{Script=Han}/u)
    }
  })

  test('that was saved while its network was open is asked no more when it is closed', async () => {
    const id = await aSource()
    open([])
    expect((await post('datasource/test', { query: { id } })).data).toMatchObject({ reason: 'source_inside' })
    open()
    expect((await get('datasource/detail', { id })).data).toMatchObject({ testState: '2' })
  })

  test('says what is wrong without the words of sockets', async () => {
    const id = await aSource({ password: 'wrong', username: 'nobody_here' })
    const answer = await post('datasource/test', { query: { id } })
    expect(answer.data.reason).toBe('source_refused')
    const gone = await aSource({ port: 3306, driverClass: POSTGRES_DRIVER_CLASS, password: 'x' })
    const late = await post('datasource/test', { query: { id: gone } })
    expect(late.data.reason).toMatch(/^source_(unreachable|timeout)$/)
    expect(JSON.stringify([answer.body, late.body])).not.toMatch(/ECONN|127\.0\.0\.1|at /)
  })
})

describe('a model', () => {
  test('is read from a table, saved as a list, and says its columns from then on', async () => {
    const datasourceId = await aSource()
    expect((await get('model/table-list', { datasourceId })).data).toEqual([
      { name: 'shelf', comment: 'shelf:货架：门店里的架子', entityName: 'Shelf' },
    ])
    const modelId = await aModel({ datasourceId })
    expect((await get('model/table-info', { modelId })).data).toMatchObject({ name: 'shelf', entityName: 'Shelf' })
    const raw = (await get('model/model-prototype', { modelId, datasourceId })).data
    expect(raw.map(({ name, propertyType }: any) => [name, propertyType])).toEqual([
      ['shop_id', 'Long'],
      ['shelf_no', 'String'],
      ['kind', 'Integer'],
      ['price', 'BigDecimal'],
    ])
    // An older client copies names and types and sends only those fields.
    const rows = raw.map((row: any) => ({
      modelId,
      jdbcName: row.name,
      jdbcType: row.type,
      propertyName: row.propertyName,
      propertyType: row.propertyType,
      jdbcComment: row.comment,
      isList: 1,
      isForm: 1,
      isRow: 0,
      isRequired: 0,
      isQuery: 1,
      componentType: 'input',
      queryType: 'like',
      $cellEdit: true,
    }))
    expect((await post('model-prototype/submit-list', { body: rows })).body).toMatchObject({ code: 200, success: true })
    const saved = (await get('model/model-prototype', { modelId, datasourceId })).data
    expect(saved.map(({ jdbcName, comment }: any) => [jdbcName, comment])[1]).toEqual(['shelf_no', '货架号'])
    expect((await get('model-prototype/select', { modelId })).data).toHaveLength(4)
    // Sent again, they update the same rows.
    const again = saved.map((row: any) => ({ ...row, isList: 0 }))
    expect((await post('model-prototype/submit-list', { body: again })).status).toBe(200)
    expect((await get('model-prototype/list', { modelId, size: 50 })).data).toMatchObject({ total: 4 })
    expect((await post('model/remove', { query: { ids: modelId } })).status).toBe(200)
    expect((await get('model-prototype/list', { modelId, size: 50 })).data).toMatchObject({ total: 0 })
  })

  test('takes its columns all or none, of itself alone, and says which is wrong', async () => {
    const modelId = await aModel()
    const column = { modelId, jdbcName: 'a', propertyName: 'a' }
    const wrong = await post('model-prototype/submit-list', {
      body: [column, { modelId, jdbcName: 'b', propertyName: '1b' }],
    })
    expect(wrong).toMatchObject({
      status: 400,
      data: { column: 1, fields: { propertyName: '字段名由字母开头，只含字母、数字和下划线' } },
      body: { msg: '第 2 个字段 b：字段名由字母开头，只含字母、数字和下划线' },
    })
    const others = [column, { ...column, modelId: await aModel() }]
    for (const body of [{ a: 1 }, 'x', [null], [1], others])
      expect((await post('model-prototype/submit-list', { body })).status).toBe(400)
    expect((await get('model-prototype/list', { modelId })).data).toMatchObject({ total: 0 })
  })

  test('of a table there is not says so, and one by hand has no table', async () => {
    const datasourceId = await aSource()
    const modelId = await aModel({ datasourceId, modelTable: 'nothing' })
    expect((await get('model/table-info', { modelId })).body).toMatchObject({ code: 404, msg: '未获得相关表信息' })
    const byHand = await aModel({ modelTable: '' })
    expect((await get('model/table-info', { modelId: byHand })).data).toMatchObject({ reason: 'model_by_hand' })
    expect((await get('model/model-prototype', { modelId: byHand })).data).toEqual([])
  })
})

describe('a tenant', () => {
  const as = (path: string, query = {}) => get(path, query, tenantAdmin)

  test('reads the data source it was given and no other, once somebody lets it use the tools at all', async () => {
    const [mine, other] = [await aSource(), await aSource()]
    const give = (datasourceId: string) =>
      server.call(admin, 'POST', '/api/blade-system/tenant/datasource', { query: { tenantId: '100077', datasourceId } })
    expect((await give(mine)).status).toBe(200)
    const listed = await as('datasource/list')
    expect(listed.status).toBe(200)
    expect(listed.data.records.map(({ id }: any) => id)).toEqual([mine])
    expect((await as('datasource/select')).data).toEqual([{ id: mine, name: expect.any(String) }])
    expect((await as('datasource/detail', { id: other })).status).toBe(404)
    expect((await as('model/table-list', { datasourceId: mine })).data).toHaveLength(1)
    expect((await as('model/table-list', { datasourceId: other })).data).toMatchObject({ reason: 'source_not_yours' })
    const body = { modelName: 'x', modelCode: 'x', modelTable: 'shelf' }
    expect((await post('model/submit', { body: { ...body, datasourceId: other } }, tenantAdmin)).status).toBe(400)
    const own = await post('model/submit', { body: { ...body, datasourceId: mine } }, tenantAdmin)
    expect(own.body).toMatchObject({ code: 200 })
    // The platform reads a tenant's models; a tenant does not read another's.
    expect((await get('model/model-prototype', { modelId: own.data.id })).data).toHaveLength(4)
    expect((await as('model/model-prototype', { modelId: await aModel() })).status).toBe(404)
    // A data source assigned to a tenant cannot be removed.
    expect((await post('datasource/remove', { query: { ids: mine } })).status).toBe(400)
    expect((await post('datasource/submit', { body: sourceBody() }, tenantAdmin)).status).toBe(403)
  })
})

describe('generated code', () => {
  async function aCode(more = {}) {
    const modelId = await aModel({ datasourceId: await aSource() })
    const raw = (await get('model/model-prototype', { modelId })).data
    await post('model-prototype/submit-list', { body: raw.map((row: any) => ({ ...row, modelId })) })
    const body = { codeName: `货架 ${++names}`, modelId, serviceName: 'goods', tenancyKind: 'tenant', ...more }
    const answer = await post('code/submit', { body })
    expect(answer.body).toMatchObject({ code: 200 })
    return answer.data.id as string
  }

  test('is handed out as a zip by a ticket worth one use, with what the next merge needs', async () => {
    const id = await aCode({ withPage: true, withServer: true })
    const made = await post('code/gen-code', { query: { ids: id, system: 'saber' } })
    expect(made.body).toMatchObject({ code: 200, success: true })
    const load = () => server.http.inject({ method: 'GET', url: `/api/kit/download/${made.data.ticket}` })
    const answer = await load()
    expect(answer.headers['content-type']).toBe('application/zip')
    expect(answer.headers['content-disposition']).toContain('.zip')
    const entries = readZipEntries(answer.rawPayload)
    const names = [...entries.keys()].map((name) => name.replace(/shelf\d+/, 'shelf'))
    expect(names).toEqual([
      'domains/catalogue/products/shelf.resource.ts',
      'domains/catalogue/products/shelf.dictionaries.ts',
      'domains/catalogue/products/shelf.page.tsx',
      'domains/catalogue/products/shelf.server.ts',
      '.generated/shelf.resource.ts',
      '.generated/shelf.dictionaries.ts',
      'code.json',
    ])
    const first = entries.values().next().value!
    let text = ''
    for await (const piece of unpackZipEntry(first, { left: 100_000 })) text += piece.toString('utf8')
    expect(text).toContain("shelfNo: f.text({ label: { zh: '货架号', en:")
    expect((await load()).statusCode).toBe(404)
  })

  test('is saved with a module, addresses and a table it can be made of; others are refused by field', async () => {
    const modelId = await aModel({ datasourceId: await aSource() })
    const body = { codeName: `货架 ${++names}`, modelId, serviceName: 'goods', tenancyKind: 'tenant' }
    const wrong = { serviceName: 'Bad Room!', menuUnder: 'x y' }
    const refused = await post('code/submit', { body: { ...body, ...wrong } })
    expect(refused).toMatchObject({
      status: 400,
      data: {
        fields: {
          serviceName: '所属板块由字母开头，只含字母、数字、下划线和连字符，如 goods',
          menuUnder: '上级菜单编号只能含字母、数字和下划线',
        },
      },
    })
    const places = { apiPath: 'nope', webPath: 'x y', tableName: 'Drop;Table' }
    expect(await post('code/submit', { body: { ...body, ...places } })).toMatchObject({
      status: 400,
      data: {
        fields: {
          apiPath: expect.stringContaining('如 /api/shop/shelf'),
          webPath: expect.stringContaining('如 /goods/shelf'),
          tableName: expect.stringContaining('如 shelf'),
        },
      },
    })
    const good = { apiPath: '/api/shop/rack', webPath: '/goods/rack', tableName: 'rack' }
    const { id } = (await post('code/submit', { body: { ...body, ...good } })).data
    expect((await post('code/submit', { body: { id, webPath: 'x y' } })).status).toBe(400)
    // An older client sends paths on its own disk.
    const theirs = { ...body, codeName: `${body.codeName} 旧`, serviceName: 'blade-demo', packageName: 'org.demo' }
    const disk = { apiPath: 'D:\\work\\demo', webPath: '/Users/me/demo web', tableName: 'BLADE_NOTICE' }
    expect((await post('code/submit', { body: { ...theirs, ...disk } })).body).toMatchObject({ code: 200 })
  })

  test('is copied under a free name, and shows what it is made of', async () => {
    const id = await aCode({ codeName: '展架' })
    expect((await post('code/copy', { query: { id } })).status).toBe(200)
    const second = await post('code/copy', { query: { id } })
    expect((await get('code/detail', { id: second.data.id })).data).toMatchObject({
      codeName: '展架-copy2',
      serviceName: 'goods',
    })
    const { data } = await get('code/parts', { id })
    expect(data.main.parts.map(({ jdbcName }: any) => jdbcName)).toEqual(['shop_id', 'shelf_no', 'kind', 'price'])
  })
})

const hasMaria = await mysql
  .createConnection({ host: '127.0.0.1', port: 3306, user: 'root', connectTimeout: 2000 })
  .then((connection) => connection.end().then(() => true))
  .catch(() => false)

test.skipIf(!hasMaria)('a MariaDB data source is tested and listed like the other', async () => {
  const id = await aSource({
    driverClass: MYSQL_DRIVER_CLASS,
    host: '127.0.0.1',
    port: 3306,
    databaseName: 'information_schema',
    username: 'root',
    password: '',
  })
  expect((await post('datasource/test', { query: { id } })).body).toMatchObject({ code: 200 })
})
