import { expect, test } from 'vitest'
import { menusForRoles, normalizeMenus, searchMenuPages } from './menus.ts'

test('a childless root gets /index, others keep their path', () => {
  const menus = normalizeMenus([
    { id: 1, name: '工作台', path: '/desk' } as never,
    { id: '2', name: '系统', path: '/system', children: [{ id: '3', name: '用户', path: '/system/user' }] },
    { id: '4', name: '文档', path: 'https://docs.test', isOpen: 2 },
  ])
  expect(menus.map((menu) => menu.path)).toEqual(['/desk/index', '/system', 'https://docs.test'])
  expect(menus[1]?.children[0]).toMatchObject({ path: '/system/user', children: [], icon: '' })
})

test('only an external address with isOpen 2 opens a window of its own', () => {
  const open = (path: string, isOpen: number) => normalizeMenus([{ name: 'x', path, isOpen }])[0]?.external
  expect(open('https://a.test', 2)).toBe(true)
  expect(open('https://a.test', 1)).toBe(false)
  expect(open('/a', 2)).toBe(false)
})

test('a menu without name or path is left out and breaks nothing', () => {
  expect(normalizeMenus([{ path: '/a' }, { name: 'b' }, { name: 'c', path: '/c' }]).map((menu) => menu.name)).toEqual([
    'c',
  ])
  expect(normalizeMenus(undefined)).toEqual([])
})

test('menus of other roles and hidden ones are not shown', () => {
  const menus = normalizeMenus([
    { name: 'all', path: '/a' },
    { name: 'admin', path: '/b', meta: { roles: ['admin'] } },
    { name: 'hidden', path: '/c', meta: { menu: false } },
  ])
  expect(menusForRoles(menus, ['clerk']).map((menu) => menu.name)).toEqual(['all'])
  expect(menusForRoles(menus, ['admin']).map((menu) => menu.name)).toEqual(['all', 'admin'])
})

test('search finds by the beginning of the name, whatever the case, and only pages', () => {
  const menus = normalizeMenus([
    {
      name: 'Orders',
      path: '/o',
      children: [
        { name: 'Order list', path: '/o/list' },
        { name: 'Reorder', path: '/o/re' },
      ],
    },
  ])
  expect(searchMenuPages(menus, 'ORD').map(({ menu }) => menu.path)).toEqual(['/o/list'])
  expect(searchMenuPages(menus, 'order list')[0]?.trail).toEqual(['Orders', 'Order list'])
  expect(searchMenuPages(menus, 'zzz')).toEqual([])
})
