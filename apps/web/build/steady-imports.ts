import type { Plugin } from 'vite'

const OWN = /\/(apps\/web\/src|kit|domains)\/.*\.tsx?$/
const LOADER = '/kit/web/live/chunks.ts'
const IMPORT = /\bimport\(\s*(['"])([^'"]+)\1\s*\)/g

/**
 * Every part of the application that is fetched later is fetched through `loadChunk`, so that none stays broken when
 * the line was lost for a moment, and nobody who writes `lazy(() => import(…))` has to think of it. Runs after types
 * are gone.
 */
export function retryDynamicImportsPlugin(): Plugin {
  return {
    name: 'steady-imports',
    transform(code, id) {
      const path = id.replaceAll('\\', '/').replace(/\?.*$/, '')
      if (!OWN.test(path) || path.endsWith(LOADER) || path.includes('/node_modules/') || !code.includes('import('))
        return undefined
      const steady = code.replace(IMPORT, (call) => `__steady(() => ${call})`)
      return steady === code
        ? undefined
        : { code: `import { loadChunk as __steady } from '#kit/web/live/chunks.ts';${steady}`, map: null }
    },
  }
}
