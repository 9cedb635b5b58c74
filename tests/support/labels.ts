import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { prepareZXingModule, writeBarcode, type WriterOptions } from 'zxing-wasm/writer'

const program = createRequire(import.meta.url).resolve('zxing-wasm/writer/zxing_writer.wasm')
let prepared: Promise<unknown> | undefined

/** Draws a barcode as printed, row by row, one character per module: "1" is black. A barcode of bars has one row. */
export async function drawLabel(text: string, format: WriterOptions['format']): Promise<string[]> {
  prepared ??= readFile(program).then((bytes) =>
    prepareZXingModule({ overrides: { wasmBinary: Uint8Array.from(bytes).buffer }, fireImmediately: true }),
  )
  await prepared
  const { symbol, error } = await writeBarcode(text, { format, scale: 1, addQuietZones: false })
  if (error) throw new Error(`${text} as ${format}: ${error}`)
  const modules = Array.from(symbol.data, (brightness) => (brightness ? '0' : '1')).join('')
  const rows = Array.from({ length: symbol.height }, (_, y) => modules.slice(y * symbol.width, (y + 1) * symbol.width))
  return new Set(rows).size === 1 ? rows.slice(0, 1) : rows
}
