import type { LocalizedText } from '#kit/base/localized-text.ts'
import type { Resource } from '#kit/resource/define-resource.ts'
import { pageEntries } from '../modules.ts'

type Entry = { code: string; name: LocalizedText; path: string; icon: string; isOpen?: number; children?: Entry[] }

const groups: Record<string, { name: LocalizedText; icon: string }> = {
  shop: { name: { zh: '门店管理', en: 'Stores' }, icon: 'shop' },
  shops: { name: { zh: '门店管理', en: 'Stores' }, icon: 'shop' },
  goods: { name: { zh: '商品管理', en: 'Goods' }, icon: 'shopping' },
  order: { name: { zh: '订单管理', en: 'Orders' }, icon: 'reconciliation' },
  orders: { name: { zh: '订单管理', en: 'Orders' }, icon: 'reconciliation' },
  stock: { name: { zh: '库存管理', en: 'Stock' }, icon: 'inbox' },
  device: { name: { zh: '设备管理', en: 'Devices' }, icon: 'hdd' },
  log: { name: { zh: '日志管理', en: 'Logs' }, icon: 'profile' },
  member: { name: { zh: '会员管理', en: 'Members' }, icon: 'crown' },
  members: { name: { zh: '会员管理', en: 'Members' }, icon: 'crown' },
  desk: { name: { zh: '工作台', en: 'Workspace' }, icon: 'desktop' },
  monitor: { name: { zh: '系统监控', en: 'Monitoring' }, icon: 'monitor' },
  resource: { name: { zh: '资源管理', en: 'Integrations & storage' }, icon: 'cloud-server' },
  base: { name: { zh: '基础资料', en: 'Master data' }, icon: 'build' },
  authority: { name: { zh: '权限管理', en: 'Authority' }, icon: 'safety-certificate' },
  system: { name: { zh: '系统管理', en: 'System' }, icon: 'setting' },
}

const outside: Entry = {
  code: 'help',
  name: { zh: '帮助', en: 'Help' },
  path: '/help',
  icon: 'question-circle',
  children: [
    { code: 'antd', name: { zh: '组件文档', en: 'Components' }, path: 'https://ant.design', icon: 'book', isOpen: 2 },
    {
      code: 'status',
      name: { zh: '运行状态', en: 'Service state' },
      path: `${location.origin}/404`,
      icon: 'dashboard',
      isOpen: 1,
    },
  ],
}

/** Builds a menu tree of all pages of the modules; also returns the resources it was made from. */
async function gather() {
  const resources: Resource[] = []
  const branches = new Map<string, Entry>()
  const addTo = (under: string, leaf: Entry) => {
    const branch = branches.get(under) ?? emptyBranch(under)
    branches.set(under, branch)
    branch.children?.push(leaf)
  }
  for (const entry of pageEntries.values()) {
    if (!('resource' in entry)) continue
    const { resource } = (await entry.resource()) as { resource: Resource }
    resources.push(resource)
    const place = resource.menu || undefined
    const leaf = { code: resource.code, name: resource.label, path: entry.path, icon: place?.icon ?? '' }
    addTo(place?.under ?? groupOf(entry.path), leaf)
  }
  for (const entry of pageEntries.values()) {
    if (!('page' in entry) || !hasMenuEntry(entry.path)) continue
    const name = entry.path.split('/').pop() ?? ''
    addTo(groupOf(entry.path), { code: name, name: { zh: name, en: name }, path: entry.path, icon: '' })
  }
  return { resources, tree: [...branches.values(), outside] }
}

const groupOf = (path: string): string => path.split('/')[1] ?? 'system'

/** Returns whether a page appears in the menu; pages of one row and subordinate pages do not. */
const hasMenuEntry = (path: string): boolean => !/[:*]/.test(path) && !/^\/(info|logs|wel|test|dict-)/.test(path)

function emptyBranch(under: string): Entry {
  const { name, icon } = groups[under] ?? { name: { zh: under, en: under }, icon: 'appstore' }
  return { code: under, name, path: `/${under}`, icon, children: [] }
}

export const mockMenusPromise = gather()

function wire(entry: Entry, en: boolean): Record<string, unknown> {
  const children = entry.children?.map((child) => wire(child, en))
  return {
    id: `m-${entry.code}-${entry.path}`,
    code: entry.code,
    name: en ? entry.name.en : entry.name.zh,
    path: entry.path,
    source: entry.icon,
    isOpen: entry.isOpen ?? 1,
    category: 1,
    ...(children && { children }),
  }
}

/** Returns the menus as the server sends them, only a part of them for a top menu. */
export async function buildMockMenus(en: boolean, topMenuId: string) {
  const { tree } = await mockMenusPromise
  const system = new Set(['system', 'authority', 'base', 'monitor', 'resource', 'desk'])
  const part = topMenuId ? tree.filter(({ code }) => system.has(code) === (topMenuId === '2')) : tree
  return part.map((entry) => wire(entry, en))
}

/** Returns the permission codes of all resources, since the mock user is an administrator. */
export async function buildMockButtonCodes() {
  const { resources } = await mockMenusPromise
  return resources.flatMap(({ code, actions, permissions }) =>
    ['add', 'edit', 'delete', 'view', ...Object.keys(actions), ...Object.keys(permissions)].map(
      (action) => `${code}_${action}`,
    ),
  )
}
