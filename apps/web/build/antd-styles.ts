import { createCache, extractStyle as styleOf, StyleProvider } from '@ant-design/cssinjs'
import { fileURLToPath } from 'node:url'
import type { ReactNode } from 'react'
import type { Plugin } from 'vite'

const ID = 'virtual:antd-style/'
const ADD = fileURLToPath(new URL('../src/add-style.ts', import.meta.url))
const HOOK = /\b(genStyleHooks|genSubStyleComponent|genComponentStyleHook)\(/
const OF_ANTD = /\/antd\/es\//
/** Matches antd's module with the styles shared by all components (icons and links). */
const SHARED = /\/antd\/es\/theme\/util\/useResetIconStyle\.js$/
/** Matches the module that would compute a component's style in the browser. */
const DRAWS = /\/cssinjs-utils\/es\/util\/genStyleUtils\.js$/
/** Matches packages whose modules have no side effects but do not declare so. */
const PURE = /\/node_modules\/(@rc-component|@ant-design\/cssinjs(-utils)?)\//

const shared = [
  `import icons from '${ID}ant-design-icons'`,
  `import links from '${ID}Shared'`,
  'export default () => [icons, links]',
].join('\n')
/** Styles that `draw` does not compute because no page uses them; only these may be missing. */
const NOT_DRAWN = new Set(['BackTop-BackTop', 'Form-item-item', 'Pagination-bordered'])

type Style = { place: number; css: string }

/** Renders every component of antd once and returns the CSS of each style by name, with its position among them. */
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

/** Returns the CSS of each style in the cache, without the values of the theme, which the browser sets itself. */
function stylesOf(cache: ReturnType<typeof createCache>) {
  const styles = new Map<string, Style>()
  for (const [key, value] of cache.cache) {
    const [kind, , name] = key.split('%')
    if (kind !== 'style') continue
    const one = createCache()
    one.cache.set(key, value)
    // Cut the marker that the library appends to the CSS to find it again.
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
 * Replaces each function that computes a style by an import of the precomputed CSS, which is added to the page only if
 * the component is used.
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
    // The bundler takes a call for pure only with this mark.
    const marked = `/* @__PURE__ */ ${text.slice(call.start, draws.start)}${drawn}`
    return text.slice(0, call.start) + marked + text.slice(draws.end)
  }, code)
  return imports.join('') + bare
}

/** Cuts a style hook where it would begin to compute the style in the browser. */
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
 * Computes the styles of antd's components at build time. Each component then imports its CSS instead of the code that
 * would compute it in the browser. In development antd computes them at runtime as usual.
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
