import type { Plugin } from 'vite'

const OWN = /\/(apps\/web\/src|kit|domains)\/.*\.tsx?$/
const LOADER = '/kit/web/http/chunks.ts'
const IMPORT = /\bimport\(\s*(['"])([^'"]+)\1\s*\)/g

/**
 * Wraps every dynamic import of our own code in `loadChunk`, which retries after a lost connection, so that `lazy(() =>
 * import(…))` needs no handling of its own. Runs after types are removed.
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
        : { code: `import { loadChunk as __steady } from '#kit/web/http/chunks.ts';${steady}`, map: null }
    },
  }
}
