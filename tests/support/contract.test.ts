import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defineResource, f } from '#kit/resource/index.ts'
import { mountModules } from '#kit/server/mount/mount.ts'
import { defineModule, serve } from '#kit/server/module/module.ts'
import { startSampleApp, type SampleApp } from './sample-app.ts'
import { kitRoutes } from '#kit/server/mount/kit-routes.ts'
import { fieldKinds } from '#kit/fields/kinds.ts'
import { declarationFaults, describeContract, tooMuch, wordFaults, type Stage } from './contract.ts'
import { testDatabase, type TestDatabase } from './database.ts'
import { createSamples } from './samples.ts'
import { everyCode, wireFaults, createTestWorld } from './world.ts'

const words = (zh: string, en: string) => ({ zh, en })
const label = { label: words('项目', 'Item') }
const shelf = defineResource({
  name: 'shelf',
  path: '/api/t/shelf',
  label: words('货架', 'Shelf'),
  tenancy: 'tenant',
  fields: { name: f.text({ label: words('名称', 'Name'), required: true, max: 20, search: 'like' }) },
  list: { columns: ['name', 'createTime'] },
  unique: [['name']],
  remove: 'hard',
})
const everything = defineResource({
  name: 'everything',
  path: '/api/t/everything',
  label: words('全部', 'Everything'),
  tenancy: 'tenant',
  fields: {
    text: f.text({ ...label, required: true, max: 30, search: 'like' }),
    long: f.longText(label),
    rich: f.richText(label),
    number: f.number({ ...label, min: 0, max: 99, search: 'eq' }),
    decimal: f.number({ ...label, decimals: 3 }),
    money: f.money({ ...label, search: 'eq' }),
    percent: f.percent(label),
    yes: f.boolean(label),
    choice: f.dict('sex', { ...label, numeric: true, required: true, search: 'eq' }),
    choices: f.dicts('sex', label),
    shelfId: f.ref('shelf', { ...label, required: true, search: 'eq' }),
    shelfIds: f.refs('shelf', { label: words('几个货架', 'Shelves'), labelKey: 'shelfNames' }),
    day: f.date(label),
    moment: f.datetime(label),
    phone: f.phone(label),
    hidden: f.phone({ ...label, mask: 'phone' }),
    email: f.email(label),
    url: f.url(label),
    password: f.password(label),
    secret: f.text({ ...label, secret: true }),
    colour: f.colour(label),
    icon: f.icon(label),
    picture: f.picture(label),
    pictures: f.pictures(label),
    file: f.file(label),
    files: f.files(label),
    region: f.region(label),
    location: f.location(label),
    json: f.json(label),
    cron: f.cron(label),
    tags: f.tags(label),
    once: f.text({ ...label, form: 'add' }),
    note: f.text({ ...label, form: 'hidden' }),
    sum: f.money({ ...label, computed: true }),
  },
  list: { columns: ['text', 'money', 'shelfId'] },
})
const node = defineResource({
  name: 'node',
  path: '/api/t/node',
  label: words('节点', 'Node'),
  tenancy: 'shared',
  fields: { parentId: f.tree('node', label), name: f.text({ ...label, required: true }) },
  list: { columns: ['name'], paged: false },
})
const country = defineResource({
  name: 'country',
  path: '/api/t/country',
  label: words('国家', 'Country'),
  tenancy: 'platform',
  fields: { name: f.text({ ...label, required: true }) },
  list: { columns: ['name'] },
})
const reading = defineResource({
  name: 'reading',
  path: '/api/t/reading',
  label: words('读数', 'Reading'),
  tenancy: 'tenant',
  writer: 'device',
  appendOnly: true,
  fields: { shelfId: f.ref('shelf', label), value: f.number(label) },
  list: { columns: ['value'] },
})
const served = [
  serve(shelf),
  serve(everything, { present: (wire) => void wire.forEach((row) => (row.sum = '0.00')) }),
  serve(node),
  serve(country),
  serve(reading),
]
const module = defineModule({
  name: 'sample',
  label: words('样例', 'Sample'),
  resources: served,
  dictionaries: [{ code: 'sex', label: words('性别', 'Sex'), entries: [] }],
})

let database: TestDatabase
let sample: SampleApp
let stage: Stage

beforeAll(async () => {
  database = await testDatabase({ empty: true })
  sample = await startSampleApp(
    database.url,
    [module],
    pathToFileURL(`${mkdtempSync(join(tmpdir(), 'no-migrations-'))}/`),
  )
  sample.services.labels = { ...sample.services.labels, hasKey: (_tenant, _field, key) => key === '1' }
  const world = createTestWorld({
    http: sample.app,
    services: sample.services,
    routes: [...sample.services.registry.routes, ...kitRoutes],
  })
  const permissions = everyCode(world.registry, world.routes)
  const admin = { isAdmin: true, roleAliases: ['admin'], permissions }
  stage = {
    world,
    samples: createSamples(world),
    cast: {
      owner: world.be({ ...admin, userId: '7', tenantId: '100001' }),
      stranger: world.be({ ...admin, userId: '8', tenantId: '100002' }),
      nobody: world.be({ userId: '9', tenantId: '100001' }),
      platform: world.be({ ...admin, userId: '1', tenantId: '000000', isPlatform: true }),
    },
  }
})
afterAll(async () => {
  await sample?.stop()
  await database?.drop()
})

for (const one of module.resources!) describeContract(one, () => stage)

describe('the contract notices', () => {
  test('words that lack a language or are in the wrong one', () => {
    expect(wordFaults({ zh: '名称', en: '' }, 'x')).toEqual(['x has no English'])
    expect(wordFaults({ zh: '', en: 'Name' }, 'x')).toEqual(['x has no Chinese'])
    expect(wordFaults({ zh: '名称', en: '名称' }, 'x')).toEqual(['x: Chinese in the English "名称"'])
    expect(declarationFaults({ ...shelf, label: { zh: '货架', en: ' ' } })).toEqual(['shelf has no English'])
  })

  test('null, numbers for ids and empty children in an answer', () => {
    expect(wireFaults({ records: [{ id: '1', name: 'x', price: -1, children: [{ id: '2' }] }] })).toEqual([])
    expect(wireFaults({ records: [{ id: 1, name: null, children: [] }] })).toEqual([
      '$.records[0].id is a number',
      '$.records[0].name is null',
      '$.records[0].children is empty instead of absent',
    ])
    expect(wireFaults([{ shopId: 1_123_598_821_738 }])).toEqual(['$[0].shopId is the number 1123598821738'])
  })

  test('what each kind refuses, however great the greatest amount is', () => {
    expect(tooMuch(f.money({ ...label, max: 10_000_000_000 }))).toBe('1.234')
    expect(tooMuch(f.number({ ...label, max: 10_000_000_000 }))).toBe(10_000_000_001)
    expect(String(tooMuch(f.password({ ...label, max: 64 }))).length).toBe(65)
    for (const kind of fieldKinds.keys())
      expect([kind, tooMuch({ kind, ...label })]).toEqual([kind, kind === 'richText' ? undefined : expect.anything()])
  })

  test('a door to a platform’s resource that a tenant’s person may not pass, whatever codes were granted', async () => {
    const { world, cast } = stage
    expect(
      (await world.ask(cast.owner, 'POST', '/api/t/country/submit', { body: { name: 'Atlantis' } })).body,
    ).toMatchObject({ code: 403, data: { reason: 'platform_only' } })
    expect((await world.ask(cast.owner, 'POST', '/api/t/country/remove', { query: { ids: '1' } })).body).toMatchObject({
      code: 403,
      data: { reason: 'platform_only' },
    })
  })

  test('a module that would mount one road twice', () => {
    expect(() => mountModules(sample.app, sample.services, [kitRoutes[0]!])).toThrow()
  })
})
