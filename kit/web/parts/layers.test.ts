import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const files = globSync('{apps/web/src,kit,domains}/**/*.tsx', { cwd: root }).map((path) => ({
  path: path.replaceAll('\\', '/'),
  text: readFileSync(join(root, path), 'utf8'),
}))
const importers = (part: string) =>
  files
    .filter(({ text }) => new RegExp(`import \\{[^}]*\\b${part}\\b[^}]*\\} from 'antd'`).test(text))
    .map(({ path }) => path)
    .toSorted()

test(
  'every drawer and popover is the kit’s, which takes the focus: antd’s own stand only behind ' +
    'them, beside a cell that says what is wrong, and at the rail that opens under the pointer',
  () => {
    expect(importers('Drawer')).toEqual(['kit/web/parts/drawer.tsx'])
    expect(importers('Popover')).toEqual([
      'apps/web/src/shell/menu-rail.tsx',
      'kit/web/list/inline-editor.tsx',
      'kit/web/parts/popup.tsx',
    ])
  },
)

test('every menu that opens takes the focus with it, and none opens away from who works by keyboard', () => {
  const menus = files.flatMap(({ path, text }) =>
    [...text.matchAll(/<Dropdown\b[^>]*>?/g)].map(([tag]) => ({ path, tag })),
  )
  expect(menus.length).toBeGreaterThan(5)
  // A context menu (right mouse button) duplicates what the keyboard reaches, so it needs no autoFocus.
  expect(menus.filter(({ tag }) => !tag.includes('autoFocus') && !tag.includes('contextMenu'))).toEqual([])
})
