import { createHash } from 'node:crypto'
import type { Plugin, Rolldown } from 'vite'

type Bundle = Rolldown.OutputBundle
type Chunk = Rolldown.OutputChunk & { viteMetadata?: { importedCss: Set<string> } }

const chunkOf = (bundle: Bundle, end: string) =>
  Object.values(bundle).find(
    (part): part is Chunk =>
      part.type === 'chunk' && part.moduleIds.some((id) => id.replaceAll('\\', '/').endsWith(end)),
  )

/** Every file a part of the application needs before it can run. */
function closure(bundle: Bundle, start: Chunk | undefined, seen = new Set<string>()) {
  if (!start || seen.has(start.fileName)) return seen
  seen.add(start.fileName)
  for (const css of start.viteMetadata?.importedCss ?? []) seen.add(css)
  for (const name of start.imports) closure(bundle, bundle[name] as Chunk, seen)
  return seen
}

const script = (shell: string[], list: string[], prefix: string) => `(() => {
  try {
    if (!localStorage.getItem(${JSON.stringify(`${prefix}token`)})) return
    const files = ${JSON.stringify(shell)}
    if (!/^\\/($|wel|info|lock|login|\\d)/.test(location.pathname)) files.push(...${JSON.stringify(list)})
    for (const file of files) {
      const link = document.createElement('link')
      if (file.endsWith('.css')) Object.assign(link, { rel: 'preload', as: 'style' })
      else link.rel = 'modulepreload'
      link.crossOrigin = ''
      // After what the page itself has asked for.
      link.fetchPriority = 'low'
      link.href = '/' + file
      document.head.append(link)
    }
  } catch {}
})()`

/**
 * Who is signed in already needs the shell, and usually a list: a script of a few lines starts fetching both
 * while the first modules are still under way. Who is not fetches nothing of it.
 */
export function early(prefix: string): Plugin {
  return {
    name: 'early',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const page = bundle['index.html']
        if (page?.type !== 'asset') return
        const shell = closure(bundle, chunkOf(bundle, '/apps/web/src/app.tsx'))
        const list = closure(bundle, chunkOf(bundle, '/kit/web/resource-page.tsx'))
        const source = script(
          [...shell],
          [...list].filter((name) => !shell.has(name)),
          prefix,
        )
        const fileName = `assets/early-${createHash('sha256').update(source).digest('hex').slice(0, 8)}.js`
        this.emitFile({ type: 'asset', fileName, source })
        page.source = String(page.source).replace('<script', `<script async src="/${fileName}"></script>\n    <script`)
      },
    },
  }
}
