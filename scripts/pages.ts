import { globSync } from 'node:fs'
import { join } from 'node:path'
import { declaredMenuRows, menusOfOtherClients } from '../kit/server/mount/menus.ts'
import type { ModuleRegistry } from '../kit/server/module/module.ts'
import type { ModulePages } from '../kit/web/base/module-pages.ts'

const root = join(import.meta.dirname, '..')

/**
 * Returns a sentence for each menu entry without a page. Types cannot catch this: the server declares the menu, and the
 * browser's `domains/<folder>/<module>/web.ts` the pages.
 */
export async function menusWithoutPage(registry: ModuleRegistry): Promise<string[]> {
  const pages = new Set<string>()
  for (const file of globSync('domains/*/*/web.ts', { cwd: root })) {
    const { default: module } = (await import(join(root, file))) as { default: ModulePages }
    for (const path of Object.keys({ ...module.pages, ...module.resources })) pages.add(path)
  }
  const menus = declaredMenuRows(registry).filter(({ category }) => category === 1)
  const elsewhere = menusOfOtherClients(registry)
  const groups = new Set(menus.map(({ parentId }) => parentId))
  return menus
    .filter(({ id, code, path }) => !groups.has(id) && !pages.has(path) && !elsewhere.has(code))
    .map(({ code, path }) => `the menu entry ${code} leads to ${path}, for which ${webOf(registry, code)} has no page`)
}

const webOf = ({ modules }: ModuleRegistry, code: string): string =>
  `domains/${
    modules.find(
      ({ resources = [], menus = [] }) =>
        resources.some(({ resource }) => resource.code === code) || menus.some((one) => one.code === code),
    )!.name
  }/web.ts`
