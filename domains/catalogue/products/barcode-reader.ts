import program from 'zxing-wasm/reader/zxing_reader.wasm?url'
import { loadChunk } from '#kit/web/http/chunks.ts'
import type { BarcodeReader } from './read-barcode.ts'

let loaded: Promise<BarcodeReader> | undefined

/** Loads the barcode reader when a camera first needs it; tries again after a failure. */
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
