import react from '@vitejs/plugin-react'
import { msw } from 'msw/vite'
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

const signIn = new RegExp(
  [
    'apps/web/src/(main|login|shell/(chunk|error-log|titles))',
    'kit/resource/words',
    'kit/web/([a-z]+/)?(asked|build|chunks|http|language|line|lock|menus|mock-mode)\\.',
    'kit/web/([a-z]+/)?(session|settings|storage|toast|tokens|unsaved)\\.',
  ].join('|'),
)

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
            { name: 'base', test: signIn, priority: 6 },
            { name: 'shell', test: /apps\/web\/src\/app\.tsx$/, priority: 5 },
            { name: 'list', test: /kit\/web\/resource-page\.tsx$/, priority: 4 },
            { name: 'table', test: /kit\/web\/list\/wide-table\.tsx$/, priority: 3 },
            { name: 'declare', test: /kit\/resource\/index\.ts$/, priority: 2 },
            // One file for the declarations of each module: a declaration imports those it refers to, whose modules
            // import more.
            { name: declarations, test: DECLARED, priority: 1 },
          ],
        },
      },
    },
  },
}))
