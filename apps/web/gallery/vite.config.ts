import react from '@vitejs/plugin-react'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { iconSpritePlugin, iconSpritePath } from '../build/icon-sprite.ts'
import { fakeServer } from './fake-server.ts'

/**
 * `vite --config apps/web/gallery/vite.config.ts` shows every kind of field and the derived page, without a server;
 * `tests/journeys/kit.test.ts` builds it and works on it.
 */
export default defineConfig(({ command }) => ({
  root: fileURLToPath(new URL('.', import.meta.url)),
  publicDir: fileURLToPath(new URL('../public', import.meta.url)),
  cacheDir: fileURLToPath(new URL('../../../node_modules/.vite/gallery', import.meta.url)),
  plugins: [react(), iconSpritePlugin(), fakeServer()],
  define: { 'import.meta.env.VITE_ICONS': JSON.stringify(command === 'build' ? iconSpritePath() : '/icons.svg') },
  // Minifying is not worth it, because the gallery is never loaded over a slow network.
  build: { minify: false, reportCompressedSize: false },
  server: { host: '127.0.0.1', port: Number(process.env.PORT ?? 5199) },
  optimizeDeps: {
    include: [
      'antd',
      '@tanstack/react-query',
      'react-router',
      'zustand',
      'dayjs',
      'squire-rte',
      'dompurify',
      'antd/locale/zh_CN',
      'antd/locale/en_US',
      'dayjs/locale/zh-cn',
    ],
  },
}))
