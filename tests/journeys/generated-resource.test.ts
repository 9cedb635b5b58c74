import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowserSession, type BrowserSession, type Visit } from './browser.ts'

let office: BrowserSession
let admin: Visit
let place: URL
beforeAll(async () => {
  office = await openBrowserSession({ hasPolicy: true })
  place = new URL(office.server.databaseUrl)
  Object.assign(office.server.services.config, {
    sourceNetworks: ['127.0.0.1/32', '::1/128'],
    sourcePorts: [Number(place.port)],
  })
  const client = new pg.Client({ connectionString: office.server.databaseUrl })
  await client.connect()
  await client.query(`create schema legacy; create table legacy.rack (id int primary key, rack_no varchar(20) not null,
    kind int, price numeric(10,2)); comment on table legacy.rack is '陈列架';
    comment on column legacy.rack.rack_no is '架号'; comment on column legacy.rack.kind is '温层：1常温 2冷藏'`)
  await client.end()
  admin = await office.signIn('000000', 'admin')
})
afterAll(async () => {
  await admin?.close()
  await office?.close()
})

test('a table becomes a resource somebody looks at, changes and takes home, before a file is written', async () => {
  const { page } = admin
  const person = await office.server.as('admin')
  const source = await office.server.call(person, 'POST', '/api/blade-develop/datasource/submit', {
    body: {
      name: 'ERP',
      driverClass: 'org.postgresql.Driver',
      host: place.hostname,
      port: Number(place.port),
      databaseName: place.pathname.slice(1),
      schemaName: 'legacy',
      username: decodeURIComponent(place.username),
      password: decodeURIComponent(place.password),
    },
  })
  expect(source.body).toMatchObject({ code: 200 })

  await page.goto(`${office.url}/tool/datasource`)
  const row = page.getByRole('row', { name: /ERP/ })
  await row.getByRole('button', { name: '测试连接' }).click()
  await row.getByText('可连接').waitFor()
  const made = await office.server.call(person, 'POST', '/api/blade-develop/model/submit', {
    body: { datasourceId: source.data.id, modelTable: 'rack', modelName: '陈列架', modelCode: 'rack' },
  })

  // The preview of the resource's page is below its columns, with made-up rows.
  await page.goto(`${office.url}/tool/model/${made.data.id}`)
  const preview = page.locator('.develop-page')
  await preview.getByRole('columnheader', { name: '架号' }).waitFor()
  await preview.getByText('冷藏').first().waitFor()
  await page.getByRole('button', { name: '架号 rack_no' }).click()
  await page.getByLabel('中文名称').fill('货架编号')
  await preview.getByRole('columnheader', { name: '货架编号' }).waitFor()
  expect(await preview.getByRole('columnheader', { name: '架号', exact: true }).count()).toBe(0)
  await page.getByRole('tab', { name: 'rack.resource.ts' }).click()
  await page.getByText("rackNo: f.text({ label: { zh: '货架编号'").waitFor()
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await page.getByText('已保存').waitFor()

  const code = { codeName: '陈列架', modelId: made.data.id, serviceName: 'goods', tenancyKind: 'tenant' }
  await office.server.call(person, 'POST', '/api/blade-develop/code/submit', { body: code })
  await page.goto(`${office.url}/tool/code`)
  const loading = page.waitForEvent('download')
  await page.getByRole('button', { name: '生成代码' }).first().click()
  expect((await loading).suggestedFilename()).toMatch(/\.zip$/)
  expect(admin.complaints).toEqual([])
})

test('a column that is refused is shown, with the sentence below its field; one by hand is no proposal', async () => {
  const { page } = admin
  const person = await office.server.as('admin')
  const made = await office.server.call(person, 'POST', '/api/blade-develop/model/submit', {
    body: { modelName: '手工', modelCode: 'by_hand' },
  })
  await page.goto(`${office.url}/tool/model/${made.data.id}`)
  for (const name of ['first', 'second']) {
    await page.getByRole('button', { name: '添加字段' }).click()
    await page.getByLabel('列名').fill(name)
    await page.getByLabel('字段名').fill(name === 'first' ? '1st' : name)
  }
  expect(await page.getByText('按表推荐').count()).toBe(0)
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await page.getByText('第 1 个字段 first：字段名由字母开头').waitFor()
  expect(await page.getByLabel('列名').inputValue()).toBe('first')
  const below = page.getByRole('alert').filter({ hasText: /^字段名由字母开头/ })
  await below.waitFor()
  expect(await page.getByLabel('字段名').getAttribute('aria-invalid')).toBe('true')
  await page.getByLabel('字段名').fill('first')
  await below.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await page.getByText('已保存').waitFor()
})
