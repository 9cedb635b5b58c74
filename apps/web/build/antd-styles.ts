import { createCache, extractStyle as styleOf, StyleProvider } from '@ant-design/cssinjs'
import { fileURLToPath } from 'node:url'
import type { ReactNode } from 'react'
import type { Plugin } from 'vite'

const ID = 'virtual:antd-style/'
const ADD = fileURLToPath(new URL('../src/add-style.ts', import.meta.url))
const HOOK = /\b(genStyleHooks|genSubStyleComponent|genComponentStyleHook)\(/
const OF_ANTD = /\/antd\/es\//
/** The hook of what all components share. */
const SHARED = /\/antd\/es\/theme\/util\/useResetIconStyle\.js$/
/** The one that would draw in the browser unless told not to. */
const DRAWS = /\/cssinjs-utils\/es\/util\/genStyleUtils\.js$/
/** What nothing but its exports is wanted of, and does not say so itself. */
const PURE = /\/node_modules\/(@rc-component|@ant-design\/cssinjs(-utils)?)\//

const shared = [
  `import icons from '${ID}ant-design-icons'`,
  `import links from '${ID}Shared'`,
  'export default () => [icons, links]',
].join('\n')
/** Not drawn with all the others, nor by any page: of these alone a style may be missing. */
const NOT_DRAWN = new Set(['BackTop-BackTop', 'Form-item-item', 'Pagination-bordered'])

type Style = { place: number; css: string }

/** Draws every component of antd once: the style of each by its name, and its place among them. */
async function draw() {
  const before = process.env.NODE_ENV
  const quiet = console.error
  process.env.NODE_ENV = 'production'
  console.error = () => {}
  try {
    const [
      { extractStyle },
      { ConfigProvider },
      { createElement },
      { createAntdTheme: antdTheme },
      { paletteOfTheme: paletteOf },
    ] = await Promise.all([
      import('@ant-design/static-style-extract'),
      import('antd'),
      import('react'),
      import('#kit/web/theme/antd-theme.ts'),
      import('#kit/web/theme/themes.ts'),
    ])
    const theme = antdTheme(paletteOf('default', undefined, '#409EFF'))
    const cache = createCache()
    extractStyle((node: ReactNode) =>
      createElement(StyleProvider, { cache }, createElement(ConfigProvider, { theme }, node)),
    )
    return stylesOf(cache)
  } finally {
    console.error = quiet
    process.env.NODE_ENV = before
  }
}

/** The values of a theme are left out: they belong to the browser, which knows the theme. */
function stylesOf(cache: ReturnType<typeof createCache>) {
  const styles = new Map<string, Style>()
  for (const [key, value] of cache.cache) {
    const [kind, , name] = key.split('%')
    if (kind !== 'style') continue
    const one = createCache()
    one.cache.set(key, value)
    // Behind the style the library notes for itself where it found it.
    const css = styleOf(one, { plain: true, types: 'style' }).replace(/\.data-ant-cssinjs-cache-path\{.*$/s, '')
    const style = styles.get(name!) ?? { place: styles.size, css: '' }
    styles.set(name!, { ...style, css: style.css + css })
  }
  return styles
}

type Node = { type: string; start: number; end: number } & Record<string, any>

function* nodesIn(value: unknown): Generator<Node> {
  if (!value || typeof value !== 'object') return
  if (!Array.isArray(value) && typeof (value as Node).type === 'string') yield value as Node
  for (const part of Object.values(value)) yield* nodesIn(part)
}

const nameOf = ({ type, elements, value }: Node): string =>
  type === 'ArrayExpression' ? elements.map((part: Node) => part.value).join('-') : `${value}-${value}`

/**
 * Instead of each function that draws a component, the module with what it has drawn: on the page when its hook is used
 * and not otherwise.
 */
function withDrawn(code: string, program: unknown, styles: Map<string, Style>) {
  const calls = [...nodesIn(program)].filter(
    ({ type, callee }) => type === 'CallExpression' && HOOK.test(`${callee.name}(`),
  )
  const imports: string[] = []
  const bare = calls.reduceRight((text, call) => {
    const [names, draws] = call.arguments as [Node, Node]
    const name = nameOf(names)
    const drawn = NOT_DRAWN.has(name) ? '() => []' : `drawn${draws.start}`
    if (!NOT_DRAWN.has(name)) {
      if (!styles.has(name)) throw new Error(`No style of antd's ${name} was drawn.`)
      imports.push(`import ${drawn} from '${ID}${name}';`)
    }
    // Not pure for the bundler unless told so.
    const asked = `/* @__PURE__ */ ${text.slice(call.start, draws.start)}${drawn}`
    return text.slice(0, call.start) + asked + text.slice(draws.end)
  }, code)
  return imports.join('') + bare
}

/** A hook of a component's style ends where it would begin to draw. */
function withoutDrawing(code: string, program: unknown) {
  const nodes = [...nodesIn(program)]
  const end = nodes.find(({ type, test }) => type === 'IfStatement' && test.name === 'memoizedZeroRuntime')
  const body = nodes.findLast(
    (node) => node.type === 'BlockStatement' && (node.body as Node[]).some((one) => one === end),
  )
  if (!end || !body) throw new Error('antd no longer says where it would draw a style in the browser.')
  return `${code.slice(0, end.start)}return hashId;${code.slice(body.end - 1)}`
}

/**
 * The style of antd's components, drawn at build time so that the browser need not: each comes with the code of its
 * component, instead of the code that would draw it. In development antd makes its styles as it goes.
 */
export function antdStylesPlugin(): Plugin {
  let drawn: Promise<Map<string, Style>> | undefined
  const styles = () => (drawn ??= draw())
  return {
    name: 'antd-styles',
    apply: 'build',
    enforce: 'pre',
    resolveId: (id) => (id.startsWith(ID) ? { id: `\0${id}`, moduleSideEffects: false } : undefined),
    async load(id) {
      if (!id.startsWith(`\0${ID}`)) return undefined
      const { place, css } = (await styles()).get(id.slice(ID.length + 1))!
      return [
        `import { addStyle } from ${JSON.stringify(ADD)}`,
        `addStyle(${place}, ${JSON.stringify(css)})`,
        'export default () => []',
      ].join('\n')
    },
    async transform(code, id) {
      const path = id.replaceAll('\\', '/')
      const parse = () => this.parse(code)
      if (OF_ANTD.test(path) && HOOK.test(code)) return { code: withDrawn(code, parse(), await styles()), map: null }
      if (SHARED.test(path)) return { code: shared, map: null }
      if (DRAWS.test(path)) return { code: withoutDrawing(code, parse()), moduleSideEffects: false, map: null }
      return PURE.test(path) ? { code, moduleSideEffects: false } : undefined
    },
  }
}
