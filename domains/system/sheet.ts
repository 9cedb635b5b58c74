import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'
import { Refused } from '#kit/server/refused.ts'
import './refusals.ts'

const inflate = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflateRaw)

const ROWS_MAX = 5000
/** What a sheet may unpack to: a few hundred bytes can say gigabytes. */
const UNPACKED_MAX = 16 * 1024 * 1024
const ENTRY = 0x02014b50
const END = Buffer.from('PK\u0005\u0006')

/** Unpacks each entry of a workbook's archive, throwing what comes out away, and no more than is allowed. */
async function checkUnpacked(bytes: Buffer): Promise<void> {
  const end = bytes.lastIndexOf(END)
  let [left, at] = [UNPACKED_MAX, bytes.readUInt32LE(end + 16)]
  while (at < end && bytes.readUInt32LE(at) === ENTRY) {
    const [size, local] = [bytes.readUInt32LE(at + 20), bytes.readUInt32LE(at + 42)]
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
    const packed = bytes.subarray(start, start + size)
    const isStored = bytes.readUInt16LE(at + 10) === 0
    left -= isStored || !packed.length ? packed.length : (await inflate(packed, { maxOutputLength: Math.max(1, left) })).length
    if (left < 0) throw new Refused('sheet_too_big')
    at += 46 + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  // Entries a reader finds and this did not would be unpacked unmeasured.
  if (at !== end) throw new Refused('sheet_unreadable')
}

/** A workbook of one sheet: headings, then rows. Values are stored as text, so that none becomes a formula. */
export async function writeSheet(name: string, headings: readonly string[], rows: readonly (readonly (string | number)[])[]): Promise<Buffer> {
  const { default: excel } = await import('exceljs')
  const workbook = new excel.Workbook()
  const sheet = workbook.addWorksheet(name, { views: [{ state: 'frozen', ySplit: 1 }] })
  sheet.columns = headings.map((heading, index) => ({ header: heading, width: Math.min(40, Math.max(heading.length * 2 + 4, ...rows.slice(0, 50).map((row) => String(row[index] ?? '').length + 2))) }))
  sheet.getRow(1).font = { bold: true }
  for (const row of rows) sheet.addRow([...row])
  return Buffer.from(await workbook.xlsx.writeBuffer())
}

/** Rows of a workbook's first sheet as texts by heading; the heading row must hold all headings asked for. */
export async function readSheet(bytes: Buffer, headings: readonly string[]): Promise<{ line: number; cells: Record<string, string> }[]> {
  const { default: excel } = await import('exceljs')
  const workbook = new excel.Workbook()
  try {
    await checkUnpacked(bytes)
    await workbook.xlsx.load(bytes as never)
  } catch (error) {
    if (error instanceof Refused) throw error
    throw new Refused((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE' ? 'sheet_too_big' : 'sheet_unreadable')
  }
  const sheet = workbook.worksheets[0]
  if (!sheet) throw new Refused('sheet_unreadable')
  if (sheet.actualRowCount > ROWS_MAX + 1) throw new Refused('sheet_too_long', { max: ROWS_MAX })
  const places = new Map<string, number>()
  sheet.getRow(1).eachCell((cell, column) => void places.set(cell.text.trim(), column))
  if (headings.some((heading) => !places.has(heading))) throw new Refused('sheet_unreadable')
  const out: { line: number; cells: Record<string, string> }[] = []
  sheet.eachRow((row, line) => {
    if (line === 1) return
    const cells = Object.fromEntries([...places].map(([heading, column]) => [heading, row.getCell(column).text.trim()]))
    if (Object.values(cells).some((text) => text !== '')) out.push({ line, cells })
  })
  return out
}

/** The answer of a download. */
export const sheetAnswer = (name: string, bytes: Buffer) => ({
  headers: {
    'content-type': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'content-disposition': `attachment; filename="export.xlsx"; filename*=UTF-8''${encodeURIComponent(name)}.xlsx`,
    'cache-control': 'no-store',
  },
  body: bytes,
})
