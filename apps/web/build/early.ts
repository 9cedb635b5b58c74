import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Plugin, Rolldown } from 'vite'
import type { Resource } from '#kit/resource/define-resource.ts'
import { webSettings } from '#kit/web/base/settings.ts'
import { cssBackgroundOf, themeNames, themes } from '#kit/web/theme/themes.ts'
import { prefetchFromInlineScript, type PagePrefetchPlan } from './prefetch-script.ts'
import { drawShellPlaceholder, type ShellPlaceholderColours } from './draw-frame.ts'

type Bundle = Rolldown.OutputBundle
type Chunk = Rolldown.OutputChunk & { viteMetadata?: { importedCss: Set<string> } }

const root = fileURLToPath(new URL('../../..', import.meta.url))
const SHELL = join(root, 'apps/web/src/app.tsx')
const LIST = join(root, 'kit/web/page/resource-page.tsx')
/** A page that imports one of these modules counts as a list. */
const LISTS = [LIST, join(root, 'kit/web/page/page.tsx')]
const ENTRY = /'(\/[^']*)':\s*\(\) =>\s*import\('(\.[^']+)'\)/g

const chunkOf = (bundle: Bundle, module: string) =>
  Object.values(bundle).find(
    (part): part is Chunk => part.type === 'chunk' && part.moduleIds.some((id) => join(id) === module),
  )

/** Returns all files a part of the application needs before it can run. */
function closure(bundle: Bundle, start: Chunk | undefined, seen = new Set<string>()) {
  if (!start || seen.has(start.fileName)) return seen
  seen.add(start.fileName)
  for (const css of start.viteMetadata?.importedCss ?? []) seen.add(css)
  for (const name of start.imports) closure(bundle, bundle[name] as Chunk, seen)
  return seen
}

/** Returns the source file of each page by path, read from the modules' `web.ts` files and the shell. */
function modulesOfPages() {
  const modules = new Map<string, string>()
  for (const file of ['apps/web/src/modules.ts', ...globSync('domains/*/*/web.ts', { cwd: root }).sort()]) {
    const source = readFileSync(join(root, file), 'utf8')
    for (const [, path, module] of source.matchAll(ENTRY))
      modules.set(path as string, join(root, dirname(file), module as string))
  }
  return modules
}

/** Returns the resources by the menu path of their list. */
async function resourcesByPath() {
  const resources = new Map<string, Resource<any, any>>()
  for (const file of globSync('domains/*/*/*.resource.ts', { cwd: root })) {
    const module = (await import(pathToFileURL(join(root, file)).href)) as Record<string, unknown>
    for (const one of Object.values(module) as (Resource<any, any> | undefined)[])
      if (one?.list && one.menu) resources.set(one.menu.path, one)
  }
  return resources
}

/** Returns what each page needs beyond the shell: its files and, if it begins with a plain list, that list's call. */
async function pagesOf(bundle: Bundle, importsOf: (module: string) => readonly string[]) {
  const resources = await resourcesByPath()
  const shell = closure(bundle, chunkOf(bundle, SHELL))
  const list = closure(bundle, chunkOf(bundle, LIST))
  const files: string[] = []
  const numberOf = (file: string) => (files.includes(file) ? files.indexOf(file) : files.push(file) - 1)
  const pages: Record<string, PagePrefetchPlan> = {}
  for (const [path, module] of modulesOfPages()) {
    const isDerived = module.endsWith('.resource.ts')
    const isList = isDerived || importsOf(module).some((id) => LISTS.includes(join(id)))
    // Without the table library, which must not load before the code that shows the first rows without it.
    const needs = new Set([...(isDerived ? list : []), ...closure(bundle, chunkOf(bundle, module))])
    const resource = resources.get(path)
    // A page with its own `start` filters or `call` would ask for other rows, so its list is not prefetched.
    const isPlain = isList && !/^ +(?:start|call):/m.test(readFileSync(module, 'utf8'))
    pages[path.replace(/:\w+/g, ':')] = [
      [...needs].filter((file) => !shell.has(file)).map(numberOf),
      ...(resource && isPlain
        ? ([resource.name, `${resource.path}/${resource.list.path}`, resource.list.paged] as const)
        : ([] as const)),
    ]
  }
  return { shell: [...shell], files, pages }
}

/**
 * Returns a function call as text for a script in the page. `<` is escaped, since `</script>` in a value would end it.
 */
const call = <P>(run: (plan: P) => void, plan: P) =>
  `(${run.toString()})(${JSON.stringify(plan).replaceAll('<', '\\u003c')})`

/** Returns a layer of colour as a CSS gradient. */
const layer = (stops: string[]) => cssBackgroundOf(stops.length > 1 ? stops : [...stops, ...stops])

const framesOf = () =>
  Object.fromEntries(
    themeNames.map((name) => {
      const { page, card, frame } = themes[name]
      return [name, [layer(frame.side), layer(frame.top), page, card] satisfies ShellPlaceholderColours]
    }),
  )

/**
 * Adds an inline script to the page that prefetches, before the first module runs, what a signed-in user needs: the
 * shell, the page of the address, the user's permissions and the rows (prefetch-script.ts). Without a session it
 * fetches nothing.
 */
export function earlyPrefetchPlugin(): Plugin {
  return {
    name: 'early',
    apply: 'build',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const page = bundle['index.html']
        if (page?.type !== 'asset') return
        const found = await pagesOf(bundle, (module) => this.getModuleInfo(module)?.importedIds ?? [])
        const { storagePrefix, clientId, clientSecret, tokenTime, defaultTheme: theme } = webSettings
        const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
        const plan = { ...found, storagePrefix, basic, tokenTime, isMock: process.env.VITE_MOCK === '1' }
        const script = [
          call(drawShellPlaceholder, { frames: framesOf(), theme, storagePrefix }),
          call(prefetchFromInlineScript, plan),
        ].join(';\n')
        page.source = String(page.source).replace('<script', () => `<script>${script}</script>\n    <script`)
      },
    },
  }
}
