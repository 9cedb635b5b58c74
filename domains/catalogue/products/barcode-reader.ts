import program from 'zxing-wasm/reader/zxing_reader.wasm?url'
import { loadChunk } from '#kit/web/live/chunks.ts'
import type { PictureReader } from './read-barcode.ts'

let loaded: Promise<PictureReader> | undefined

/** The reader of pictures, fetched from this build when a camera first needs it; what failed is tried anew. */
export function loadPictureReader(): Promise<PictureReader> {
  loaded ??= load().catch((reason) => {
    loaded = undefined
    throw reason
  })
  return loaded
}

async function load(): Promise<PictureReader> {
  const [{ pictureReader }, bytes] = await Promise.all([import('./read-barcode.ts'), loadChunk(fetchProgram)])
  return pictureReader(bytes)
}

async function fetchProgram(): Promise<ArrayBuffer> {
  const answer = await fetch(program)
  if (!answer.ok) throw new Error(`${program}: ${answer.status}`)
  return answer.arrayBuffer()
}
