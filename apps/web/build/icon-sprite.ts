import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'
import { iconNames } from '#kit/base/icon-names.ts'

function sprite() {
  const icons = createRequire(createRequire(import.meta.url).resolve('@ant-design/icons/package.json'))
  const folder = join(dirname(icons.resolve('@ant-design/icons-svg/package.json')), 'inline-svg', 'outlined')
  const symbols = iconNames.map((name) => {
    const svg = readFileSync(join(folder, `${name}.svg`), 'utf8')
    const [, box, shape] = /viewBox="([^"]+)"[^>]*>(.*)<\/svg>/s.exec(svg) ?? []
    return `<symbol id="${name}" viewBox="${box}">${shape?.replaceAll(/<defs>.*?<\/defs>/gs, '')}</symbol>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg">${symbols.join('')}</svg>`
}

/** Returns the sprite's path in the build; it contains a hash of the content, so that browsers cache it for good. */
export const iconSpritePath = () =>
  `/assets/icons-${createHash('sha256').update(sprite()).digest('hex').slice(0, 8)}.svg`

/** Makes one SVG file of the fixed set of icons: served in development, emitted by the build. */
export function iconSpritePlugin(): Plugin {
  return {
    name: 'icon-sprite',
    configureServer(server) {
      server.middlewares.use('/icons.svg', (_request, response) => {
        response.setHeader('Content-Type', 'image/svg+xml')
        response.end(sprite())
      })
    },
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: iconSpritePath().slice(1), source: sprite() })
    },
  }
}
