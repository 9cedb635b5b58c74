import { describe, expect, test } from 'vitest'
import { defineResource, f, type Field, type MenuPlace } from '../../resource/index.ts'
import { createModuleRegistry } from './mount.ts'
import { defineModule, defineRoute, serve, type ModuleDefinition } from '../module/module.ts'

const words = (text: string) => ({ zh: text, en: text })
const resource = (name: string, fields: Record<string, Field>, more: { menu?: MenuPlace; sort?: string } = {}) =>
  defineResource({
    name,
    path: `/api/t/${name}`,
    label: words(name),
    tenancy: 'tenant',
    menu: more.menu,
    fields: { title: f.text({ label: words('title') }), ...fields },
    list: { columns: ['title'], sort: more.sort as never },
  })
const start = (one: ReturnType<typeof resource>, more: Partial<ModuleDefinition> = {}) =>
  createModuleRegistry([defineModule({ name: 'yard', label: words('yard'), resources: [serve(one)], ...more })])
const label = words('word')

describe('a declaration that names what nobody declares stops the start, and says who names what:', () => {
  test('a dictionary', () => {
    expect(() => start(resource('tree', { bark: f.dict('bark_kind', { label }) }))).toThrow(
      'tree.bark chooses from the dictionary "bark_kind", which no module declares in its dictionaries',
    )
    expect(() =>
      start(resource('tree', { bark: f.dict('bark_kind', { label }) }), {
        dictionaries: [{ code: 'bark_kind', label, entries: [] }],
      }),
    ).not.toThrow()
  })

  test('a default that is no entry of its dictionary', () => {
    const kind = (preset: string) => resource('tree', { bark: f.dict('bark_kind', { label, default: preset }) })
    const dictionaries = [{ code: 'bark_kind', label, entries: [{ key: 'rough', zh: '粗', en: 'Rough' }] }]
    expect(() => start(kind('ruogh'), { dictionaries })).toThrow(
      'tree.bark has the default "ruogh", which is no entry of the dictionary "bark_kind"',
    )
    expect(() => start(kind('rough'), { dictionaries })).not.toThrow()
  })

  test('a resource a field points to, by itself or among several', () => {
    expect(() => start(resource('tree', { gardenId: f.ref('gardne', { label }) }))).toThrow(
      'tree.gardenId points to the resource "gardne", which no module serves',
    )
    expect(() =>
      start(resource('tree', { refId: f.ref('', { label, by: 'title', resourceByValue: { a: 'tree', b: 'shrub' } }) })),
    ).toThrow('tree.refId points to the resource "shrub", which no module serves')
  })

  test('a menu it stands under, in a resource and in a module', () => {
    expect(() => start(resource('tree', {}, { menu: { under: 'wood', path: '/wood/tree' } }))).toThrow(
      'tree stands in the menu under "wood", which no module declares in its menus',
    )
    const menus = [{ code: 'grove', label, path: '/grove', icon: 'table' as const, sort: 1, under: 'wood' }]
    expect(() => start(resource('tree', {}), { menus })).toThrow(
      'menu grove of yard stands under "wood", which no module declares',
    )
  })

  test('a field it goes by, here or in the resource it points to, or is sorted by', () => {
    expect(() => start(resource('tree', { twinId: f.ref('tree', { label, same: 'gardenId' }) }))).toThrow(
      'tree.twinId goes by "gardenId", which is no field of tree',
    )
    expect(() => start(resource('tree', {}, { sort: '-height' }))).toThrow(
      'tree is sorted by "height", which is no field of it',
    )
  })

  test('a kind of field', () => {
    expect(() => start(resource('tree', { age: { kind: 'rings', label } }))).toThrow(
      'tree.age is of the kind "rings", which kit/fields/kinds.ts does not list',
    )
  })

  test('in the arguments of an action or a route', () => {
    const fell = {
      ...resource('tree', {}),
      actions: { fell: { on: 'row', label, input: { why: f.dict('why', { label }) } } },
    } as unknown as ReturnType<typeof resource>
    expect(() => start(fell)).toThrow('tree, action fell: why chooses from the dictionary "why"')
    const routes = [
      defineRoute({
        method: 'GET',
        path: '/api/t/walk',
        title: label,
        can: 'tree',
        input: { to: f.ref('gate', { label }) },
        handle: async () => ({}),
      }),
    ]
    expect(() => start(resource('tree', {}), { routes })).toThrow('GET /api/t/walk: to points to the resource "gate"')
  })

  test('a resource whose rows wait for somebody', () => {
    const todos = [
      { key: 'dry', label, resource: 'bush', query: () => ({}), icon: 'table' as const, tone: 'warn' as const },
    ]
    expect(() => start(resource('tree', {}), { todos })).toThrow(
      'to-do dry of yard counts the resource "bush", which no module serves',
    )
  })

  test('all of it at once, so that nobody starts ten times', () => {
    const two = resource('tree', { a: f.dict('one', { label }), b: f.dict('two', { label }) })
    expect(() => start(two)).toThrow(/tree\.a chooses.*\n.*tree\.b chooses/)
  })
})
