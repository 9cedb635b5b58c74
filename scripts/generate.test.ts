import { describe, expect, test } from 'vitest'
import { createRandom } from '#kit/server/base/random.ts'
import { defineDict, defineResource, f, type Resource } from '#kit/resource/index.ts'
import {
  createResourceDesign,
  generateResources,
  collectDownloadFiles,
} from '#domains/platform/code-generator/design.ts'
import { createModelColumn, type ModelColumn } from '#domains/platform/code-generator/part.ts'
import { takeIn, type Tree } from './generate-steps.ts'
import { mergeDeclaration } from './merge-declaration.ts'

const model = { modelCode: 'goods_shelf', modelName: '货架', modelNameEn: 'Shelf' }
const table: ModelColumn[] = [
  {
    jdbcName: 'shop_id',
    labelZh: '门店',
    labelEn: 'Shop',
    fieldKind: 'ref' as const,
    refTo: 'basicShopInfo',
    isRequired: 1,
  },
  { jdbcName: 'shelf_no', labelZh: '货架号', labelEn: 'Shelf no.', columnLength: 20, isRequired: 1, isQuery: 1 },
  { jdbcName: 'layers', labelZh: '层数', labelEn: 'Layers', fieldKind: 'number' as const, jdbcType: 'int' },
  { jdbcName: 'price', labelZh: '价格', labelEn: 'Price', fieldKind: 'money' as const, columnScale: 2 },
  { jdbcName: 'is_open', labelZh: '开放', labelEn: 'Open', fieldKind: 'boolean' as const, defaultValue: 'true' },
  {
    jdbcName: 'temper',
    labelZh: '温层',
    labelEn: 'Temperature',
    fieldKind: 'dict' as const,
    options: [
      { key: 'warm', zh: '常温', en: 'Ambient' },
      { key: 'cold', zh: '冷藏', en: 'Chilled' },
    ],
  },
  { jdbcName: 'opened', labelZh: '启用日', labelEn: 'Opened', fieldKind: 'date' as const },
  { jdbcName: 'phone', labelZh: '电话', labelEn: 'Phone', fieldKind: 'phone' as const },
  { jdbcName: 'note', labelZh: '说明', labelEn: 'Note', fieldKind: 'longText' as const, columnLength: 800, isList: 0 },
  { jdbcName: 'place', labelZh: '位置', labelEn: 'Place', columnLength: 100 },
].map(createModelColumn)

const parcel = (parts: readonly ModelColumn[], code = {}) =>
  collectDownloadFiles(generateResources([createResourceDesign({ serviceName: 'goods', ...code }, { model, parts })]))
const FILE = 'domains/catalogue/products/goods-shelf.resource.ts'
const textOf = (parts: readonly ModelColumn[]): string => parcel(parts).find(({ path }) => path === FILE)!.text

/** Evaluates a generated file and returns the resource it declares. */
function evaluated(text: string): Resource<any, any> {
  const body = text.replace(/^import .*$/gm, '').replace(/^export const (\w+) =/gm, 'exports.$1 =')
  const exports: Record<string, unknown> = {}
  // oxlint-disable-next-line typescript/no-implied-eval
  new Function('exports', 'defineResource', 'defineDict', 'f', body)(exports, defineResource, defineDict, f)
  return exports.goodsShelf as Resource<any, any>
}

function treeOf(files: Record<string, string>): Tree & { files: Record<string, string> } {
  return { files, read: (path) => files[path], write: (path, text) => void (files[path] = text) }
}
const DOORS = {
  'domains/catalogue/products/server.ts':
    "import { defineModule } from '#kit/server/module/module.ts'\nimport { one } from './one.ts'\n\n" +
    'export default defineModule({\n' +
    "  name: 'catalogue/products',\n  label: { zh: '商品', en: 'Goods' },\n  resources: [one],\n})\n",
  'domains/catalogue/products/index.ts': "export { one } from './one.ts'\n",
  'domains/catalogue/products/web.ts':
    "import type { ModulePages } from '#kit/web/base/module-pages.ts'\n\nexport default {\n" +
    "  pages: { '/a': () => import('./a.page.tsx') },\n" +
    '} satisfies ModulePages\n',
}

/** Twenty edits of generated code: the text and its replacement. */
const TWENTY: readonly [string, string][] = [
  ['max: 20', "max: 16, help: { zh: '看铭牌', en: 'See its plate' }"],
  ["zh: '层数'", "zh: '隔板数'"],
  ["en: 'Layers'", "en: 'Boards'"],
  ["{ zh: '价格', en: 'Price' }", "{ zh: '租金', en: 'Rent' }, min: 0"],
  ["f.phone({ label: { zh: '电话', en: 'Phone' }", "f.text({ label: { zh: '电话', en: 'Phone' }, max: 30"],
  ["zh: '启用日', en: 'Opened' }", "zh: '启用日', en: 'Opened' }, group: { zh: '时间', en: 'Times' }"],
  ['default: true', 'default: false'],
  ['rows: 4', 'rows: 8'],
  ['max: 800', 'max: 4000'],
  ["f.ref('basicShopInfo', {", "f.ref('basicShopInfo', { onRemoval: 'keep',"],
  ["en: 'Place' }", "en: 'Where it stands' }"],
  ['max: 100', 'max: 120, wide: true'],
  ["zh: '位置'", "zh: '所在位置'"],
  ["tenancy: 'tenant',", "tenancy: 'tenant',\n  code: 'shelves',\n  titleCode: 'place',"],
  ["title: 'shelfNo'", "title: 'place'"],
  ["label: { zh: '货架', en: 'Shelf' }", "label: { zh: '展示架', en: 'Stand' }"],
  ['sort: 90', 'sort: 12'],
  ["'createTime']", "'createTime'], sort: 'shelfNo', inline: ['layers']"],
  ["f.dict('goods_shelf_temper', {", "f.dict('goods_shelf_temper', { help: { zh: '选一个', en: 'Choose one' },"],
  [
    '  list: {',
    "  // Emptied by hand.\n  actions: { empty: { on: 'row', label: { zh: '清空', en: 'Empty' }, " +
      'enabled: { layers: { ne: 0 } } } },\n  list: {',
  ],
]

const edited = (text: string): string =>
  TWENTY.reduce((now, [from, to]) => {
    expect(now, from).toContain(from)
    return now.replace(from, to)
  }, text)

/** The table after some weeks of changes. */
const later: ModelColumn[] = table
  .filter(({ jdbcName }) => jdbcName !== 'opened' && jdbcName !== 'is_open')
  .map((part) =>
    part.jdbcName === 'shelf_no'
      ? { ...part, columnLength: 40 }
      : part.jdbcName === 'place'
        ? { ...part, isRequired: 1 }
        : part.jdbcName === 'temper'
          ? { ...part, options: [...part.options, { key: 'frozen', zh: '冷冻', en: 'Frozen' }] }
          : part,
  )
  .flatMap((part) =>
    part.jdbcName === 'layers'
      ? [
          part,
          createModelColumn({
            jdbcName: 'width_cm',
            labelZh: '宽',
            labelEn: 'Width',
            fieldKind: 'number',
            columnScale: 1,
          }),
        ]
      : [part],
  )

describe('a generated resource', () => {
  test('stands in its module’s entry files once, and a second time changes nothing', () => {
    const tree = treeOf({ ...DOORS })
    const first = takeIn(tree, parcel(table))
    expect(first.told).toEqual([])
    expect(tree.files['domains/catalogue/products/server.ts']).toContain('resources: [one, serve(goodsShelf)]')
    expect(tree.files['domains/catalogue/products/server.ts']).toContain('import { defineModule, serve } from')
    expect(tree.files['domains/catalogue/products/server.ts']).toContain('dictionaries: [goodsShelfTemper]')
    expect(tree.files['domains/catalogue/products/index.ts']).toContain(
      "export { goodsShelf } from './goods-shelf.resource.ts'",
    )
    expect(tree.files['domains/catalogue/products/web.ts']).toContain("import('./goods-shelf.resource.ts')")
    expect(tree.files['domains/catalogue/products/web.ts']).toContain("import('./a.page.tsx')")
    expect(takeIn(tree, parcel(table))).toEqual({ written: [], told: [] })
  })

  test('makes its module where there is none, and takes page and rules on later without writing over them', () => {
    const tree = treeOf({
      'apps/server/src/modules.ts':
        "import goods from '#domains/catalogue/products/server.ts'\nexport const modules = [\n  goods,\n]\n",
    })
    takeIn(tree, parcel(table, { serviceName: 'racks' }))
    expect(tree.files['apps/server/src/modules.ts']).toContain("import racks from '#domains/own/racks/server.ts'")
    expect(tree.files['apps/server/src/modules.ts']).toMatch(/goods,\s+racks,\s+\]/)
    expect(tree.files['domains/own/racks/server.ts']).toContain("menus: [{ code: 'racks'")
    const more = { serviceName: 'racks', withPage: true, withServer: true }
    takeIn(tree, parcel(table, more))
    expect(tree.files['domains/own/racks/server.ts']).toContain('resources: [goodsShelfServer]')
    expect(tree.files['domains/own/racks/server.ts']).not.toContain('serve(goodsShelf)')
    expect(tree.files['domains/own/racks/web.ts']).toContain("import('./goods-shelf.page.tsx')")
    expect(tree.files['domains/own/racks/web.ts']).not.toContain('goods-shelf.resource')
    tree.files['domains/own/racks/goods-shelf.server.ts'] += '// mine\n'
    takeIn(tree, parcel(later, more))
    expect(tree.files['domains/own/racks/goods-shelf.server.ts']).toContain('// mine')
  })

  test.each([
    '../../etc/passwd',
    'domains/catalogue/products/../../package.json',
    '/etc/passwd',
    'package.json',
    'scripts/x.test.ts',
  ])('goes to no other place than a module: %s', (path) => {
    const files = [...parcel(table), { path, text: 'x' }]
    expect(() => takeIn(treeOf({ ...DOORS }), files)).toThrow('no place')
  })

  test('edited in twenty places and made again from a changed table keeps every edit and takes the changes', () => {
    const tree = treeOf({ ...DOORS })
    takeIn(tree, parcel(table))
    tree.files[FILE] = edited(tree.files[FILE]!)
    const { told } = takeIn(tree, parcel(later))
    const text = tree.files[FILE]
    for (const [, to] of TWENTY.filter(([from]) => from !== 'default: true')) expect(text).toContain(to)
    const resource = evaluated(text)
    // Changed by the table only.
    expect(resource.fields).not.toHaveProperty('missing')
    expect(resource.fields.widthCm).toMatchObject({ kind: 'number', decimals: 1 })
    expect(resource.fields.place).toMatchObject({ required: true, max: 120, wide: true })
    expect(Object.keys(resource.fields)).toEqual([
      'shopId',
      'shelfNo',
      'layers',
      'widthCm',
      'price',
      'isOpen',
      'temper',
      'opened',
      'phone',
      'note',
      'place',
    ])
    expect(told.map((line) => line.replace(`${FILE} `, ''))).toEqual(
      expect.arrayContaining([
        'fields.shelfNo.max: yours 16, the table says 40; yours stays',
        'fields.opened: gone from the table, and changed by you; it stays',
        'fields.isOpen: gone from the table, and changed by you; it stays',
      ]),
    )
    expect(tree.files['domains/catalogue/products/goods-shelf.dictionaries.ts']).toContain("key: 'frozen'")
    expect(takeIn(tree, parcel(later)).written).toEqual([])
  })

  test('keeps a field that the table lost while something a person wrote still names it, and says so', () => {
    const mine = textOf(table).replace('  list: {', "  unique: [['place']],\n  list: {")
    const { text, told } = mergeDeclaration(
      mine,
      textOf(table),
      textOf(table.filter(({ jdbcName }) => jdbcName !== 'place')),
    )
    expect(evaluated(text).fields.place).toMatchObject({ max: 100 })
    expect(told).toEqual(['fields.place: gone from the table, and still named by what you wrote; it stays'])
  })

  test('keeps a field that a person’s page, rules or measures name, by whatever name they have for it', () => {
    const tree = treeOf({ ...DOORS })
    const more = { withPage: true, withServer: true }
    takeIn(tree, parcel(table, more))
    const append = (path: string, text: string) =>
      (tree.files[`domains/catalogue/products/goods-shelf.${path}`] += text)
    append('page.tsx', '\nexport const cells = { place: () => null }\n')
    append('server.ts', '\nexport const isCalled = (row: { phone: string }) => row.phone !== ""\n')
    tree.files[FILE] = tree.files[FILE]!.replace(
      '  list: {',
      "  measures: { open: { label: { zh: '开放', en: 'Open' }, where: { isOpen_in: 'true' } } },\n  list: {",
    )
    const lost = new Set(['place', 'phone', 'is_open', 'price', 'opened'])
    const { told } = takeIn(
      tree,
      parcel(
        table.filter(({ jdbcName }) => !lost.has(jdbcName)),
        more,
      ),
    )
    const { fields } = evaluated(tree.files[FILE])
    expect(fields).toMatchObject({ place: { max: 100 }, phone: { kind: 'phone' }, isOpen: { default: true } })
    expect([fields.price, fields.opened]).toEqual([undefined, undefined])
    const stays = (key: string) =>
      `${FILE} fields.${key}: gone from the table, and still named by what you wrote; it stays`
    expect(told).toEqual(['isOpen', 'phone', 'place'].map(stays))
  })

  test('says once that a dictionary stays whose field is gone, and takes none out that others may read', () => {
    const warm = table.filter(({ jdbcName }) => jdbcName !== 'temper')
    const tree = treeOf({ ...DOORS })
    takeIn(tree, parcel(table))
    const { told } = takeIn(tree, parcel(warm))
    expect(evaluated(tree.files[FILE]!).fields).not.toHaveProperty('temper')
    expect(told).toEqual([
      'domains/catalogue/products/goods-shelf.dictionaries.ts goodsShelfTemper: gone from the table; it stays ' +
        'until you take it out',
    ])
    expect(tree.files['domains/catalogue/products/goods-shelf.dictionaries.ts']).toContain("key: 'cold'")
    expect(tree.files['domains/catalogue/products/server.ts']).toContain('dictionaries: [goodsShelfTemper]')
    expect(takeIn(tree, parcel(warm))).toEqual({ written: [], told: [] })
    // The column comes back: nothing is declared twice.
    takeIn(tree, parcel(table))
    expect(tree.files['domains/catalogue/products/goods-shelf.dictionaries.ts']!.match(/export const/g)).toHaveLength(1)
    expect(tree.files['domains/catalogue/products/server.ts']!.match(/goodsShelfTemper/g)).toHaveLength(2)
  })

  test('without what was generated before only takes in what is new', () => {
    const { text } = mergeDeclaration(edited(textOf(table)), undefined, textOf(later))
    for (const [, to] of TWENTY) expect(text).toContain(to)
    expect(evaluated(text).fields).toHaveProperty('widthCm')
  })
})

type Random = ReturnType<typeof createRandom>
type Witness = (resource: Resource<any, any>, text: string) => boolean
/** Returns the position of a field in a file. */
function fieldAt(text: string, key: string): [number, number] {
  const at = text.indexOf(`\n    ${key}: f.`)
  const rest = /\n(?: {4}\w+: f\.| {2}\},)/.exec(text.slice(at + 1))!
  return [at, at + 1 + rest.index]
}
function inField(text: string, key: string, change: (field: string) => string): string {
  const [from, to] = fieldAt(text, key)
  return text.slice(0, from) + change(text.slice(from, to)) + text.slice(to)
}

/** Makes a random edit as a person would. Returns a check that it is still there. */
function edit(text: string, random: Random, n: number): [string, Witness] {
  const keys = [...text.matchAll(/\n {4}(\w+): f\./g)].map(([, key]) => key!)
  const key = random.pick(keys)
  const word = `own${n}`
  const bilingual = (part: string) => `, ${part}: { zh: '${word}', en: '${word}' }`
  const kinds: (() => [string, Witness])[] = [
    () => [
      inField(text, key, (field) => field.replace(/(label: \{[^}]*\})/, `$1${bilingual(`help`)}`)),
      (resource) => resource.fields[key]?.help?.en === word,
    ],
    () => [
      inField(text, key, (field) => field.replace(/en: '[^']*'/, `en: '${word}'`)),
      (resource) => resource.fields[key]?.label.en === word,
    ],
    () => [
      inField(text, key, (field) => field.replace(/zh: '[^']*'/, `zh: '${word}'`)),
      (resource) => resource.fields[key]?.label.zh === word,
    ],
    () => [
      inField(text, key, (field) => field.replace(/(\n {4}\w+: )/, `\n    // ${word}$1`)),
      (_resource, now) => now.includes(`// ${word}\n`),
    ],
    () => [
      text.replace('\n  fields: {', `\n  fields: {\n    ${word}: f.text({ label: { zh: '自己的', en: 'Own' } }),`),
      (resource) => word in resource.fields,
    ],
    () => [
      inField(text, key, (field) => field.replace(/f\.\w+\((?:'\w+', )?\{/, `f.tags({ width: ${n + 100},`)),
      (resource) => resource.fields[key]?.kind === 'tags' && resource.fields[key].width === n + 100,
    ],
    () => [
      inField(text, key, (field) => field.replace(/max: \d+/, `max: ${n + 1000}`)),
      (resource) => resource.fields[key]?.max === n + 1000,
    ],
    () => [
      /permissions/.test(text)
        ? text
        : text.replace(/\n {2}title: /, `\n  permissions: { ${word}: { zh: '权限', en: 'Right' } },\n  title: `),
      (resource) => word in resource.permissions,
    ],
    () => [
      text.replace(/sort: \d+ \}/, `sort: ${n} }`),
      (resource) => (resource.menu ? resource.menu.sort === n : false),
    ],
  ]

  return random.pick(kinds)()
}

/** Changes the table at random. */
function changed(parts: readonly ModelColumn[], random: Random, n: number): ModelColumn[] {
  const next = parts.map((part) => ({ ...part }))
  const at = Math.floor(random.next() * next.length)
  const part = next[at]!
  const edits: (() => unknown)[] = [
    () => next.splice(at, 1),
    () => next.splice(at, 0, createModelColumn({ jdbcName: `more_${n}`, labelZh: `更多${n}`, labelEn: `More ${n}` })),
    () => Object.assign(part, { columnLength: 10 + n }),
    () => Object.assign(part, { isRequired: 1 - Number(part.isRequired) }),
    () => Object.assign(part, { labelZh: `改名${n}` }),
    () => Object.assign(part, { isList: 1 - Number(part.isList) }),
    () => Object.assign(part, { fieldKind: 'number', jdbcType: 'int', defaultValue: '' }),
    () => next.push(...next.splice(at, 1)),
  ]
  random.pick(edits)()
  return next
}

describe('two hundred random edits of people against random changes of the table', () => {
  test('lose none, leave a resource that holds together, take what is new, and merge to the same again', () => {
    for (let run = 0; run < 200; run++) {
      const random = createRandom(run + 1)
      const base = textOf(table)
      let mine = base
      const witnesses: [string, Witness][] = []
      for (let n = 0; n < 1 + (run % 4); n++) {
        const [text, witness] = edit(mine, random, run * 10 + n)
        if (text === mine) continue
        witnesses.push([`${run}/${n}`, witness])
        mine = text
        // A later edit may overwrite an earlier one: only edits that still show are checked.
        for (let one = witnesses.length - 1; one >= 0; one--)
          if (!witnesses[one]![1](evaluated(mine), mine)) witnesses.splice(one, 1)
      }
      let parts: ModelColumn[] = table
      for (let n = 0; n < 1 + (run % 3); n++) parts = changed(parts, random, run * 10 + n)
      const now = textOf(parts)
      const { text } = mergeDeclaration(mine, base, now)
      const resource = evaluated(text)
      for (const [name, witness] of witnesses) expect([name, witness(resource, text)]).toEqual([name, true])
      const known = new Set([...Object.keys(resource.fields), 'createTime'])
      expect(
        resource.list.columns.filter((key) => !known.has(key)),
        text,
      ).toEqual([])
      expect(known.has(resource.title), text).toBe(true)
      const before = evaluated(base).fields
      const added = Object.keys(evaluated(now).fields).filter((key) => !(key in before))
      expect(Object.keys(resource.fields)).toEqual(expect.arrayContaining(added))
      expect(mergeDeclaration(text, now, now).text).toBe(text)
    }
  })
})
