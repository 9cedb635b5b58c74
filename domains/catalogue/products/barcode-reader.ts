import program from 'zxing-wasm/reader/zxing_reader.wasm?url'
import { loadChunk } from '#kit/web/live/chunks.ts'
import type { BarcodeReader } from './read-barcode.ts'

let loaded: Promise<BarcodeReader> | undefined

/** The reader of pictures, fetched from this build when a camera first needs it; what failed is tried anew. */
export function loadBarcodeReader(): Promise<BarcodeReader> {
  loaded ??= load().catch((reason) => {
    loaded = undefined
    throw reason
  })
  return loaded
}

async function load(): Promise<BarcodeReader> {
  const [{ createBarcodeReader: pictureReader }, bytes] = await Promise.all([
    import('./read-barcode.ts'),
    loadChunk(fetchProgram),
  ])
  return pictureReader(bytes)
}

async function fetchProgram(): Promise<ArrayBuffer> {
  const answer = await fetch(program)
  if (!answer.ok) throw new Error(`${program}: ${answer.status}`)
  return answer.arrayBuffer()
}
