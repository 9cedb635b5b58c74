import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Plugin, Rolldown } from 'vite'
import type { Resource } from '#kit/resource/define-resource.ts'
import { webSettings } from '#kit/web/settings.ts'
import { cssBackgroundOf, themeNames, themes } from '#kit/web/theme/themes.ts'
import { prefetchFromInlineScript, type PagePrefetchPlan } from './prefetch-script.ts'
import { drawShellPlaceholder, type ShellPlaceholderColours } from './draw-frame.ts'

type Bundle = Rolldown.OutputBundle
type Chunk = Rolldown.OutputChunk & { viteMetadata?: { importedCss: Set<string> } }

const root = fileURLToPath(new URL('../../..', import.meta.url))
const SHELL = join(root, 'apps/web/src/app.tsx')
const LIST = join(root, 'kit/web/resource-page.tsx')
/** How a page of the product says that it is a list and nothing before that. */
const LISTS = [LIST, join(root, 'kit/web/page.tsx')]
const ENTRY = /'(\/[^']*)':\s*\(\) =>\s*import\('(\.[^']+)'\)/g

const chunkOf = (bundle: Bundle, module: string) =>
  Object.values(bundle).find(
    (part): part is Chunk => part.type === 'chunk' && part.moduleIds.some((id) => join(id) === module),
  )

/** Every file a part of the application needs before it can run. */
function closure(bundle: Bundle, start: Chunk | undefined, seen = new Set<string>()) {
  if (!start || seen.has(start.fileName)) return seen
  seen.add(start.fileName)
  for (const css of start.viteMetadata?.importedCss ?? []) seen.add(css)
  for (const name of start.imports) closure(bundle, bundle[name] as Chunk, seen)
  return seen
}

/** The modules of all pages by their path, as the modules and the shell say them. */
function modulesOfPages() {
  const modules = new Map<string, string>()
  for (const file of ['apps/web/src/modules.ts', ...globSync('domains/*/*/web.ts', { cwd: root }).sort()]) {
    const source = readFileSync(join(root, file), 'utf8')
    for (const [, path, module] of source.matchAll(ENTRY))
      modules.set(path as string, join(root, dirname(file), module as string))
  }
  return modules
}

/** The families whose list stands at a path of the menu. */
async function familiesByPath() {
  const families = new Map<string, Resource<any, any>>()
  for (const file of globSync('domains/*/*/*.resource.ts', { cwd: root })) {
    const module = (await import(pathToFileURL(join(root, file)).href)) as Record<string, unknown>
    for (const one of Object.values(module) as (Resource<any, any> | undefined)[])
      if (one?.list && one.menu) families.set(one.menu.path, one)
  }
  return families
}

/** What each page needs beyond the shell: files, and the list it begins with if it is one of a family. */
async function pagesOf(bundle: Bundle, importsOf: (module: string) => readonly string[]) {
  const families = await familiesByPath()
  const shell = closure(bundle, chunkOf(bundle, SHELL))
  const list = closure(bundle, chunkOf(bundle, LIST))
  const files: string[] = []
  const numberOf = (file: string) => (files.includes(file) ? files.indexOf(file) : files.push(file) - 1)
  const pages: Record<string, PagePrefetchPlan> = {}
  for (const [path, module] of modulesOfPages()) {
    const isDerived = module.endsWith('.resource.ts')
    const isList = isDerived || importsOf(module).some((id) => LISTS.includes(join(id)))
    // Not the library of tables: it would come before what draws the first rows without it.
    const needs = new Set([...(isDerived ? list : []), ...closure(bundle, chunkOf(bundle, module))])
    const family = families.get(path)
    // A page that asks in its own way says so where it says how.
    const isPlain = isList && !/^ +(?:start|call):/m.test(readFileSync(module, 'utf8'))
    pages[path.replace(/:\w+/g, ':')] = [
      [...needs].filter((file) => !shell.has(file)).map(numberOf),
      ...(family && isPlain
        ? ([family.name, `${family.path}/${family.list.path}`, family.list.paged] as const)
        : ([] as const)),
    ]
  }
  return { shell: [...shell], files, pages }
}

/** A function as the page runs it. `<` would let a word end the script. */
const call = <P>(run: (plan: P) => void, plan: P) =>
  `(${run.toString()})(${JSON.stringify(plan).replaceAll('<', '\\u003c')})`

/** A layer of colour, as a picture. */
const layer = (stops: string[]) => cssBackgroundOf(stops.length > 1 ? stops : [...stops, ...stops])

const framesOf = () =>
  Object.fromEntries(
    themeNames.map((name) => {
      const { page, card, frame } = themes[name]
      return [name, [layer(frame.side), layer(frame.top), page, card] satisfies ShellPlaceholderColours]
    }),
  )

/**
 * Who is signed in already needs the shell and the page of the address, and of the server who they are and the rows: a
 * script in the page itself asks for all of it before the first module is here (prefetch-script.ts). Who is not signed
 * in asks for nothing.
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
