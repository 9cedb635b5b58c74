import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ReactNode } from 'react'
import type { Plugin } from 'vite'

const ID = 'virtual:antd.css'
const root = fileURLToPath(new URL('../../..', import.meta.url))
// Drawn by other components, never named in an import of ours.
const beneath = [
  'Button',
  'Checkbox',
  'Dropdown',
  'Empty',
  'Input',
  'Modal',
  'Pagination',
  'Radio',
  'Select',
  'Spin',
  'Tooltip',
  'message',
]
const notDrawn = new Set(['App', 'ConfigProvider', 'theme', 'Grid'])

/** Names of the antd components the sources import. */
function used() {
  const found = new Set(beneath)
  for (const top of ['apps/web/src', 'kit', 'domains']) {
    for (const name of readdirSync(join(root, top), { recursive: true }).map(String)) {
      if (!/\.tsx?$/.test(name) || name.includes('.test.')) continue
      const text = readFileSync(join(root, top, name), 'utf8')
      for (const [, list] of text.matchAll(/import \{([^}]+)\} from 'antd'/g)) {
        for (const part of (list as string).split(',')) {
          const plain = part.trim().split(/\s+as\s+/)[0] as string
          if (/^[A-Z]/.test(plain) && !part.trim().startsWith('type ') && !notDrawn.has(plain)) found.add(plain)
        }
      }
    }
  }
  return [...found].sort()
}

// The values of a theme belong to the browser, which knows the theme; here they would outrank it.
const withoutValues = (css: string) => css.replace(/[^{}]*\.(?:store|css-var-)[^{}]*\{[^{}]*\}/g, '')

async function extract() {
  const before = process.env.NODE_ENV
  process.env.NODE_ENV = 'production'
  try {
    const [{ extractStyle }, { ConfigProvider }, { createElement }, { antdTheme }, { paletteOf }] = await Promise.all([
      import('@ant-design/static-style-extract'),
      import('antd'),
      import('react'),
      import('#kit/web/theme/antd-theme.ts'),
      import('#kit/web/theme/themes.ts'),
    ])
    const theme = antdTheme(paletteOf('default', undefined, '#409EFF'))
    const quiet = console.error
    console.error = () => {}
    try {
      const customTheme = (node: ReactNode) => createElement(ConfigProvider, { theme }, node)
      return withoutValues(extractStyle({ includes: used(), customTheme }))
    } finally {
      console.error = quiet
    }
  } finally {
    process.env.NODE_ENV = before
  }
}

/**
 * The style of the antd components in use, drawn at build time so that the browser need not. In development
 * the module is empty and antd makes its styles as it goes.
 */
export function antdCss(): Plugin {
  let building = false
  return {
    name: 'antd-css',
    configResolved(config) {
      building = config.command === 'build'
    },
    resolveId: (id) => (id === ID ? `\0${ID}` : undefined),
    load: async (id) => (id === `\0${ID}` ? (building ? extract() : '') : undefined),
  }
}
