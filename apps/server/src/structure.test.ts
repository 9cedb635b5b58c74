import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { declarationFaults, wordFaults } from '#tests/support/contract.ts'
import { deadExports } from '#tests/support/exports.ts'
import { refusalsThrown } from '#tests/support/refusals-thrown.ts'
import { unstyledClasses } from '#tests/support/stylesheets.ts'
import { FIELD_PROBLEM_TEXTS } from '#kit/fields/base/problems.ts'
import type { Field } from '#kit/fields/base/field-kind.ts'
import { isTimeField, isWriteOnlyField, fieldKindOf } from '#kit/fields/kinds.ts'
import { parseParamNumber, type Action, type Resource } from '#kit/resource/index.ts'
import { kitJobs } from '#kit/server/lists/bulk.ts'
import { backgroundTaskJobs } from '#kit/server/sheets/routes.ts'
import { outboundCalls } from '#kit/server/outbox/index.ts'
import { kitRoutes } from '#kit/server/mount/kit-routes.ts'
import { declaredMenuRows } from '#kit/server/mount/menus.ts'
import { createModuleRegistry } from '#kit/server/mount/mount.ts'
import { buildOpenApiDocument, buildOpenApiText } from '#kit/server/mount/open-api.ts'
import { refusalCatalogue } from '#kit/server/base/refused.ts'
import { schemaOf, tableOfResource } from '#kit/server/database/schema.ts'
import { crossings, keptForAllKinds } from '../../../scripts/across-tenants.ts'
import { kitImports, kitTestsBeyond, layerFaults, productOnTests } from '../../../scripts/kit-layers.ts'
import { findCycle, moduleLayers, moduleDependencies } from '../../../scripts/module-layers.ts'
import { menusWithoutPage } from '../../../scripts/pages.ts'
import { RECIPES, stepsOf } from '../../../scripts/recipe-steps.ts'
import { wantedSchema } from '../../../scripts/schema.ts'
import { listBarcodeForms } from '#domains/catalogue/products/index.ts'
import { productModules } from './modules.ts'
// The module is mounted only on demand, but its texts must be complete too.
import './demo/refusals.ts'

const root = join(import.meta.dirname, '../../..')
const registry = createModuleRegistry(productModules)
const routes = [...registry.routes, ...kitRoutes]
const files = (pattern: string | string[]) =>
  globSync(pattern, { cwd: root, exclude: (path) => /node_modules|\/dist\//.test(path) }).sort()
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const placeholders = (sentence: string) =>
  [...sentence.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).sort((a, b) => a.localeCompare(b))

/** Routes that need no sign-in. A new entry needs a decision. */
const OPEN = [
  'ANY /api/blade-auth/oauth/callback/:source',
  'GET /api/blade-auth/oauth/authorize',
  'GET /api/blade-auth/oauth/captcha',
  'GET /api/blade-auth/oauth/clear-cache',
  'GET /api/blade-auth/oauth/logout',
  'GET /api/blade-auth/oauth/render/:source',
  'GET /api/blade-auth/oauth/social',
  'GET /api/blade-resource/attach/download',
  'GET /api/blade-resource/oss/endpoint/file/*',
  'GET /api/blade-resource/oss/endpoint/lent/*',
  'GET /api/blade-system/dept/select',
  'GET /api/blade-system/role/select',
  'GET /api/blade-system/tenant/info',
  'GET /api/device/program',
  'GET /api/kit/download/:ticket',
  'GET /api/shop/camera/hls/*',
  'GET /api/shop/camera/stream/*',
  'GET /api/shop/camera/talk/*',
  'GET /api/shop/registerScreenshot/picture',
  'POST /api/blade-auth/oauth/token',
  'POST /api/blade-auth/oauth/token/refresh',
  'POST /api/blade-system/user/register-guest',
  'POST /api/blade-user/register-guest',
  'POST /api/broker/acl',
  'POST /api/broker/authn',
  'POST /api/ele/callback/:key',
  'POST /api/meituan/callback/:event',
  'POST /api/pay/wechat/notify/:account',
  'POST /api/shop/camera/push/*',
  'POST /api/shop/printJob/report',
  'PUT /api/device/screen/*',
]

describe('every route', () => {
  test('says who may call it, and those open to anyone are exactly these', () => {
    const says = (can: (typeof routes)[number]['can']) => {
      if (typeof can === 'string') return /^\w+$/.test(can)
      return Array.isArray(can) ? can.length > 0 : /\w{4}/.test(String(Object.values(can)[0]))
    }
    expect(routes.filter(({ can }) => !says(can)).map(({ path }) => path)).toEqual([])
    expect(
      routes
        .filter(({ can }) => typeof can === 'object' && 'open' in can)
        .map(({ method, path }) => `${method} ${path}`)
        .sort(),
    ).toEqual(OPEN)
  })

  test('asks for a permission that a role can be granted', () => {
    const granted = new Set(declaredMenuRows(registry).map((row) => row.code))
    const checked = routes.flatMap(({ can, path, method }) =>
      typeof can === 'string'
        ? [[can, method, path]]
        : Array.isArray(can)
          ? (can as string[]).map((code) => [code, method, path])
          : [],
    )
    // A resource without an add or edit button still has the route that refuses.
    const ungranted = checked.filter(([code]) => !granted.has(code!) && !/_(add|edit|delete|view)$/.test(code!))
    expect(ungranted).toEqual([])
  })

  test(
    'that is one call under several addresses is guarded the same under each, and ' +
      'who guards one address guards all',
    () => {
      const byAddress = new Map(routes.map((one) => [`${one.method} ${one.path}`, one]))
      for (const { method, path, can, aliasOf, input, perMinute, log } of routes.filter((one) => one.aliasOf)) {
        const first = byAddress.get(`${method} ${aliasOf}`)
        expect([path, { can, input, perMinute, log }]).toEqual([
          path,
          { can: first?.can, input: first?.input, perMinute: first?.perMinute, log: first?.log },
        ])
        expect([
          path,
          registry.addresses.get(path)?.includes(aliasOf!),
          registry.addresses.get(aliasOf!)?.includes(path),
        ]).toEqual([path, true, true])
      }
      for (const [one, ...others] of Map.groupBy(routes, ({ handle }) => handle).values())
        for (const other of others)
          expect([one!.path, other.path, one!.can]).toEqual([one!.path, other.path, other.can])
      // Routes with the same title do the same: they say so, or differ only by method.
      const words = Map.groupBy(routes, ({ title, method }) => `${method} ${title.zh} ${title.en}`)
      for (const calls of words.values())
        for (const { path } of calls.slice(1))
          expect([calls[0]!.path, registry.addresses.get(path)?.includes(calls[0]!.path)]).toEqual([
            calls[0]!.path,
            true,
          ])
    },
  )

  test('has words for the log in both languages, and so have its arguments', () => {
    expect(
      routes.flatMap(({ title, input, path }) => [
        ...wordFaults(title, path),
        ...Object.entries(input ?? {}).flatMap(([key, field]) => wordFaults(field.label, `${path} ${key}`)),
      ]),
    ).toEqual([])
  })
})

describe('every word', () => {
  test('is said by the product in both languages, so that no browser translates the page and breaks its counts', () => {
    expect(read('apps/web/index.html')).toMatch(/<html [^>]*translate="no"/)
    expect(read('apps/web/index.html')).toContain('<meta name="google" content="notranslate" />')
  })

  test('in English has the straight apostrophe: faces for Chinese draw the curly one as wide as a letter', () => {
    const curly = files('{domains,kit,apps}/**/*.{ts,tsx}').flatMap((file) =>
      [...read(file).matchAll(/\ben: (['"`])(?:(?!\1).)*’.*/g)].map(([line]) => `${file} ${line.slice(0, 80)}`),
    )
    expect(curly).toEqual([])
  })

  test('of resources, actions and fields is there in both languages', () => {
    expect([...registry.served.values()].flatMap(({ resource }) => declarationFaults(resource))).toEqual([])
  })

  test('a line of text is refused with says what it should be like, in resources and in what actions ask', () => {
    const resources = [...registry.served.values()].map(({ resource }) => resource)
    const formFields = resources.flatMap(({ name, fields, actions }) =>
      [fields, ...Object.values(actions as Record<string, Action>).map(({ input }) => input ?? {})].flatMap((one) =>
        Object.entries(one as Record<string, Field>).map(([key, field]) => ({ key: `${name}.${key}`, field })),
      ),
    )
    const formed = formFields.filter(({ field }) => field.pattern)
    expect(formed.length).toBeGreaterThan(50)
    expect(formed.filter(({ field }) => !field.patternWords).map(({ key }) => key)).toEqual([])
  })

  test('for a moment at which something ends says so: a day alone is then meant to its last second', () => {
    const inputs = [
      ...[...registry.served.values()].flatMap(({ resource: { name, fields, actions, buttons } }) =>
        [
          buttons.add || buttons.edit ? fields : {},
          ...Object.values(actions as Record<string, Action>).map(({ input }) => input ?? {}),
        ].map((input) => [name, input] as const),
      ),
      ...routes.map(({ path, documentedInput }) => [path, documentedInput ?? {}] as const),
    ]
    const ends = inputs.flatMap(([name, input]) =>
      Object.entries(input as Record<string, Field>)
        .filter(
          ([, { kind, form = 'edit', computed }]) => kind === 'datetime' && !computed && ['edit', 'add'].includes(form),
        )
        .filter(
          ([key, { label }]) =>
            /(^|[a-z])(end|expire|until|deadline|validto)/i.test(key) || /^(Until|Valid until|Expires)/.test(label.en),
        )
        .map(([key, field]) => ({ key: `${name}.${key}`, field })),
    )
    expect(ends.length).toBeGreaterThan(5)
    expect(ends.filter(({ field }) => !field.isEnd).map(({ key }) => key)).toEqual([])
  })

  test('of modules, menus and buttons is there in both languages', () => {
    expect([
      ...productModules.flatMap(({ name, label }) => wordFaults(label, name)),
      ...declaredMenuRows(registry).flatMap(({ code, label }) => wordFaults(label, code)),
    ]).toEqual([])
  })

  test('of what may wait for somebody is there in both languages, under a key of its own, and leads to a page', () => {
    const needs = productModules.flatMap((module) => module.todos ?? [])
    expect(needs.flatMap(({ key, label }) => wordFaults(label, key))).toEqual([])
    expect(new Set(needs.map(({ key }) => key)).size).toBe(needs.length)
    for (const { key, resource } of needs)
      expect([key, registry.resource(resource).menu]).toEqual([key, expect.anything()])
  })

  test('of dictionaries is there in both languages, and no key occurs twice', () => {
    const faults = productModules.flatMap((module) =>
      (module.dictionaries ?? []).flatMap(({ code, label, entries }) => [
        ...wordFaults(label, code),
        ...entries.flatMap((entry) => wordFaults(entry, `${code} ${entry.key}`)),
        ...(new Set(entries.map(({ key }) => key)).size === entries.length ? [] : [`${code} has a key twice`]),
      ]),
    )
    expect(faults).toEqual([])
  })

  test('of a refusal is a sentence in both languages that mentions the same things', () => {
    for (const [code, words] of [...refusalCatalogue(), ...Object.entries(FIELD_PROBLEM_TEXTS)]) {
      expect(wordFaults(words, code)).toEqual([])
      expect([code, placeholders(words.en)]).toEqual([code, placeholders(words.zh)])
    }
  })

  test('a refusal is thrown with has a sentence', () => {
    const thrown = files(['kit/server/**/*.ts', 'domains/**/*.ts', 'apps/server/**/*.ts'])
      .filter((file) => !/\.test/.test(file))
      .flatMap((file) => [...read(file).matchAll(/new Refused\('(\w+)'/g)].map(([, code]) => [file, code!] as const))
    expect(thrown.filter(([, code]) => !refusalCatalogue().has(code))).toEqual([])
    const named = files('domains/**/*.ts').flatMap((file) =>
      [...read(file).matchAll(/invalidField\(\w+, '\w+', '(\w+)'/g)].map(([, code]) => [file, code!] as const),
    )
    expect(named.filter(([, code]) => !(code in FIELD_PROBLEM_TEXTS))).toEqual([])
  })
})

describe('a module', () => {
  test('uses only modules below it: there are no circles', () => {
    const uses = moduleDependencies()
    expect([...uses.keys()].flatMap((module) => findCycle(uses, module)?.join(' → ') ?? [])).toEqual([])
    uses.get('shops/shops')!.add('sales/point-of-sale')
    expect(findCycle(uses, 'shops/shops')).toEqual(['shops/shops', 'sales/point-of-sale', 'shops/shops'])
    expect(() => moduleLayers(uses)).toThrow(/in a circle/)
  })

  test('that adds to a resource of another one stands above it, and every declared action is carried out once', () => {
    for (const [at, { name, extends: added }] of productModules.entries())
      for (const { resource } of added ?? []) {
        const home = productModules.findIndex((module) =>
          module.resources?.some((one) => one.resource.name === resource.name),
        )
        expect([name, resource.name, home >= 0 && home < at]).toEqual([name, resource.name, true])
      }
    const carriedOut = productModules.flatMap((module) =>
      [...(module.resources ?? []), ...(module.extends ?? [])].flatMap(({ resource, actions }) =>
        Object.keys(actions).map((action) => `${resource.name}.${action}`),
      ),
    )
    const declared = [...registry.served.values()].flatMap(({ resource }) =>
      Object.keys(resource.actions).map((action) => `${resource.name}.${action}`),
    )
    expect(carriedOut.sort()).toEqual(declared.sort())
  })
})

test('a page reads rows as their resource says they travel, never by whatever key', () => {
  const untyped =
    /import (?:type )?\{[^}]*\bRow\b[^}]*\} from '#kit\/web\/[^']*'|\brows?\??: (?:readonly )?Record<string, unknown>/
  const pages = files(['domains/**/*.tsx', 'domains/**/use-*.ts'])
  expect(pages.length).toBeGreaterThan(200)
  expect(pages.filter((file) => !/\.test/.test(file) && untyped.test(read(file)))).toEqual([])
})

/** Shows messages, through `toast`. */
const SHOWS_MESSAGES = ['kit/web/theme/theme.tsx']

test('messages are shown by toast alone: the call layer has told a refusal by it already', () => {
  const showsMessages = /\bmessage\b[^\n]*\bApp\.useApp\(|import \{[^}]*\bmessage\b[^}]*\} from 'antd'/
  const pages = files(['{domains,apps/web,kit/web}/**/*.ts{,x}'])
  expect(SHOWS_MESSAGES.filter((file) => !showsMessages.test(read(file)))).toEqual([])
  expect(pages.filter((file) => !SHOWS_MESSAGES.includes(file) && showsMessages.test(read(file)))).toEqual([])
})

test('a standard call nobody can be granted says why, and not only that somebody may not', () => {
  const codes = new Set(declaredMenuRows(registry).map(({ code }) => code))
  const standard = routes.filter(({ path, can }) => /\/(submit|remove)$/.test(path) && typeof can !== 'object')
  const many = routes.filter(({ path, can }) => /\/(submit|remove)$/.test(path) && Array.isArray(can))
  expect(standard.length + many.length).toBeGreaterThan(100)
  const isGranted = ({ can }: (typeof routes)[number]) => [can].flat().some((code) => codes.has(code as string))
  expect([...standard, ...many].filter((one) => !isGranted(one) && !one.denyReason).map(({ path }) => path)).toEqual([])
})

/** Closes its form before sending. */
const ASKS_FIRST = ['kit/web/list/bulk-dialog.tsx']

test('who sends a form holds it meanwhile, so that nothing typed into it then is lost with it', () => {
  const senders = files(['{domains,apps/web,kit/web}/**/*.ts{,x}'])
    .filter((file) => !/\.test/.test(file) && !ASKS_FIRST.includes(file))
    .filter((file) => /\buseForm\(\{/.test(read(file)) && /\b(apiPost|call\w+)[<(]/.test(read(file)))
  expect(senders.length).toBeGreaterThan(3)
  expect(senders.filter((file) => !/\b(useSaveRow|useFormSubmit)\(|\.hold\(/.test(read(file)))).toEqual([])
})

describe('what pages name by words', () => {
  const pages = files(['domains/**/*.tsx', 'domains/**/use-*.ts', 'apps/web/src/**/*.tsx', 'kit/web/**/*.tsx'])
  const named = (pattern: RegExp) =>
    pages.flatMap((file) => [...read(file).matchAll(pattern)].map(([, name]) => [file, name!] as const))

  test('is a right somebody can be granted, a resource there is, and a page there is', async () => {
    const codes = new Set(declaredMenuRows(registry).map(({ code }) => code))
    const rights = named(/\b(?:useHasPermission|mayCall)\('(\w+)'/g)
    expect(rights.length).toBeGreaterThan(30)
    expect(rights.filter(([, code]) => !codes.has(code))).toEqual([])
    const resources = [...named(/\buseResourcePath\('(\w+)'/g), ...named(/<RowLink\s+to="(\w+)"/g)]
    expect(resources.length).toBeGreaterThan(40)
    expect(resources.filter(([, resource]) => !registry.served.has(resource))).toEqual([])
  })

  test('stands in what is asked before an action and said after it: fields of the row, the input or the answer', () => {
    const unknown = [...registry.served.values()].flatMap(({ resource }) =>
      Object.entries(resource.actions as Record<string, Action>).flatMap(([name, { confirm, input }]) =>
        placeholders(confirm?.zh ?? '')
          .filter((key) => !(key in resource.fields || key in (input ?? {}) || /Name$|^count$/.test(key)))
          .map((key) => `${resource.name}.${name} asks with {${key}}`),
      ),
    )
    expect(unknown).toEqual([])
  })
})

describe('a menu entry', () => {
  test('leads to a page, and one that does not is said with the file that would have it', async () => {
    expect(await menusWithoutPage(registry)).toEqual([])
    const goods = productModules.find(({ name }) => name === 'catalogue/products')!
    // Of a name that is nowhere else, and that no recipe gives.
    const attic = { ...registry.resource('barcodes'), name: 'attic', code: 'attic', path: '/api/shop/attic' as const }
    const lost = { resource: { ...attic, menu: { under: 'goods', path: '/goods/attic' } }, hooks: {}, actions: {} }
    const others = productModules.filter((module) => module !== goods)
    expect(
      await menusWithoutPage(createModuleRegistry([...others, { ...goods, resources: [...goods.resources!, lost] }])),
    ).toEqual(['the menu entry attic leads to /goods/attic, for which domains/catalogue/products/web.ts has no page'])
  })
})

describe('every declaration', () => {
  test('on disk is behind the door of its module', async () => {
    for (const file of files('domains/**/*.resource.ts')) {
      const exported = Object.values((await import(join(root, file))) as object) as Partial<Resource<any, any>>[]
      const declared = exported.filter((one) => one?.fields && one.path && one.tenancy).map(({ name }) => name!)
      expect([file, declared.filter((name) => !registry.served.has(name))]).toEqual([file, []])
    }
  })

  test('imports nothing but the vocabulary and other declarations', () => {
    for (const file of files('domains/**/*.resource.ts')) {
      const imported = [...read(file).matchAll(/from '([^']+)'/g)].map(([, from]) => from!)
      expect([
        file,
        imported.filter(
          (from) =>
            !/^#kit\/resource\/index\.ts$|^\.\/\w[\w-]*(\.resource)?\.ts$|^#domains\/[\w-]+\/[\w-]+\/index\.ts$/.test(
              from,
            ),
        ),
      ]).toEqual([file, []])
    }
  })

  test('has a path and a table of its own, and lists columns that are fields', () => {
    const all = [...registry.served.values()].map(({ resource }) => resource)
    expect(new Set(all.map(({ path }) => path)).size).toBe(all.length)
    expect(() =>
      schemaOf([...all.map(tableOfResource), ...productModules.flatMap((module) => module.tables ?? [])]),
    ).not.toThrow()
    for (const resource of all)
      for (const key of resource.list.sort ? [resource.list.sort.replace(/^-/, '')] : [])
        expect([
          resource.name,
          key,
          key in resource.fields || ['id', 'createTime', 'updateTime'].includes(key),
        ]).toEqual([resource.name, key, true])
  })
})

describe('what grows old', () => {
  test('that belongs to tenants has the tenant first in its key, so that it can be spread by it', () => {
    const owned = Object.values(wantedSchema()).filter((table) => table.columns.tenant_id)
    expect(owned.length).toBeGreaterThan(100)
    expect(owned.filter((table) => table.primaryKey?.[0] !== 'tenant_id').map((table) => table.name)).toEqual([])
  })

  test('stands in a table that says so, knows its day, and may be removed by the clock', () => {
    const schema = wantedSchema()
    for (const { table, param } of productModules.flatMap((module) => module.retention ?? [])) {
      expect([table, schema[table]?.columns.create_time, param.number?.min]).toEqual([
        table,
        expect.stringContaining('timestamptz'),
        expect.any(Number),
      ])
      expect([
        table,
        !schema[table]!.appendOnly || (schema[table]!.retentionDays ?? Infinity) <= param.number!.min,
      ]).toEqual([table, true])
      expect([
        table,
        Object.values(schema[table]!.indexes ?? {}).some((tail) => /^\(create_time\b/.test(tail)),
      ]).toEqual([table, true])
    }
    const forgotten = new Set(productModules.flatMap((module) => (module.retention ?? []).map(({ table }) => table)))
    expect(
      Object.values(schema)
        .filter((table) => table.retentionDays && !forgotten.has(table.name))
        .map(({ name }) => name),
    ).toEqual([])
  })
})

describe('a parameter', () => {
  const params = productModules.flatMap((module) =>
    (module.params ?? []).map((param) => ({ module: module.name, param })),
  )
  const code = files(['domains/**/*.ts', 'kit/server/**/*.ts', 'apps/server/src/**/*.ts']).filter(
    (file) => !/\.test/.test(file),
  )

  test('has words and help in both languages, a key of its own, and a value that makes sense', () => {
    const params = productModules.flatMap((module) =>
      [...(module.params ?? []), ...(module.retention ?? []).map(({ param }) => param)].map((param) => ({
        module: module.name,
        param,
      })),
    )
    expect(
      params.flatMap(({ param }) => [
        ...wordFaults(param.label, param.key),
        ...wordFaults(param.help, `${param.key} help`),
      ]),
    ).toEqual([])
    expect(new Set(params.map(({ param }) => param.key)).size).toBe(params.length)
    expect(
      params
        .filter(({ param }) => param.number && parseParamNumber(param, param.value) === undefined)
        .map(({ param }) => param.key),
    ).toEqual([])
  })

  test(
    'is declared by a module that is mounted, so that it is seeded and stands on ' +
      'the page, and is read by somebody',
    () => {
      const declared = code.flatMap((file) =>
        [...read(file).matchAll(/export const (\w+) = defineSystemParam\(\{\s*key: '([\w.]+)'/g)].map(
          ([, name, key]) => ({
            file,
            name: name!,
            key: key!,
          }),
        ),
      )
      expect(declared.map(({ key }) => key).sort()).toEqual(params.map(({ param }) => param.key).sort())
      for (const { file, name } of declared)
        expect([
          name,
          code.some(
            (other) => other !== file && new RegExp(`\\b${name}\\b`).test(read(other).replace(/^import .*$/gm, '')),
          ),
        ]).toEqual([name, true])
    },
  )

  test('is read by its declaration, nowhere by a key somebody wrote down', () => {
    expect(
      code.filter((file) => !file.startsWith('domains/platform/system/') && /sys_param|param_key/.test(read(file))),
    ).toEqual([])
  })
})

describe('a barcode', () => {
  /** Files that compare one value with itself, or choose among the forms of a barcode, with the reason. */
  const WITH_ITSELF: Record<string, string> = {
    'domains/catalogue/products/goods.server.ts': 'whether it was changed',
    'domains/sales/marketing/campaign-basket.tsx': 'the line that was priced is told by what it was asked with',
    'domains/sales/marketing/follow-barcodes.ts': 'whether it was changed',
    'domains/sales/marketing/match-basket.ts': 'pieces and scopes have labels',
    'domains/sales/marketing/use-preview.ts': 'a line of the basket that is chosen',
    'domains/catalogue/purchasing/suppliers.server.ts': 'whether it was changed',
    'domains/devices/shelf-labels/cloud-esl.client.ts': 'goods of the tags that are sent',
    'domains/devices/shelf-labels/queue-tags.ts': 'copies that of the goods',
    'domains/sales/delivery-platforms/inbound.ts': 'the form that was said comes first',
  }
  const compared = new RegExp(
    String.raw`\bupcs?\b\s*(?:===|!==)|(?:===|!==)\s*[\w.?!]*\bupc\b|upcs\.includes|` +
      String.raw`\[\w+\.(?:content\.)?upc, .*\]\)\)|\bupc\b\s*(?:=|<>|in)\s*(?:any\b|\(|\$\{|\w\.upc)|` +
      String.raw`(?:partition|group) by \w*\.?upc\b`,
  )
  const isComparing = (file: string) =>
    read(file)
      .split('\n')
      .some((line) => !/order by|typeof|BarcodeMap|desc limit/.test(line) && compared.test(line))

  test('is compared with another as labels are, in whichever form either was entered (barcode.ts, labels.ts)', () => {
    const comparing = files(['domains/**/*.ts', 'domains/**/*.tsx'])
      .filter((file) => !/\.(test|demo)\.ts|\/test-|domains\/catalogue\/products\/(barcode|labels)\.ts/.test(file))
      .filter(isComparing)
    expect(comparing.filter((file) => !(file in WITH_ITSELF))).toEqual([])
    expect(Object.keys(WITH_ITSELF).filter((file) => !comparing.includes(file))).toEqual([])
  })

  test('is found in every list by any form of its label', () => {
    const other = [...registry.served.values()].flatMap(({ resource }) =>
      Object.entries(resource.fields as Record<string, Field>)
        .filter(
          ([key, field]) => key === 'upc' && fieldKindOf(field).kind === 'text' && field.forms !== listBarcodeForms,
        )
        .map(() => resource.name),
    )
    expect(other).toEqual([])
  })
})

describe('a line of an order', () => {
  test('is written only where its order is new or locked, so that the kept sums miss nothing (decision 0021)', () => {
    const WRITERS: Record<string, RegExp> = {
      'domains/sales/orders/place-order.ts': /db\.get\(shoppingOrder, orderId, 'forUpdate'\)/,
      'domains/sales/orders/finish-refund.ts': /db\.get\(shoppingOrder, refund\.orderId, 'forUpdate'\)/,
    }
    const writes =
      /(insert(All)?|update|remove)\(shoppingOrderDetail\b|(insert into|update|delete from) "?shopping_order_detail\b/
    const found = files(['domains/**/*.ts', 'kit/server/**/*.ts', 'apps/server/src/**/*.ts']).filter(
      (file) => !/\.test|\.demo|test-/.test(file) && writes.test(read(file)),
    )
    expect(found.sort()).toEqual(Object.keys(WRITERS).sort())
    for (const [file, lock] of Object.entries(WRITERS)) expect([file, lock.test(read(file))]).toEqual([file, true])
    expect(registry.resource('shoppingOrderDetail').writer).not.toBe('office')
  })
})

describe('what compares with a platform, makes bills and sends money back', () => {
  /** Files that read the payments of one module only, with the reason. */
  const OF_ONE_MODULE: Record<string, string> = {
    'domains/money/merchant-accounts/make-bill.ts': 'the numbers of orders that were shared; only orders are',
    'domains/money/merchant-accounts/merchant-checks.ts':
      'checks what stands in bills against orders; the list is checked in orders',
    'domains/money/merchant-accounts/share-return.ts': 'only orders are shared',
    'domains/money/merchant-accounts/share.job.ts': 'only orders are shared',
    'domains/money/merchant-accounts/share.ts': 'only orders are shared',
    'domains/money/merchant-accounts/merchant-terms.ts': 'the rate an order that is shared cost',
    'domains/money/merchant-accounts/wechat-refund.ts':
      'the merchant of an order that is yet to pay; keeps the way in what sends',
    'domains/money/reconciliation/bill-bridge.server.ts':
      'what the analysis counts is orders alone; the bill it is led to is the list',
    'domains/money/reconciliation/resolutions.ts': 'books the payment of an order that waits for it',
    'domains/money/reconciliation/match-platform.ts': 'delivery platforms settle orders alone',
    'domains/money/reconciliation/match-wechat.ts':
      'which order that waits to be paid a number means, and whose share it was',
    'domains/money/reconciliation/money-trail.server.ts': 'the way of one order',
  }
  const tables = /\b(shopping_order|order_payment|refund_payment|recharge_log|annual_fee_log|payment_refund)\b/

  test('asks the list of all that is paid for, never the table of one module (payables.ts)', () => {
    const asking = globSync('domains/money/{reconciliation,merchant-accounts}/*.ts', { cwd: root })
      .filter((file) => !/\.(test|demo)\.ts$|\/test-/.test(file) && tables.test(readFileSync(join(root, file), 'utf8')))
      .sort()
    expect(asking).toEqual(Object.keys(OF_ONE_MODULE).sort())
  })

  test('sends money back by asking, which takes a second person above the limit (give-back.ts)', () => {
    const sending = globSync('domains/**/*.ts', { cwd: root })
      .filter((file) => !/\.(test|demo)\.ts$|\/test-|^domains\/money\/payment-channels\//.test(file))
      .filter((file) =>
        /\b(bookPayableRefund|createPaymentRefund|recordExternalPaymentRefund)\b/.test(
          readFileSync(join(root, file), 'utf8'),
        ),
      )
    expect(sending).toEqual([])
  })

  const TWO = 'above the limit two people say it'
  const AGAIN = 'sends once more, under the same number, what two people said when it was asked'
  const PAID_OUT = 'says that it was paid out, of what two people said when it was asked'
  const NOTHING = 'no money leaves by it'
  /** Every act that refunds money to a customer, with its approval. A new entry needs a decision. */
  const GIVES_BACK: Record<string, string> = {
    '/api/ele/eleOrder/agreeRefund': TWO,
    '/api/ele/eleOrder/agreeReturn': 'the money follows by agreeRefund, when the goods are here',
    '/api/ele/eleOrder/cancel': TWO,
    '/api/ele/eleOrder/refuseRefund': NOTHING,
    '/api/ele/eleOrder/refuseReturn': NOTHING,
    '/api/ele/eleOrderDetail/refund': TWO,
    '/api/meituan/meituanOrder/agreeRefund': TWO,
    '/api/meituan/meituanOrder/cancel': TWO,
    '/api/meituan/meituanOrder/refuseRefund': NOTHING,
    '/api/meituan/meituanOrderDetail/refund': TWO,
    '/api/merchant/shareLog/letGo': TWO,
    '/api/merchant/shareLog/unfreeze': TWO,
    '/api/pay/payAttempt/giveBackAgain': TWO,
    '/api/pay/paymentRefund/handOver': PAID_OUT,
    '/api/pay/paymentRefund/retry': AGAIN,
    '/api/shop/annualFeeLog/refund': TWO,
    '/api/shop/rechargeLog/refund': TWO,
    '/api/shop/refunds/approve': TWO,
    '/api/shop/refunds/handOver': PAID_OUT,
    '/api/shop/refunds/now': TWO,
    '/api/shop/refunds/redirect': TWO,
    '/api/shop/refunds/reject': NOTHING,
    '/api/shop/refunds/retry': AGAIN,
    '/api/shop/refunds/submit': TWO,
    '/api/shop/shoppingOrder/cancel': TWO,
    '/api/tally/difference/settle': TWO,
  }
  /** Routes whose Chinese title has the word for refund or return but that move no money. */
  const NO_MONEY = /\/(returnLog|refundLimit|oauth|work|task)\//
  const STANDARD = /\/(list|page|detail|remove|export|import|import-template|sum|select|history|columns)$/

  test('lists every act by which money goes back, with whom it takes', () => {
    const documented = routes
      .filter(
        ({ method, path, title }) =>
          method !== 'GET' && /退|解冻|取消订单|订单取消/.test(title.zh) && !STANDARD.test(path),
      )
      .map(({ path }) => path)
      .filter((path) => !NO_MONEY.test(path))
    // The act for settling a difference depends on its kind and may be a refund.
    expect([...new Set([...documented, '/api/tally/difference/settle'])].sort()).toEqual(Object.keys(GIVES_BACK).sort())
  })

  /** Files that enqueue a payment, with who approved it. */
  const SENDS: Record<string, string> = {
    'domains/money/checkout/checkout.server.ts': TWO,
    'domains/money/checkout/unmatched-refund.job.ts': 'asks how far it is',
    'domains/money/checkout/attempt-transitions.ts': 'by itself, the first time: no order took the payment',
    'domains/sales/ele/ele-order.server.ts': TWO,
    'domains/sales/meituan/order.server.ts': TWO,
    'domains/sales/orders/redirect-refund.ts': TWO,
    'domains/sales/orders/refund.job.ts': 'asks how far it is',
    'domains/sales/orders/refund.ts': 'what was signed by as many as its amount takes',
    'domains/sales/orders/refunds.server.ts': 'signed by the second person, or once more what was signed',
    'domains/money/payment-channels/payment-refund.job.ts': 'asks how far it is',
    'domains/money/payment-channels/payment-refund.server.ts': AGAIN,
    'domains/money/reconciliation/resolutions.ts': TWO,
    'domains/sales/delivery-platforms/platform-refund.ts': TWO,
    'domains/sales/delivery-platforms/inbound.ts':
      'what a shop cannot deliver is cancelled by itself, before it is accepted',
    'domains/sales/delivery-platforms/own-delivery.ts': 'tells how far a delivery is',
  }

  const SENDING = [
    'enqueueUnmatchedRefund',
    'enqueueMoneyReturn',
    'enqueueRefund',
    'enqueuePaymentRefund',
    'requestPlatformAction',
  ]

  test('puts money on its way nowhere else, and where two have to say so asks for the second', () => {
    const sending = files('domains/**/*.ts')
      .filter((file) => !/\.(test|demo)\.ts$|\/test-|^domains\/(insight\/ai|platform\/code-generator)\//.test(file))
      .filter((file) => new RegExp(`(?<!function )\\b(${SENDING.join('|')})\\(`).test(read(file)))
    expect(sending.toSorted()).toEqual(Object.keys(SENDS).toSorted())
    const withTwo = Object.entries(SENDS).filter(([, who]) => who === TWO)
    for (const [file] of withTwo) {
      const module = files(`${dirname(file)}/*.ts`)
        .map(read)
        .join('\n')
      expect([file, /\b(requestMoneyMove|refundOnPlatform)\(/.test(module)]).toEqual([file, true])
    }
  })
})

test('what something cost is never taken from what it sells for (piece-cost.ts)', () => {
  const fallback =
    /coalesce\((?:[^();]|\([^()]*\))*cost_price[^();]*sale_price|costPrice\s*(?:\?\?|\|\|)\s*[\w.]*salePrice/
  const taking = files(['domains/**/*.ts', 'domains/**/*.tsx']).filter(
    (file) => !/\.(test|demo)\.tsx?$/.test(file) && fallback.test(read(file)),
  )
  expect(taking).toEqual([])
})

describe('an id', () => {
  type Ref = Field & { to?: string; resourceByValue?: Record<string, string>; same?: string; by?: string }
  const all = [...registry.served.values()].flatMap(({ resource }) =>
    Object.entries(resource.fields as Record<string, Ref>).map(([key, field]) => ({
      resource,
      key,
      field,
      where: `${resource.name}.${key}`,
    })),
  )
  const isReference = ({ field }: { field: Ref }) => fieldKindOf(field).choices === 'rows'
  /** Id fields that refer to something without a resource. */
  const BARE: Record<string, string> = {
    'customerTicket.quoteId': 'quotes are no resource',
    'shoppingOrder.quoteId': 'quotes are no resource',
    'reportTiming.viewId': 'views of lists are no resource',
    'reportSent.taskId': 'tasks are no resource',
  }
  /** Ids assigned by others and kept as they are, and ids whose resource is named in another field. */
  const OTHERS = new RegExp(
    String.raw`^(ele|meituan|log|sms|oss|requestLog|client\.)|^code\.(subFk|tree)Id$|` +
      String.raw`^aiTaskLog\.targetId$|^personalOpening\.rowId$|` +
      String.raw`\.(clientId|gb\w+Id|gbId|tagId|commandId|batchId|` +
      String.raw`channelRefundId|payableId|runId|difyTaskId|settlementId|ownerPlatformIds|targetIds)$`,
  )

  test('names the resource of the row it points to, so that the row is shown by its name', () => {
    expect(
      all
        .filter((one) => isReference(one) && !one.field.to && !one.field.resourceByValue && !(one.where in BARE))
        .map(({ where }) => where),
    ).toEqual([])
    expect(Object.keys(BARE).filter((where) => !all.some((one) => one.where === where && !one.field.to))).toEqual([])
    expect(
      all
        .filter((one) => !isReference(one) && /Ids?$/.test(one.key) && !OTHERS.test(one.where))
        .map(({ where }) => where),
    ).toEqual([])
  })
})

describe('a list', () => {
  test('says by which time its rows are asked for, or that they have none; people may ask by it as a range', () => {
    const wrong = [...registry.served.values()].flatMap(({ resource }) => {
      const { time } = resource.list
      if (time === false || time === 'createTime') return []
      const field = time && (resource.fields as Record<string, Field>)[time]
      return field && isTimeField(field) && field.search === 'range' && !field.computed
        ? []
        : [`${resource.name} ${time}`]
    })
    expect(wrong).toEqual([])
  })

  test('lets be changed, in a cell or for many rows, only what a form may change', () => {
    const wrong = [...registry.served.values()].flatMap(({ resource }) =>
      ([...resource.list.inline, ...resource.list.bulk] as string[])
        .filter((key) => {
          const field = (resource.fields as Record<string, Field>)[key]
          return (
            !field ||
            !resource.buttons.edit ||
            (field.form ?? 'edit') !== 'edit' ||
            field.computed ||
            isWriteOnlyField(field)
          )
        })
        .map((key) => `${resource.name}.${key}`),
    )
    expect(wrong).toEqual([])
  })
})

/** Entry files may export what only other modules' tests use. */
const ORDERED = /^(?!kit\/resource\/index\.ts|domains\/[\w-]+\/[\w-]+\/(index|api|ui|web)\.ts|.*\.test-d\.tsx?)/

test('nothing is exported that nobody imports, and nothing of the product is there for its tests alone', () => {
  expect(deadExports().filter((one) => ORDERED.test(one))).toEqual([])
})

/** Appears on an order's page only, which loads the style sheet. */
const WITHIN_ORDERS = /^domains\/money\/checkout\/order-money\.panel\.tsx: order-/

test('a class of a style sheet is used only where that sheet is sure to be loaded', () => {
  expect(unstyledClasses().filter((one) => !WITHIN_ORDERS.test(one))).toEqual([])
})

/** Refusals whose sentence is put together from more than their parameters: of the fields that are invalid. */
const FROM_DATA = ['invalid']

/** Returns the parameters that a refusal's sentence names and its thrower does not give. */
function parametersMissing(file: string, source: string): string[] {
  return refusalsThrown(file, source).flatMap(({ at, code, given }) => {
    const words = refusalCatalogue().get(code)
    if (!words || FROM_DATA.includes(code)) return []
    const { zh, en } = words.none && !given.has(words.none.of) ? words.none : words
    const named = new Set([...`${zh} ${en}`.matchAll(/\{(\w+)(?:\|[^}]*)?\}/g)].map(([, name = '']) => name))
    return [...named].filter((name) => !given.has(name)).map((name) => `${at} ${code} without {${name}}`)
  })
}

test('a refusal is thrown with every parameter its sentence names', () => {
  const missing = files('{apps/server,domains,kit}/**/*.ts')
    .filter((file) => !/\.(test|test-d)\.ts$/.test(file) && read(file).includes('new Refused('))
    .flatMap((file) => parametersMissing(file, read(file)))
  expect(missing).toEqual([])

  const mistaken = `throw new Refused('not_found', { label })
    throw new Refused('not_found')
    throw new Refused('still_named', { name, to })
    throw new Refused('set_too_big', { most: 3 })`
  expect(parametersMissing('a.ts', mistaken)).toEqual([
    'a.ts:2 not_found without {label}',
    'a.ts:3 still_named without {by}',
    'a.ts:4 set_too_big without {max}',
  ])
})

test('every queue is declared once and handled by exactly one job, and no job handles another', () => {
  // An outbound call derives both ends of its queues, and names its sweep as other row jobs do.
  const declares = /\b(?:defineQueue|rowQueue)(?:<[^(]*>)?\(\s*'([^']+)'|\bsweep: \{\s*queue: '([^']+)'/g
  const declared = files('{apps,domains,kit}/**/*.ts')
    .filter((file) => !/\.(test|test-d|child)\.ts$/.test(file))
    .flatMap((file) => [...read(file).matchAll(declares)].map(([, queue, sweep]) => queue ?? sweep ?? ''))
  const derived = new Set(outboundCalls().flatMap(({ sendJob, checkJob }) => [sendJob.queue, checkJob?.queue]))
  const jobs = [...kitJobs, ...backgroundTaskJobs, ...productModules.flatMap((module) => module.jobs ?? [])]
  const handled = jobs.map(({ queue }) => queue).filter((queue) => !derived.has(queue))
  expect(declared.toSorted()).toEqual(handled.toSorted())
  expect(new Set(declared).size).toBe(declared.length)
  expect(declared.length).toBeGreaterThan(90)
})

test('every live topic is declared once, sent and listened to, and named after a resource that exists', () => {
  const sources = files(['{apps,domains,kit}/**/*.ts', '{apps,domains,kit}/**/*.tsx'])
    .filter((file) => !/\.(test|test-d)\.tsx?$/.test(file))
    .map((file) => [file, read(file)] as const)
  const named = sources.flatMap(([file, text]) =>
    [...text.matchAll(/\bchangedTopicOf\('(\w+)'\)/g)].map(([, name = '']) => `${file} ${name}`),
  )
  expect(named.filter((one) => !registry.served.has(one.split(' ')[1]!))).toEqual([])

  const declared = sources.flatMap(([, text]) =>
    [...text.matchAll(/const (\w+) = defineTopic(?:<[^(]*>)?\(\s*'([^']+)'/g)].map(([, key = '', name = '']) => ({
      key,
      name,
    })),
  )
  expect(new Set(declared.map(({ name }) => name)).size).toBe(declared.length)
  const used = (key: string, by: RegExp) =>
    sources.some(([, text]) => [...text.matchAll(by)].some((found) => found[1] === key))
  const unheard = declared.filter(
    ({ key }) => !used(key, /\b(?:useLiveEvents|useLiveRefetch|onLiveEvent|live\.on)\(\s*(\w+)/g),
  )
  expect(unheard).toEqual([])
  const unsent = declared.filter(({ key }) => !used(key, /(?:\.publish\(\s*|topic: )(\w+)/g))
  expect(unsent).toEqual([])
  expect(declared.length).toBeGreaterThan(10)
})

test('every package the product names as its own is imported somewhere', () => {
  const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> }
  // `node` is the runtime itself.
  const { node: _engine, ...packages } = dependencies
  const sources = files('{apps,domains,kit,scripts}/**/*.{ts,tsx,mjs}').map(read).join('\n')
  expect(Object.keys(packages).filter((name) => !new RegExp(`['"\`]${name}['"\`/]`).test(sources))).toEqual([])
})

test('a file is read by its key alone where the server kept or sealed the key; what somebody wrote is a link', () => {
  const BY_KEY: Record<string, string> = {
    'domains/devices/device-maintenance/program-file.ts': 'the address of a package is signed with its key',
    'domains/sales/point-of-sale/register-screenshot.server.ts': 'a ticket names a key the row never shows',
  }
  const reading = files('domains/**/*.ts')
    .filter((file) => !/\.test\.ts$|^domains\/platform\/files\//.test(file) && /\bfindFileByKey\b/.test(read(file)))
    .sort()
  expect(reading).toEqual(Object.keys(BY_KEY))
})

describe('the kit', () => {
  test('is arranged in layers that import downwards only, types included, without circles', () => {
    const imports = kitImports()
    expect(layerFaults(imports)).toEqual([])
    imports.get('kit/server/base/caller.ts')!.add('kit/server/database/db.ts')
    expect(layerFaults(imports)).toContain(
      'kit/server/base/caller.ts imports kit/server/database/db.ts, which is not below it',
    )
    expect(layerFaults(imports).some((one) => /caller\.ts → .+db\.ts.* → .+caller\.ts/.test(one))).toBe(true)
    const [besides] = layerFaults(new Map([['kit/server/attic/box.ts', new Set<string>()]]))
    expect(besides).toBe('server/attic has no layer')
  })

  /** Business terms that the kit must not contain. Names of icons and themes do not count. */
  const TRADE = new RegExp(
    '(?<![a-z])(shop|goods|sku|barcode|refund|member|vip|coupon|cashier|supplier|merchant|meituan|wechat|boss|clerk|' +
      'shelf|stock|customer|storage ?(batch|log)|shopping)s?(?![a-z])',
    'i',
  )
  const KNOWN: Record<string, RegExp> = {
    'kit/base/icon-names.ts': /./,
    'kit/fields/icon/icon.ts': /'shop'/,
    'kit/web/theme/themes.ts': /vip/i,
    'kit/resource/define-resource.ts': /export type RowOrigin =/,
  }
  const strip = (text: string) =>
    text.replace(/\/\*[\s\S]*?\*\//g, (all) => all.replace(/[^\n]/g, '')).replace(/(?<!:)\/\/.*$/gm, '')

  test('is tested with what the kit has, and no product file imports what is there for tests', () => {
    expect(kitTestsBeyond()).toEqual([])
    expect(productOnTests()).toEqual([])
  })

  test('knows no business word', () => {
    const found = files('kit/**/*.{ts,tsx}')
      .filter((file) => !/\.test|\.test-d/.test(file))
      .flatMap((file) =>
        strip(read(file))
          .split('\n')
          .flatMap((line, at) => {
            const plain = line.replace(/([a-z])([A-Z])/g, '$1 $2')
            return TRADE.test(plain) && !KNOWN[file]?.test(line) ? [`${file}:${at + 1} ${TRADE.exec(plain)![0]}`] : []
          }),
      )
    expect(found).toEqual([])
  })
})

describe('the OpenAPI document', () => {
  const document = buildOpenApiDocument(registry, routes, '1') as {
    paths: Record<
      string,
      Record<string, { operationId: string; parameters: { name: string; in: string }[]; summary: string }>
    >
    components: { schemas: object; responses: object }
  }

  test('is the same where it is made in parts', async () => {
    expect(JSON.parse(await buildOpenApiText(registry, routes, '1'))).toEqual(JSON.parse(JSON.stringify(document)))
  })

  test('says which keys of its dictionary a field takes, without those it may not have', () => {
    const dictionaries = new Map(
      productModules.flatMap(({ dictionaries: all = [] }) => all).map((one) => [one.code, one]),
    )
    const schemas = document.components.schemas as Record<string, { properties: Record<string, { enum?: unknown[] }> }>
    let checked = 0
    for (const { resource } of registry.served.values())
      for (const [key, field] of Object.entries(resource.fields as Record<string, Field>)) {
        const dictionary = dictionaries.get(field.dict ?? '')
        const written = schemas[`${resource.name}_write`]!.properties[key]
        if (!written || !dictionary || dictionary.biz || field.kind !== 'dict') continue
        const keys = dictionary.entries.map((one) => one.key).filter((one) => !field.without?.includes(one))
        expect([key, written.enum?.slice(0, keys.length).map(String)]).toEqual([key, keys])
        checked++
      }
    expect(checked).toBeGreaterThan(100)
  })

  test('describes every call once, under a name of its own', () => {
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path))
    expect(operations.length).toBe(routes.reduce((sum, one) => sum + (one.method === 'ANY' ? 2 : 1), 0))
    expect(new Set(operations.map((one) => one.operationId)).size).toBe(operations.length)
  })

  /** Open routes called by people's browsers and not by other systems. */
  const OF_BROWSERS = [
    /^\/api\/blade-(auth|user|system)\//,
    '/api/blade-resource/attach/download',
    '/api/blade-resource/oss/endpoint/file/*',
    '/api/kit/download/:ticket',
    '/api/shop/camera/hls/*',
    '/api/shop/camera/push/*',
    '/api/shop/camera/stream/*',
    '/api/shop/camera/talk/*',
    '/api/shop/registerScreenshot/picture',
  ]

  test('says what each call answers that a device, a broker, a platform or a maker makes', () => {
    const isOfBrowsers = (path: string) =>
      OF_BROWSERS.some((one) => (typeof one === 'string' ? one === path : one.test(path)))
    const ofMachines = routes.filter(
      ({ can, path }) => typeof can === 'object' && ('terminal' in can || ('open' in can && !isOfBrowsers(path))),
    )
    expect(ofMachines.length).toBeGreaterThan(20)
    expect(ofMachines.filter((one) => !one.answers && !one.answersAs).map(({ path }) => path)).toEqual([])
    const described = document.paths as unknown as Record<string, Record<string, { responses: Record<string, any> }>>
    const responses = (path: string, method: string) => described[path]![method]!.responses
    const dataOf = (path: string, method: string) =>
      responses(path, method)[200].content['application/json'].schema.properties.data
    expect(dataOf('/api/terminal/version', 'get').oneOf[0].required).toContain('versionCode')
    expect(Object.keys(responses('/api/pay/wechat/notify/{account}', 'post'))).toEqual(['204', '400'])
    expect(Object.keys(responses('/api/device/program', 'get')[200].content)).toEqual(['application/octet-stream'])
    expect(responses('/api/meituan/callback/{event}', 'post')[200].content['application/json'].schema.type).toBe(
      'object',
    )
  })

  test('refers to nothing that is not in it, and names what its paths hold', () => {
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(schemas|responses)\/(\w+)"/g)]
    expect(refs.filter(([, kind, name]) => !(name! in document.components[kind as 'schemas']))).toEqual([])
    for (const [path, operations] of Object.entries(document.paths)) {
      const held = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
      for (const one of Object.values(operations))
        expect([
          path,
          held.every((name) => one.parameters.some((parameter) => parameter.in === 'path' && parameter.name === name)),
        ]).toEqual([path, true])
    }
  })
})

describe('the documents', () => {
  test('list every place that looks beyond one tenant, each with its reason', () => {
    expect(crossings().filter((line) => line.includes('  ? '))).toEqual([])
    expect(read('docs/derived/across-tenants.txt').trim().split('\n')).toEqual(crossings())
  })

  test('list every kind of shared keys that begins with no tenant, each once and with its reason', () => {
    const kinds = keptForAllKinds()
    expect(kinds.filter((line) => line.includes('  ? '))).toEqual([])
    const names = kinds.map((line) => line.split('  ')[1]!.split(':')[0]!)
    expect(new Set(names).size).toBe(names.length)
    expect(read('docs/derived/kept-for-all.txt').trim().split('\n')).toEqual(kinds)
    // Types check the keys; a cast would hide a wrong one.
    const cast = files(['kit/server/**/*.ts', 'apps/server/src/**/*.ts', 'domains/**/*.ts'])
      .filter((file) => file !== 'kit/server/shared/keys.ts' && !file.endsWith('.test.ts'))
      .filter((file) => /\bas (unknown as )?SharedKey\b|<SharedKey>/.test(read(file)))
    expect(cast).toEqual([])
  })

  test('link to what exists', () => {
    const broken = files(['*.md', 'docs/**/*.md', 'domains/*/*/README.md']).flatMap((file) =>
      [...read(file).matchAll(/\]\(([^)\s]+)\)/g)]
        .map(([, link]) => link!)
        .filter(
          (link) =>
            !/^(https?:|mailto:|#)/.test(link) &&
            !existsSync(join(root, dirname(file), decodeURI(link.split('#')[0]!))),
        )
        .map((link) => `${file}: ${link}`),
    )
    expect(broken).toEqual([])
  })

  test('name files that exist', () => {
    const named = files(['*.md', 'docs/*.md', 'docs/recipes/*.md', 'docs/decisions/*.md']).flatMap((file) =>
      [
        ...read(file).matchAll(
          /`((?:kit|apps|docs|scripts|migrations|simulators|bench|tests)\/[\w./-]+\.(?:ts|tsx|md|sql|mjs|json|txt))`/g,
        ),
      ].map(([, path]) => [file, path!] as const),
    )
    // Recipes refer to files their reader is about to create.
    const made = new Set(RECIPES.flatMap(stepsOf).flatMap((step) => ('file' in step && !step.place ? [step.file] : [])))
    const missing = named.filter(([, path]) => !existsSync(join(root, path)) && !made.has(path))
    expect(missing.map(([file, path]) => `${file}: ${path}`)).toEqual([])
  })
})

describe('a decision', () => {
  const AREAS = new Set(
    (
      'db http resource lists jobs live web devices platforms shops orders money stock customers marketing workflow ' +
      'video ai incidents identity docs build test'
    ).split(' '),
  )

  test.each(files(['docs/decisions/[0-9]*.md']))('%s says its title, status, date and area', (file) => {
    const [title = '', blank, status = '', date = '', area = ''] = read(file).split('\n')
    expect(title).toMatch(/^# \d{4} [A-Z].{10,90}$/)
    expect([blank, title.slice(2, 6)]).toEqual(['', basename(file).slice(0, 4)])
    expect(status).toMatch(/^- Status: (?:proposed|accepted|withdrawn|superseded by \d{4})/)
    expect(date).toMatch(/^- Date: \d{4}-\d\d-\d\d$/)
    expect(AREAS).toContain(area.replace('- Area: ', ''))
  })

  test('stands in the index, each once', () => {
    const index = read('docs/decisions/README.md')
    const missing = files(['docs/decisions/[0-9]*.md']).filter(
      (file) => index.split(`](${basename(file)})`).length !== 2,
    )
    expect(missing).toEqual([])
  })
})

test('a commit says one thing in a subject of at most 72 characters', () => {
  // The first commit the rule applies to. A tree without its history is not checked.
  const since = 'bb66dd63'
  const { status, stdout } = spawnSync('git', ['log', '--format=%s', `${since}..HEAD`], { cwd: root, encoding: 'utf8' })
  const long = status === 0 ? stdout.split('\n').filter((subject) => subject.length > 72 || subject.includes(';')) : []
  expect(long).toEqual([])
})

describe('the README of a module', () => {
  const HEADINGS = ['Resources', 'Interface', 'Uses', 'Traps']
  test.for(productModules.map((module) => [module.name, module] as const))(
    '%s keeps to one page of the same headings and names its own resources',
    ([name, module]) => {
      const text = read(`domains/${name}/README.md`)
      expect(text.split('\n').length - 1).toBeLessThanOrEqual(40)
      expect([...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading)).toEqual([name.split('/')[1], ...HEADINGS])
      const resources = /^## Resources\n([^]*?)^## /m.exec(text)![1]!
      const named = [...resources.matchAll(/^- `(\w+)`/gm)].map(([, resource]) => resource)
      const declared = (module.resources ?? []).map(({ resource }) => resource.name)
      expect(named.filter((resource) => !declared.includes(resource!))).toEqual([])
      expect(named.length).toBe(new Set(named).size)
    },
  )
})

describe('connections to the database', () => {
  test('are opened in one place, where each has a listener: the loss of none ends the process', () => {
    const isOpening = (text: string) =>
      text.includes("from 'pg'") && /new (?:pg\.)?(?:Pool|Client)\(|extends pg\.(?:Pool|Client)\b/.test(text)
    const sources = files('{kit,domains,apps,simulators,scripts,bench}/**/*.ts')
    const opened = sources.filter((file) => !file.endsWith('.test.ts') && isOpening(read(file)))
    // External databases are opened for one query, each with its own error listener.
    expect(opened).toEqual(['domains/platform/code-generator/source.client.ts', 'kit/server/database/connections.ts'])
  })
})
