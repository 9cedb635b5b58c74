import { matchPath } from 'react-router'
import { mocked } from '#kit/web/session/mock-mode.ts'
import type { ModulePages } from '#kit/web/module-pages.ts'
import { setSlotFillings } from '#kit/web/page-slots.ts'
import { setRowPages } from '#kit/web/list/row-link.tsx'

const doors = import.meta.glob<{ default: ModulePages }>('../../../domains/*/*/web.ts', { eager: true })

export type Entry =
  | { path: string; page: NonNullable<ModulePages['pages']>[string] }
  | { path: string; resource: NonNullable<ModulePages['resources']>[string] }

const shellPages: ModulePages['pages'] = {
  '/info/index': () => import('./pages/personal.tsx'),
  '/logs/index': () => import('./pages/error-logs.tsx'),
  '/myiframe/*': () => import('./pages/embedded.tsx'),
  '/system/street': () => import('./pages/street.tsx'),
  '/wel/index': () => import('./pages/console.tsx'),
  '/wel/dashboard': () => import('./pages/console.tsx'),
  ...(mocked() && { '/test/index': () => import('./pages/mock-mode.tsx') }),
}

/** Every page of the product by its path. A module's own page goes before a derived one and before the shell's. */
export const entries = new Map<string, Entry>()
for (const [path, page] of Object.entries(shellPages)) entries.set(path, { path, page })
for (const { default: module } of Object.values(doors)) {
  for (const [path, resource] of Object.entries(module.resources ?? {})) {
    if (!entries.has(path)) entries.set(path, { path, resource })
  }
}
for (const { default: module } of Object.values(doors)) {
  for (const [path, page] of Object.entries(module.pages ?? {})) entries.set(path, { path, page })
  setRowPages(module.rowPages ?? {})
  setSlotFillings(module.fills ?? [])
}

const patterns = [...entries.values()].filter(({ path }) => /[:*]/.test(path))

/** The entry that shows an address: an exact one first, then one with parameters. */
export function entryOf(pathname: string): Entry | undefined {
  return entries.get(pathname) ?? patterns.find(({ path }) => matchPath(path, pathname))
}
