import { settings } from '#kit/web/settings.ts'

/** A part of the application that could not be fetched; reloading the page is the way out. */
export class ChunkError extends Error {
  readonly code: 'ChunkLoadError' | 'CSS_CHUNK_LOAD_FAILED'
  constructor(code: ChunkError['code'], cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.name = 'ChunkLoadError'
    this.code = code
  }
}

const isCss = (reason: unknown) => reason instanceof Error && /preload CSS/i.test(reason.message)
const isFetch = (reason: unknown) =>
  reason instanceof TypeError && /import|module|fetch/i.test(reason.message)

/** Loads a part of the application; a part that does not come within two minutes counts as failed. */
export async function loadChunk<T>(load: () => Promise<T>, timeout = settings.chunkTimeout): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ChunkError('ChunkLoadError', `Loading took more than ${timeout} ms`)), timeout)
  })
  try {
    return await Promise.race([load(), late])
  } catch (reason) {
    if (isCss(reason)) throw new ChunkError('CSS_CHUNK_LOAD_FAILED', reason)
    throw isFetch(reason) ? new ChunkError('ChunkLoadError', reason) : reason
  } finally {
    clearTimeout(timer)
  }
}
