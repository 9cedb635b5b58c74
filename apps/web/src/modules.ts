import { matchPath } from 'react-router'
import { isMockMode } from '#kit/web/session/mock-mode.ts'
import type { ModulePages } from '#kit/web/base/module-pages.ts'
import { registerSlotFillings } from '#kit/web/base/page-slots.ts'
import { registerRowPages } from '#kit/web/inputs/row-link.tsx'

const doors = import.meta.glob<{ default: ModulePages }>('../../../domains/*/*/web.ts', { eager: true })

export type PageEntry =
  | { path: string; page: NonNullable<ModulePages['pages']>[string] }
  | { path: string; resource: NonNullable<ModulePages['resources']>[string] }

const shellPages: ModulePages['pages'] = {
  '/info/index': () => import('./pages/personal.tsx'),
  '/logs/index': () => import('./pages/error-logs.tsx'),
  '/myiframe/*': () => import('./pages/embedded.tsx'),
  '/system/street': () => import('./pages/simulation.tsx'),
  '/wel/index': () => import('./pages/console.tsx'),
  '/wel/dashboard': () => import('./pages/console.tsx'),
  ...(isMockMode() && { '/test/index': () => import('./pages/mock-mode.tsx') }),
}

/**
 * Every page of the product by its path. A module's own page takes precedence over a generated one and over the
 * shell's.
 */
export const pageEntries = new Map<string, PageEntry>()
for (const [path, page] of Object.entries(shellPages)) pageEntries.set(path, { path, page })
for (const { default: module } of Object.values(doors)) {
  for (const [path, resource] of Object.entries(module.resources ?? {})) {
    if (!pageEntries.has(path)) pageEntries.set(path, { path, resource })
  }
}
for (const { default: module } of Object.values(doors)) {
  for (const [path, page] of Object.entries(module.pages ?? {})) pageEntries.set(path, { path, page })
  registerRowPages(module.rowPages ?? {})
  registerSlotFillings(module.fills ?? [])
}

const patterns = [...pageEntries.values()].filter(({ path }) => /[:*]/.test(path))

/** Returns the page for an address: one with the exact path first, then one with parameters. */
export function findPageEntry(pathname: string): PageEntry | undefined {
  return pageEntries.get(pathname) ?? patterns.find(({ path }) => matchPath(path, pathname))
}
