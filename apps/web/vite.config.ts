import react from '@vitejs/plugin-react'
import { msw } from 'msw/vite'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { antdStylesPlugin } from './build/antd-styles.ts'
import { precompressionPlugin } from './build/compressed.ts'
import { earlyPrefetchPlugin } from './build/early.ts'
import { antdFormTrimmingPlugin } from './build/form-parts.ts'
import { iconSpritePlugin, iconSpritePath } from './build/icon-sprite.ts'
import { retryDynamicImportsPlugin } from './build/steady-imports.ts'
import { versionFilePlugin } from './build/version-file.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const server = process.env.API_SERVER ?? 'http://127.0.0.1:8080'

/** Modules of the sign-in page and of what every page needs; a folder ends with a slash. */
const SIGN_IN_MODULES = [
  'apps/web/src/main.tsx',
  'apps/web/src/login/',
  'apps/web/src/shell/chunk-failure.ts',
  'apps/web/src/shell/error-log.ts',
  'apps/web/src/shell/titles.ts',
  'kit/base/localized-text.ts',
  'kit/web/base/unsaved.ts',
  'kit/web/http/http.ts',
  'kit/web/base/language.tsx',
  'kit/web/http/build.ts',
  'kit/web/http/chunks.ts',
  'kit/web/http/connectivity.ts',
  'kit/web/base/menus.ts',
  'kit/web/base/toast.ts',
  'kit/web/http/prefetched.ts',
  'kit/web/session/lock.ts',
  'kit/web/session/mock-mode.ts',
  'kit/web/session/session.ts',
  'kit/web/base/settings.ts',
  'kit/web/base/storage.ts',
  'kit/web/http/tokens.ts',
]
/** Files after which a chunk is grouped: the app without sign-in, list pages, wide tables, declarations. */
const GROUPS = {
  shell: 'apps/web/src/app.tsx',
  list: 'kit/web/page/resource-page.tsx',
  table: 'kit/web/list/wide-table.tsx',
  declare: 'kit/resource/index.ts',
}
const missing = [...SIGN_IN_MODULES, ...Object.values(GROUPS)].filter((path) => !existsSync(here(`../../${path}`)))
if (missing.length) throw new Error(`chunks are grouped by files that are gone: ${missing.join(', ')}`)
const isFile = (path: string) => (module: string) => module.replaceAll('\\', '/').endsWith(`/${path}`)
const isSignIn = (module: string) => SIGN_IN_MODULES.some((path) => module.replaceAll('\\', '/').includes(`/${path}`))

const DECLARED = /domains\/[\w-]+\/([\w-]+)\/[\w-]+\.resource\.ts$/
const declarations = (module: string) => DECLARED.exec(module.replaceAll('\\', '/'))?.[1]

export default defineConfig(({ command }) => ({
  root: here('.'),
  // The mock server's plugin (msw) is used only in development and in builds with VITE_MOCK=1.
  plugins: [
    react(),
    retryDynamicImportsPlugin(),
    ...(command === 'serve' || process.env.VITE_MOCK === '1' ? [msw({ mode: 'worker-only' })] : []),
    iconSpritePlugin(),
    antdStylesPlugin(),
    antdFormTrimmingPlugin(),
    versionFilePlugin(),
    earlyPrefetchPlugin(),
    precompressionPlugin(),
  ],
  define: {
    'import.meta.env.VITE_MOCK': JSON.stringify(process.env.VITE_MOCK ?? ''),
    'import.meta.env.VITE_ZERO_RUNTIME': JSON.stringify(String(command === 'build')),
    'import.meta.env.VITE_ICONS': JSON.stringify(command === 'build' ? iconSpritePath() : '/icons.svg'),
  },
  server: { host: '127.0.0.1', port: 5173, proxy: { '/api': server } },
  preview: { host: '127.0.0.1', proxy: { '/api': server } },
  build: {
    outDir: here('dist'),
    emptyOutDir: true,
    target: 'es2022',
    cssCodeSplit: true,
    chunkSizeWarningLimit: 1200,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\//, priority: 7 },
            // Modules that are always loaded together share a file: the sign-in page, the shell, the list pages.
            { name: 'base', test: isSignIn, priority: 6 },
            { name: 'shell', test: isFile(GROUPS.shell), priority: 5 },
            { name: 'list', test: isFile(GROUPS.list), priority: 4 },
            { name: 'table', test: isFile(GROUPS.table), priority: 3 },
            { name: 'declare', test: isFile(GROUPS.declare), priority: 2 },
            // One file for the declarations of each module: a declaration imports those it refers to, whose modules
            // import more.
            { name: declarations, test: DECLARED, priority: 1 },
          ],
        },
      },
    },
  },
}))
