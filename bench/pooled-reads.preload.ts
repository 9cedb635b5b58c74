// Loaded before a server that is measured without shared connections (bench/pooled-reads.ts).
import { registerHooks } from 'node:module'

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context)
    return found.url.endsWith('/kit/server/database/shared-reads.ts')
      ? { ...found, url: new URL('./pooled-reads.ts', import.meta.url).href }
      : found
  },
})
