import { reloadForNewBuild, useNewServerBuild } from './build.ts'
import { waitForServer } from './connectivity.ts'
import { webSettings } from '../base/settings.ts'

/**
 * Error for a part of the application that cannot be fetched although the server answers. The user has to reload the
 * page.
 */
export class ChunkLoadError extends Error {
  readonly code: 'ChunkLoadError' | 'CSS_CHUNK_LOAD_FAILED'
  constructor(code: ChunkLoadError['code'], cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.name = 'ChunkLoadError'
    this.code = code
  }
}

const TRIES = 3
const cssOf = (reason: unknown) =>
  reason instanceof Error ? /preload CSS for (\S+)/i.exec(reason.message)?.[1] : undefined
const isFetch = (reason: unknown) => reason instanceof TypeError && /import|module|fetch/i.test(reason.message)

function failureOf(reason: unknown) {
  if (cssOf(reason)) return new ChunkLoadError('CSS_CHUNK_LOAD_FAILED', reason)
  return isFetch(reason) ? new ChunkLoadError('ChunkLoadError', reason) : undefined
}

async function inTime<T>(load: () => Promise<T>, timeout: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new ChunkLoadError('ChunkLoadError', `Loading took more than ${timeout} ms`)),
      timeout,
    )
  })
  try {
    return await Promise.race([load(), late])
  } finally {
    clearTimeout(timer)
  }
}

/** Loads a stylesheet again. The bundler requests it only once and then takes it for loaded, even if that failed. */
const styleAgain = (href: string) =>
  new Promise<void>((resolve) => {
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href })
    link.onload = () => resolve()
    link.onerror = () => resolve()
    document.head.append(link)
  })

/**
 * Loads a lazy part of the application. Waits while the server does not answer and tries again afterwards. Reloads the
 * page if a new build removed the file and no work would be lost. Throws `ChunkLoadError` if none of that helps; a part
 * that takes over two minutes counts as failed.
 */
export async function loadChunk<T>(load: () => Promise<T>, timeout = webSettings.chunkTimeout): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await inTime(load, timeout)
    } catch (reason) {
      const failure = failureOf(reason)
      if (!failure) throw reason
      await waitForServer()
      if (reloadForNewBuild()) return new Promise<T>(() => {})
      if (tries === TRIES || useNewServerBuild.getState().build) throw failure
      const style = cssOf(reason)
      if (style) await styleAgain(style)
    }
  }
}
