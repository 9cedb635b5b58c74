import { afterAll, beforeAll, expect, test } from 'vitest'
import { testServer, type CastMember, type TestServer } from '#tests/support/server.ts'

const path = '/api/blade-report/report/rest'
let server: TestServer
let admin: CastMember
beforeAll(async () => {
  server = await testServer()
  admin = await server.as('admin', { tenantId: '000000' })
})
afterAll(() => server?.close())

const submit = (body: Record<string, unknown>) => server.call(admin, 'POST', `${path}/submit`, { body })
const list = async (query: Record<string, unknown> = {}) =>
  (await server.call(admin, 'GET', `${path}/list`, { query })).data

test(
  'a design is kept under its name, found by a part of it, left out of ' + 'lists for its length, and removed',
  async () => {
    const content = '<?xml version="1.0"?><ureport><cell name="A1"/></ureport>'
    const { data } = await submit({ name: '日报.ureport.xml', content })
    const found = await list({ name: '日报' })
    expect(found).toMatchObject({
      total: 1,
      records: [{ id: data.id, name: '日报.ureport.xml', previewUrl: '', designUrl: '' }],
    })
    expect(found.records[0]).not.toHaveProperty('content')
    expect((await server.call(admin, 'GET', `${path}/detail`, { query: { id: data.id } })).data).toMatchObject({
      content,
    })
    expect(await submit({ name: '日报.ureport.xml', content })).toMatchObject({ status: 400 })
    expect(await server.call(admin, 'POST', `${path}/remove`, { query: { ids: data.id } })).toMatchObject({
      status: 200,
    })
    expect((await list({ name: '日报' })).total).toBe(0)
  },
)

test.each([
  ['text', 'no markup'],
  ['another root', '<html/>'],
  ['XML that is not closed', '<ureport><cell>'],
  ['nothing', ''],
])('%s is no design: the field is named and nothing kept', async (_what, content) => {
  const answer = await submit({ name: 'bad.ureport.xml', content })
  expect(answer.status).toBe(400)
  expect(JSON.stringify(answer.body)).toContain('设计文件')
  expect((await list({ name: 'bad' })).total).toBe(0)
})

test(
  'a design opens in the report tool by its name once the parameter says ' + 'where that is, and nowhere before',
  async () => {
    const { data } = await submit({ name: '月报.xml', content: '<ureport/>' })
    const set = async (paramValue: string) => {
      const {
        records: [row],
      } = (await server.call(admin, 'GET', '/api/blade-system/param/list', { query: { paramKey: 'report.url' } })).data
      expect(
        await server.call(admin, 'POST', '/api/blade-system/param/submit', { body: { id: row.id, paramValue } }),
      ).toMatchObject({ status: 200 })
      return (await server.call(admin, 'GET', `${path}/detail`, { query: { id: data.id } })).data as {
        previewUrl: string
        designUrl: string
      }
    }
    const fileQuery = `_u=blade-${encodeURIComponent('月报.xml')}`
    expect(await set('https://report.example.com/ureport/')).toMatchObject({
      previewUrl: `https://report.example.com/ureport/preview?${fileQuery}`,
      designUrl: `https://report.example.com/ureport/designer?${fileQuery}`,
    })
    expect(await set('javascript:alert(1)')).toMatchObject({ previewUrl: '', designUrl: '' })
  },
)
