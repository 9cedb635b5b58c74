import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeContract, type Stage } from '#tests/support/contract.ts'
import { testDatabase, type TestDatabase } from '#tests/support/database.ts'
import { createSamples } from '#tests/support/samples.ts'
import { everyCode, createTestWorld } from '#tests/support/world.ts'
import { defineModule, serve } from '#kit/server/module/module.ts'
import { kitRoutes } from '#kit/server/mount/kit-routes.ts'
import { startSampleApp, type SampleApp } from '#tests/support/sample-app.ts'
import { defineDict, defineResource, f, type Resource } from '#kit/resource/index.ts'
import { createResourceDesigns, generateResources, type GeneratedResource } from './design.ts'
import { resourceFromDeclaration } from './resource-from-declaration.ts'
import { createModelColumn, type GeneratedFieldKind } from './part.ts'

/** Every field kind that is generated; each gets a column. */
const KINDS: readonly GeneratedFieldKind[] = [
  'text',
  'longText',
  'number',
  'money',
  'percent',
  'boolean',
  'date',
  'datetime',
  'phone',
  'email',
  'url',
  'picture',
  'password',
  'json',
  'tags',
]
const column = (kind: GeneratedFieldKind, at: number) =>
  createModelColumn({
    jdbcName: `column_${kind.toLowerCase()}`,
    labelZh: `第${at + 1}列`,
    labelEn: `Column ${at + 1}`,
    fieldKind: kind,
    isQuery: kind === 'json' || kind === 'password' ? 0 : 1,
    columnScale: kind === 'number' ? 3 : 0,
    isList: kind === 'json' ? 0 : 1,
  })
const choices = createModelColumn({
  jdbcName: 'temper',
  jdbcType: 'int',
  labelZh: '温层',
  labelEn: 'Temperature',
  fieldKind: 'dict',
  isRequired: 1,
  defaultValue: '1',
  options: [
    { key: '1', zh: '常温', en: 'Ambient' },
    { key: '2', zh: '冷藏', en: 'Chilled' },
  ],
})
const name = createModelColumn({
  jdbcName: 'name',
  labelZh: "名称 'x'",
  labelEn: "It's a name",
  isRequired: 1,
  isQuery: 1,
  uniqueGroup: 'once',
})
const lines = [
  createModelColumn({ jdbcName: 'rack_id', labelZh: '货架', labelEn: 'Rack', fieldKind: 'ref', isRequired: 1 }),
  createModelColumn({ jdbcName: 'line_no', labelZh: '层号', labelEn: 'Line no.', isRequired: 1 }),
]
const made = generateResources(
  createResourceDesigns(
    { serviceName: 'blade-demo', templateType: 'sub', subFkId: 'rack_id', withPage: true, withServer: true },
    { model: { modelCode: 'rack', modelName: '货架' }, parts: [name, ...KINDS.map(column), choices] },
    { model: { modelCode: 'rack_line', modelName: '货架层', modelNameEn: 'Line of a rack' }, parts: lines },
  ),
)

/** Evaluates the generated files and returns their exports. */
function declaredBy({ files }: GeneratedResource, folder: string): Record<string, Resource<any, any>> {
  const exports: Record<string, any> = {}
  for (const { text } of files.filter(({ path }) => path.endsWith(folder))) {
    const body = text.replace(/^import .*$/gm, '').replace(/^export const (\w+) =/gm, 'exports.$1 =')
    // oxlint-disable-next-line typescript/no-implied-eval
    new Function('exports', 'defineResource', 'defineDict', 'f', body)(exports, defineResource, defineDict, f)
  }
  return exports
}

const resources = made.map((one) => Object.values(declaredBy(one, '.resource.ts'))[0]!)
const module = defineModule({
  name: 'demo',
  label: { zh: '样例', en: 'Sample' },
  resources: resources.map((resource) => serve(resource as Resource<any, Record<never, never>>)),
  dictionaries: Object.values(declaredBy(made[0]!, '.dictionaries.ts')) as never,
  menus: [{ code: 'demo', label: { zh: '样例', en: 'Sample' }, path: '/demo', icon: 'appstore', sort: 1 }],
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
  const routes = [...sample.services.registry.routes, ...kitRoutes]
  const world = createTestWorld({ http: sample.app, services: sample.services, routes })
  const admin = { isAdmin: true, roleAliases: ['admin'], permissions: everyCode(world.registry, world.routes) }
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

test('generated files declare what their preview shows, and nothing in them is said in one language', () => {
  for (const [at, { declared }] of made.entries())
    expect(JSON.parse(JSON.stringify(resourceFromDeclaration(declared.declaration)))).toEqual(
      JSON.parse(JSON.stringify(resources[at])),
    )
  expect(resources.map((resource) => [resource.path, resource.menu && resource.menu.path])).toEqual([
    ['/api/demo/rack', '/demo/rack'],
    ['/api/demo/rackLine', '/demo/rackLine'],
  ])
  expect(resources[1]!.fields.rackId).toMatchObject({ kind: 'ref', to: 'rack', required: true })
  expect(made[0]!.files.map(({ path }) => path)).toEqual([
    'domains/own/demo/rack.resource.ts',
    'domains/own/demo/rack.dictionaries.ts',
    'domains/own/demo/rack.page.tsx',
    'domains/own/demo/rack.server.ts',
  ])
})

test.each([`x', secret: true, y: '`, '${process.exit()}', '*/ alert(1) /*', 'a\nb', '\\', '</script>'])(
  'words of a model stay words in the file: %s',
  (word) => {
    const [one] = generateResources(
      createResourceDesigns(
        { serviceName: '../../etc', apiPath: '/api/../x', webPath: word, tableName: word, menuUnder: word },
        {
          model: { modelCode: `a_${word}`, modelName: word, modelNameEn: word, modelRemark: word },
          parts: [
            createModelColumn({
              ...name,
              labelZh: word,
              labelEn: word,
              comment: word,
              defaultValue: word,
              dictCode: word,
            }),
          ],
        },
      ),
    )
    const [resource] = Object.values(declaredBy(one!, '.resource.ts'))
    expect(Object.keys(resource!.fields)).toEqual(['name'])
    expect(resource!.fields.name).not.toHaveProperty('secret')
    for (const { path } of one!.files) expect(path).toMatch(/^domains\/own\/etc\/[a-z][a-z0-9-]*\.resource\.ts$/)
  },
)

for (const one of module.resources!) describeContract(one, () => stage)
