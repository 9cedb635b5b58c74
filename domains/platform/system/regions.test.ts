import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testServer, type TestServer } from '#tests/support/server.ts'
import { createTestWorld, type TestCaller, type TestWorld } from '#tests/support/world.ts'
import { readSheet } from '#kit/server/sheets/read-sheet.ts'
import { writeSingleSheetWorkbook } from '#kit/server/sheets/write-sheet.ts'
import { REGION_DATA_SOURCE } from './region-source.ts'
import { seedRegions } from './region-seed.ts'

let server: TestServer
let world: TestWorld
let platform: TestCaller
let clerk: TestCaller

beforeAll(async () => {
  server = await testServer()
  world = createTestWorld(server)
  platform = world.be({ tenantId: '000000', isPlatform: true, isAdmin: true })
  clerk = world.be({ tenantId: '990001' })
})
afterAll(() => server?.close())

const base = '/api/blade-system/region'
const submit = (body: Record<string, unknown>) => world.ask(platform, 'POST', `${base}/submit`, { body })
const detail = async (code: string) => (await world.ask(platform, 'GET', `${base}/detail`, { query: { code } })).data

describe('regions of China', () => {
  test('reach from the country to the county, 34 provinces and more than 2,800 counties', async () => {
    const provinces = (await world.ask(clerk, 'GET', `${base}/lazy-tree`, { query: { parentCode: '00' } })).data as {
      id: string
      title: string
    }[]
    expect(provinces).toHaveLength(34)
    expect(provinces[0]).toEqual({
      id: '11',
      parentId: '00',
      title: '北京市',
      key: '11',
      value: '11',
      hasChildren: true,
    })
    const counties = await world.ask(platform, 'GET', `${base}/list`, { query: { regionLevel: 3, size: 10 } })
    expect(counties.data.total).toBeGreaterThan(2800)
  })

  test('say where they lie: codes and names of every level, and the parent’s name', async () => {
    expect(await detail('330106')).toMatchObject({
      code: '330106',
      parentCode: '3301',
      parentName: '杭州市',
      name: '西湖区',
      regionLevel: 3,
      level: 3,
      ancestors: '00,33,3301',
      provinceName: '浙江省',
      cityCode: '3301',
      districtName: '西湖区',
    })
    expect(await detail('00')).toMatchObject({ parentCode: '0', parentName: '', regionLevel: 0 })
    await server.services.labels.ready('000000')
    expect(server.services.labels.region('330106')).toBe('浙江省/杭州市/西湖区')
    expect(server.services.labels.region('110101')).toBe('北京市/东城区')
    expect(server.services.labels.region('999999')).toBe('')
  })

  test('answer choices one level down for cascading selects', async () => {
    expect((await world.ask(clerk, 'GET', `${base}/select`)).data).toHaveLength(34)
    expect((await world.ask(clerk, 'GET', `${base}/select`, { query: { code: '3301' } })).data).toEqual(
      expect.arrayContaining([expect.objectContaining({ code: '330106', name: '西湖区' })]),
    )
  })

  test('are those of the list they come from, and an older installation is brought up to it', async () => {
    const { systemPool } = server.services
    const codes = async () => {
      const below = async (parentCode: string) =>
        (await world.ask(clerk, 'GET', `${base}/select`, { query: { code: parentCode } })).data as { code: string }[]
      return (await Promise.all(['3301', '6532', '8100'].map(below))).flat().map(({ code }) => code)
    }
    const today = await codes()
    expect(today).toEqual(expect.arrayContaining(['330113', '330114', '653228', '653229', '810001']))
    for (const gone of ['330103', '330104']) expect(today).not.toContain(gone)
    // An older table: without date and new regions, with abolished ones and one somebody added.
    await systemPool.query(`update region set as_of = null; delete from region where code in ('653228', '330113');
      insert into region (id, code, parent_code, name, region_level, sort, ancestors, province_code, province_name,
      city_code, city_name, district_code, district_name) values (1, '330103', '3301', '下城区', 3, 1, '00,33,3301', '33',
      '浙江省', '3301', '杭州市', '330103', '下城区'), (2, '330199', '3301', '自建区', 3, 1, '00,33,3301', '33', '浙江省', '3301',
      '杭州市', '330199', '自建区'); update region set name = '西子区' where code = '330106'`)
    await server.services.unit({ crossTenantReason: 'regions belong to nobody' }, (db) => seedRegions(db))
    const after = await codes()
    expect(after).toEqual(expect.arrayContaining(['330113', '653228', '330199']))
    expect(after).not.toContain('330103')
    const nodes = (await world.ask(clerk, 'GET', `${base}/lazy-tree`, { query: { parentCode: '3301' } })).data
    expect(nodes).toContainEqual(expect.objectContaining({ id: '330103', title: '下城区（已撤销）', disabled: true }))
    expect(nodes).toContainEqual(expect.objectContaining({ id: '330106', title: '西子区' }))
    expect(await detail('330113')).toMatchObject({ asOf: REGION_DATA_SOURCE.asOf, isAbolished: false })
    expect(await detail('330199')).toMatchObject({ asOf: '', isAbolished: false })
    await systemPool.query(`delete from region where code in ('330103', '330199');
      update region set name = '西湖区' where code = '330106'`)
  })

  test('are found anywhere by name when no parent is named', async () => {
    const found = (await world.ask(platform, 'GET', `${base}/lazy-list`, { query: { name: '西湖' } })).data as {
      code: string
    }[]
    expect(found.map((row) => row.code)).toContain('330106')
  })
})

describe('a region', () => {
  test('is added and changed by its code; a new name shows below', async () => {
    expect(
      (await submit({ code: '330106001', parentCode: '330106', name: '北山街道', regionLevel: 4, sort: 1 })).code,
    ).toBe(200)
    expect(await detail('330106001')).toMatchObject({
      parentCode: '330106',
      townCode: '330106001',
      townName: '北山街道',
      districtName: '西湖区',
    })
    const before = (await world.ask(platform, 'GET', `${base}/list`, { query: { size: 1 } })).data.total
    expect((await submit({ code: '330106', name: '西湖新区', level: 3 })).code).toBe(200)
    expect((await world.ask(platform, 'GET', `${base}/list`, { query: { size: 1 } })).data.total).toBe(before)
    expect(await detail('330106001')).toMatchObject({ districtName: '西湖新区' })
    await server.services.labels.ready('000000')
    expect(server.services.labels.region('330106001')).toBe('浙江省/杭州市/西湖新区/北山街道')
    await submit({ code: '330106', name: '西湖区' })
  })

  test('needs a parent above its own level', async () => {
    expect((await submit({ code: '9801', parentCode: '98', name: 'x', regionLevel: 2 })).data.fields).toMatchObject({
      parentCode: '父区划编号不存在',
    })
    expect((await submit({ code: '3398', parentCode: '33', name: 'x', regionLevel: 1 })).data.reason).toBe(
      'region_level',
    )
  })

  test('is removed by its code, but not while others lie inside it, and the country never', async () => {
    await submit({ code: '97', parentCode: '00', name: '测试省', regionLevel: 1 })
    await submit({ code: '9701', parentCode: '97', name: '测试市', regionLevel: 2 })
    expect((await world.ask(platform, 'POST', `${base}/remove`, { query: { id: '97' } })).msg).toBe('请先删除子节点!')
    expect((await world.ask(platform, 'POST', `${base}/remove`, { query: { id: '9701' } })).code).toBe(200)
    expect((await world.ask(platform, 'POST', `${base}/remove`, { query: { id: '97' } })).code).toBe(200)
    expect((await world.ask(platform, 'GET', `${base}/detail`, { query: { code: '97' } })).code).toBe(404)
    expect((await world.ask(platform, 'POST', `${base}/remove`, { query: { id: '00' } })).success).toBe(false)
  })

  test('is the platform’s to write', async () => {
    const mighty = world.be({
      tenantId: '990001',
      isAdmin: true,
      permissions: new Set(['region', 'region_add', 'region_edit', 'region_delete', 'region_import']),
    })
    expect(
      (await world.ask(mighty, 'POST', `${base}/submit`, { body: { code: '330106', name: 'x' } })).data.reason,
    ).toBe('platform_only')
    expect((await world.ask(mighty, 'POST', `${base}/remove`, { query: { id: '330106' } })).data.reason).toBe(
      'platform_only',
    )
  })
})

describe('sheets of regions', () => {
  const upload = async (rows: (string | number)[][], query: Record<string, string> = {}) => {
    const bytes = await writeSingleSheetWorkbook(
      'x',
      ['区划编号', '父区划编号', '区划名称', '区划级别', '排序', '备注'],
      rows,
    )
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(bytes)]), 'regions.xlsx')
    const request = new Request('http://localhost/', { method: 'POST', body: form })
    const response = await server.http.inject({
      method: 'POST',
      url: `${base}/import-region?${new URLSearchParams(query).toString()}`,
      headers: { 'blade-auth': `bearer ${platform.token}`, 'content-type': request.headers.get('content-type')! },
      payload: Buffer.from(await request.arrayBuffer()),
    })
    return response.json() as { code: number; msg: string; data: Record<string, unknown> }
  }

  test('what is exported has every row under its heading', async () => {
    const response = await server.http.inject({
      method: 'GET',
      url: `${base}/export-region?provinceCode=82&Blade-Auth=${platform.token}`,
    })
    expect(response.headers['content-type']).toContain('spreadsheetml')
    const rows = await readSheet(response.rawPayload, ['区划编号', '区划名称'])
    expect(rows.map((row) => row.cells['区划名称'])).toEqual(expect.arrayContaining(['澳门特别行政区', '大堂区']))
    const template = await server.http.inject({
      method: 'GET',
      url: `${base}/export-template?Blade-Auth=${platform.token}`,
      headers: { 'accept-language': 'en' },
    })
    expect(await readSheet(template.rawPayload, ['Region code', 'Region level'])).toEqual([])
  })

  test(
    'what is imported is there, parents first whatever their order; ' + 'known codes change only when asked',
    async () => {
      expect(
        await upload([
          ['9601', '96', '导入市', 2, 1, ''],
          ['96', '00', '导入省', 1, 1, ''],
        ]),
      ).toMatchObject({ code: 200, data: { count: 2, skipped: 0 } })
      expect(await detail('9601')).toMatchObject({ provinceName: '导入省', cityName: '导入市' })
      expect(await upload([['96', '00', '改名省', 1, 1, '']])).toMatchObject({ data: { count: 0, skipped: 1 } })
      expect(await upload([['96', '00', '改名省', 1, 1, '']], { isCovered: '1' })).toMatchObject({ data: { count: 1 } })
      expect(await detail('9601')).toMatchObject({ provinceName: '改名省' })
    },
  )

  test('a sheet with a mistake names its line and imports nothing', async () => {
    const answer = await upload([
      ['95', '00', '好', 1, 1, ''],
      ['95xx', '00', '坏', 1, 1, ''],
    ])
    expect(answer).toMatchObject({ code: 400, data: { reason: 'sheet_rows' } })
    expect(answer.msg).toContain('3: 区划编号')
    expect((await world.ask(platform, 'GET', `${base}/detail`, { query: { code: '95' } })).code).toBe(404)
  })
})
