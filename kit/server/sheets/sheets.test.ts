import { deflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { Refused } from '../refused.ts'
import { readSheet, sheetRows } from './read-sheet.ts'
import { CELL_MAX, writeSheet } from './write-sheet.ts'
import { archive as archived, entryOf } from './zip.ts'

/** An archive of one deflated entry, as small as what it unpacks to is large. */
function archive(name: string, content: Buffer, claims = content.length): Buffer {
  const packed = deflateRawSync(content, { level: 9 })
  const local = Buffer.alloc(30 + name.length)
  local.writeUInt32LE(0x04034b50, 0)
  local.writeUInt16LE(8, 8)
  local.writeUInt32LE(packed.length, 18)
  local.writeUInt32LE(claims, 22)
  local.writeUInt16LE(name.length, 26)
  local.write(name, 30)
  const entry = Buffer.alloc(46 + name.length)
  entry.writeUInt32LE(0x02014b50, 0)
  entry.writeUInt16LE(8, 10)
  entry.writeUInt32LE(packed.length, 20)
  entry.writeUInt32LE(claims, 24)
  entry.writeUInt16LE(name.length, 28)
  entry.write(name, 46)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(entry.length, 12)
  end.writeUInt32LE(local.length + packed.length, 16)
  return Buffer.concat([local, packed, entry, end])
}

test('a written sheet is read as it was', async () => {
  const bytes = await writeSheet(
    'a',
    ['账户', '姓名'],
    [
      ['wang', '王建国'],
      ['', ''],
      ['li', '李四'],
    ],
  )
  expect(await readSheet(bytes, ['账户'])).toEqual([
    { line: 2, cells: { 账户: 'wang', 姓名: '王建国' } },
    { line: 4, cells: { 账户: 'li', 姓名: '李四' } },
  ])
})

test('a few kilobytes that unpack to much are refused before they are, whatever they claim', async () => {
  const zeros = Buffer.alloc(64 * 1024 * 1024, ' ')
  for (const claims of [zeros.length, 10]) {
    const bomb = archive('xl/worksheets/sheet1.xml', zeros, claims)
    expect(bomb.length).toBeLessThan(100_000)
    await expect(readSheet(bomb, ['账户'])).rejects.toMatchObject({ code: 'sheet_too_big' })
  }
})

const SHEET = 'xl/worksheets/sheet1.xml'
const SHARED = 'xl/sharedStrings.xml'
const inline = (text: string, place = 'B3') => `<c r="${place}" t="inlineStr"><is><t>${text}</t></is></c>`
const sheetOf = (...cells: string[]) =>
  `<worksheet><sheetData><row r="3">${cells.join('')}</row></sheetData></worksheet>`

/** The first row of a workbook of these parts, or why it was refused. */
async function firstRow(parts: Record<string, string>, max = 400 * 1024 * 1024): Promise<unknown> {
  const entries = await Promise.all(Object.entries(parts).map(([name, content]) => entryOf(name, content)))
  const bytes: Buffer[] = []
  for await (const part of archived(entries)) bytes.push(part)
  let first: unknown
  try {
    for await (const rows of sheetRows(Buffer.concat(bytes), max)) first ??= rows[0]?.cells
  } catch (error) {
    if (error instanceof Refused) return [error.code, error.params]
    throw error
  }
  return first
}

const tooLong = ['sheet_cell_too_long', { line: 3, column: 'B', max: CELL_MAX }]

test('a cell as long as a spreadsheet allows is read whole, and one sign more is refused by its place', async () => {
  const [whole, more] = ['长'.repeat(CELL_MAX), '长'.repeat(CELL_MAX + 1)]
  const escaped = '_x000D_'.repeat(CELL_MAX)
  expect(await firstRow({ [SHEET]: sheetOf(inline(whole)) })).toEqual(['', whole])
  expect(await firstRow({ [SHEET]: sheetOf(inline(escaped)) })).toEqual(['', '\r'.repeat(CELL_MAX)])
  expect(await firstRow({ [SHEET]: sheetOf(inline(more)) })).toEqual(tooLong)
  expect(await firstRow({ [SHEET]: sheetOf(inline(`${escaped}x`)) })).toEqual(tooLong)
  // In pieces that are each short, and as the result of a formula.
  const pieces = `<is>${`<r><t>${'x'.repeat(1000)}</t></r>`.repeat(400)}</is>`
  expect(await firstRow({ [SHEET]: sheetOf(`<c r="B3" t="inlineStr">${pieces}</c>`) })).toEqual(tooLong)
  const result = `<c r="B3" t="str"><f>A1</f><v>${more}</v></c>`
  expect(await firstRow({ [SHEET]: sheetOf(result) })).toEqual(tooLong)
})

test('a text that cells share is refused where a cell names it, and not where none does', async () => {
  const shared = `<sst><si><t>短</t></si><si><t>${'x'.repeat(CELL_MAX + 1)}</t></si></sst>`
  const naming = (at: number) => sheetOf(`<c r="B3" t="s"><v>${at}</v></c>`)
  expect(await firstRow({ [SHARED]: shared, [SHEET]: naming(0) })).toEqual(['', '短'])
  expect(await firstRow({ [SHARED]: shared, [SHEET]: naming(1) })).toEqual(tooLong)
})

test('a text without end is given up long before its end, wherever it stands', async () => {
  const endless = 'x'.repeat(20 * 1024 * 1024)
  expect(await firstRow({ [SHEET]: sheetOf(inline(endless)) })).toEqual(tooLong)
  expect(await firstRow({ [SHARED]: `<sst><si><t>${endless}</t></si></sst>`, [SHEET]: sheetOf() })).toEqual([
    'sheet_text_too_long',
    { max: CELL_MAX },
  ])
  for (const junk of [`<!--${endless}-->`, `<c x="${endless}"/>`, `<c ${'a="" '.repeat(1_000_000)}/>`])
    expect(await firstRow({ [SHEET]: sheetOf(junk) })).toEqual(['sheet_too_big', {}])
  expect(await firstRow({ [SHEET]: '<a>'.repeat(1_000_000) })).toEqual(['sheet_unreadable', {}])
})

test('texts that cells share are kept up to a bound, and said no more often than may be unpacked', async () => {
  const long = 'x'.repeat(CELL_MAX)
  const naming = sheetOf(...Array.from({ length: 400 }, () => '<c t="s"><v>0</v></c>'))
  const shared = `<sst><si><t>${long}</t></si></sst>`
  expect(await firstRow({ [SHARED]: shared, [SHEET]: naming })).toHaveLength(400)
  expect(await firstRow({ [SHARED]: shared, [SHEET]: naming }, 4 * 1024 * 1024)).toEqual(['sheet_too_big', {}])
  const many = `<sst>${`<si><t>${long}</t></si>`.repeat(2_000)}</sst>`
  expect(await firstRow({ [SHARED]: many, [SHEET]: sheetOf(inline('a')) })).toEqual(['sheet_too_big', {}])
})

test('what is no workbook is refused', async () => {
  for (const bytes of [
    Buffer.from('hello'),
    Buffer.from('PK\u0005\u0006'),
    Buffer.alloc(0),
    archive('a.xml', Buffer.from('x')),
  ])
    await expect(readSheet(bytes, ['账户'])).rejects.toMatchObject({ code: 'sheet_unreadable' })
})
