import { deflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { Refused } from '../base/refused.ts'
import { readSheet, sheetRows } from './read-sheet.ts'
import { CELL_CHARACTERS_MAX, writeSingleSheetWorkbook } from './write-sheet.ts'
import { streamZip as archived, createZipOutputEntry } from './zip.ts'

/** Makes an archive of one entry that is small but unpacks to much. */
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
  const bytes = await writeSingleSheetWorkbook(
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
  const entries = await Promise.all(Object.entries(parts).map(([name, content]) => createZipOutputEntry(name, content)))
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

const tooLong = ['sheet_cell_too_long', { line: 3, column: 'B', max: CELL_CHARACTERS_MAX }]

test('a cell as long as a spreadsheet allows is read whole, and one sign more is refused by its place', async () => {
  const [whole, more] = ['长'.repeat(CELL_CHARACTERS_MAX), '长'.repeat(CELL_CHARACTERS_MAX + 1)]
  const escaped = '_x000D_'.repeat(CELL_CHARACTERS_MAX)
  expect(await firstRow({ [SHEET]: sheetOf(inline(whole)) })).toEqual(['', whole])
  expect(await firstRow({ [SHEET]: sheetOf(inline(escaped)) })).toEqual(['', '\r'.repeat(CELL_CHARACTERS_MAX)])
  expect(await firstRow({ [SHEET]: sheetOf(inline(more)) })).toEqual(tooLong)
  expect(await firstRow({ [SHEET]: sheetOf(inline(`${escaped}x`)) })).toEqual(tooLong)
  // Also in many short pieces, and as the result of a formula.
  const pieces = `<is>${`<r><t>${'x'.repeat(1000)}</t></r>`.repeat(400)}</is>`
  expect(await firstRow({ [SHEET]: sheetOf(`<c r="B3" t="inlineStr">${pieces}</c>`) })).toEqual(tooLong)
  const result = `<c r="B3" t="str"><f>A1</f><v>${more}</v></c>`
  expect(await firstRow({ [SHEET]: sheetOf(result) })).toEqual(tooLong)
})

test('a text that cells share is refused where a cell names it, and not where none does', async () => {
  const shared = `<sst><si><t>短</t></si><si><t>${'x'.repeat(CELL_CHARACTERS_MAX + 1)}</t></si></sst>`
  const sheetWithText = (at: number) => sheetOf(`<c r="B3" t="s"><v>${at}</v></c>`)
  expect(await firstRow({ [SHARED]: shared, [SHEET]: sheetWithText(0) })).toEqual(['', '短'])
  expect(await firstRow({ [SHARED]: shared, [SHEET]: sheetWithText(1) })).toEqual(tooLong)
})

test('a text without end is given up long before its end, wherever it stands', async () => {
  const endless = 'x'.repeat(20 * 1024 * 1024)
  expect(await firstRow({ [SHEET]: sheetOf(inline(endless)) })).toEqual(tooLong)
  expect(await firstRow({ [SHARED]: `<sst><si><t>${endless}</t></si></sst>`, [SHEET]: sheetOf() })).toEqual([
    'sheet_text_too_long',
    { max: CELL_CHARACTERS_MAX },
  ])
  for (const junk of [`<!--${endless}-->`, `<c x="${endless}"/>`, `<c ${'a="" '.repeat(1_000_000)}/>`])
    expect(await firstRow({ [SHEET]: sheetOf(junk) })).toEqual(['sheet_too_big', {}])
  expect(await firstRow({ [SHEET]: '<a>'.repeat(1_000_000) })).toEqual(['sheet_unreadable', {}])
})

test('texts that cells share are kept up to a bound, and said no more often than may be unpacked', async () => {
  const long = 'x'.repeat(CELL_CHARACTERS_MAX)
  const sheet = sheetOf(...Array.from({ length: 400 }, () => '<c t="s"><v>0</v></c>'))
  const shared = `<sst><si><t>${long}</t></si></sst>`
  expect(await firstRow({ [SHARED]: shared, [SHEET]: sheet })).toHaveLength(400)
  expect(await firstRow({ [SHARED]: shared, [SHEET]: sheet }, 4 * 1024 * 1024)).toEqual(['sheet_too_big', {}])
  const many = `<sst>${`<si><t>${long}</t></si>`.repeat(2_000)}</sst>`
  expect(await firstRow({ [SHARED]: many, [SHEET]: sheetOf(inline('a')) })).toEqual(['sheet_too_big', {}])
})

test('what is no workbook is refused', async () => {
  for (const [bytes, code] of [
    [Buffer.from('hello'), 'sheet_other_format'],
    [Buffer.from('PK\u0005\u0006'), 'sheet_unreadable'],
    [Buffer.alloc(0), 'sheet_other_format'],
    [archive('a.xml', Buffer.from('x')), 'sheet_not_workbook'],
  ] as const)
    await expect(readSheet(bytes, ['账户'])).rejects.toMatchObject({ code })
})

type Part = [name: string, content: string]
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const relations = (...all: [id: string, type: string, target: string][]) =>
  `<Relationships>${all
    .map(([id, type, target]) => `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`

async function zipped(parts: readonly Part[]): Promise<Buffer> {
  const bytes: Buffer[] = []
  for await (const piece of archived(
    await Promise.all(parts.map(([name, content]) => createZipOutputEntry(name, content))),
  ))
    bytes.push(piece)
  return Buffer.concat(bytes)
}

/** A workbook with other part names than usual, and a chart before the sheet with the data. */
const foreign = (sheetData: string): Part[] => [
  ['_rels/.rels', relations(['r1', 'officeDocument', 'book/main.xml'])],
  ['book/main.xml', '<workbook><sheets><sheet name="图" id="c1"/><sheet name="商品" id="s1"/></sheets></workbook>'],
  [
    'book/_rels/main.xml.rels',
    relations(
      ['c1', 'chartsheet', 'charts/one.xml'],
      ['s1', 'worksheet', '/Tables/One.XML'],
      ['t1', 'sharedStrings', '../texts/all.xml'],
    ),
  ],
  ['book/charts/one.xml', '<chartsheet/>'],
  ['texts/all.xml', '<sst><si><t>账户</t></si><si><t>wang</t></si><si><t>备注</t></si></sst>'],
  ['tables/one.xml', `<worksheet><sheetData>${sheetData}</sheetData></worksheet>`],
]
const FOREIGN_ROWS = '<row r="1"><c r="A1" t="s"><v>0</v></c></row><row r="2"><c r="A2" t="s"><v>1</v></c></row>'

test('parts are found by relationship and type, whatever they are called and whatever stands before them', async () => {
  expect(await readSheet(await zipped(foreign(FOREIGN_ROWS)), ['账户'])).toEqual([{ line: 2, cells: { 账户: 'wang' } }])
})

test('a workbook of charts alone says that it holds no sheet', async () => {
  const parts = foreign(FOREIGN_ROWS).map(([name, content]): Part => [
    name,
    content.replace('/worksheet"', '/chartsheet"'),
  ])
  await expect(readSheet(await zipped(parts), ['账户'])).rejects.toMatchObject({ code: 'sheet_none' })
})

test('an archive that was streamed, its sizes and places in 64 bits, is read as any other', async () => {
  expect(await readSheet(asZip64(await zipped(foreign(FOREIGN_ROWS))), ['账户'])).toEqual([
    { line: 2, cells: { 账户: 'wang' } },
  ])
})

/** Rewrites an archive as streaming programs do: all sizes in 64-bit fields. */
function asZip64(bytes: Buffer): Buffer {
  const end = bytes.lastIndexOf('PK\u0005\u0006')
  const [count, start] = [bytes.readUInt16LE(end + 10), bytes.readUInt32LE(end + 16)]
  const lines: Buffer[] = []
  for (let at = start, n = 0; n < count; n++) {
    const length = 46 + bytes.readUInt16LE(at + 28)
    const line = Buffer.from(bytes.subarray(at, at + length))
    const wide = Buffer.alloc(28)
    wide.writeUInt16LE(1, 0)
    wide.writeUInt16LE(24, 2)
    wide.writeBigUInt64LE(BigInt(line.readUInt32LE(24)), 4)
    wide.writeBigUInt64LE(BigInt(line.readUInt32LE(20)), 12)
    wide.writeBigUInt64LE(BigInt(line.readUInt32LE(42)), 20)
    for (const place of [20, 24, 42]) line.writeUInt32LE(0xffffffff, place)
    line.writeUInt16LE(28, 30)
    lines.push(line, wide)
    at += length + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  const directory = Buffer.concat(lines)
  const record = Buffer.alloc(56)
  record.writeUInt32LE(0x06064b50, 0)
  record.writeBigUInt64LE(44n, 4)
  record.writeBigUInt64LE(BigInt(directory.length), 40)
  record.writeBigUInt64LE(BigInt(start), 48)
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(0x07064b50, 0)
  locator.writeBigUInt64LE(BigInt(start + directory.length), 8)
  const tail = Buffer.alloc(22)
  tail.writeUInt32LE(0x06054b50, 0)
  tail.writeUInt16LE(0xffff, 8)
  tail.writeUInt16LE(0xffff, 10)
  tail.writeUInt32LE(0xffffffff, 12)
  tail.writeUInt32LE(0xffffffff, 16)
  return Buffer.concat([bytes.subarray(0, start), directory, record, locator, tail])
}

test('a heading that stands twice is refused by its columns, one that is missing by what stood there', async () => {
  const twice = await writeSingleSheetWorkbook('员工', ['账户', '姓名', '账户'], [['wang', '王', 'li']])
  await expect(readSheet(twice, ['账户'])).rejects.toMatchObject({
    code: 'sheet_heading_twice',
    params: { sheet: '员工', heading: '账户', first: 'A', second: 'C' },
  })
  await expect(readSheet(await writeSingleSheetWorkbook('员工', ['姓名', '手机'], []), ['账户'])).rejects.toMatchObject(
    {
      code: 'sheet_no_heading',
      params: { sheet: '员工', line: 1, missing: '账户', found: '姓名、手机' },
    },
  )
})

test.each(['#FIELD!', '#BUSY!', '#PYTHON!', '#N/A'])(
  'a formula that failed (%s) is known by the type of its cell, not by a list of signs',
  async (error) => {
    const rows = FOREIGN_ROWS.replace('<c r="A2" t="s"><v>1</v></c>', `<c r="A2" t="e"><v>${error}</v></c>`)
    await expect(readSheet(await zipped(foreign(rows)), ['账户'])).rejects.toMatchObject({
      code: 'sheet_cell_failed',
      params: { line: 2, heading: '账户', error },
    })
  },
)

test.each([
  [
    'a password',
    Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.from('EncryptedPackage', 'utf16le')]),
    'sheet_password',
    {},
  ],
  ['a workbook of before 2007', Buffer.from('d0cf11e0a1b11ae100', 'hex'), 'sheet_other_format', { type: 'XLS' }],
  ['lines of text', Buffer.from('账户,姓名\nwang,王'), 'sheet_other_format', { type: 'CSV' }],
  ['a page of another system', Buffer.from('\ufeff <table><tr><td>账户'), 'sheet_other_format', { type: 'HTML / XML' }],
  ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 1]), 'sheet_not_workbook', {}],
])('%s is told as what it is', async (_what, bytes, code, params) => {
  await expect(readSheet(bytes, ['账户'])).rejects.toMatchObject({ code, params })
})

test('an archive of another program is told as its format, and any other as no workbook', async () => {
  await expect(readSheet(await zipped([['content.xml', '<a/>']]), ['账户'])).rejects.toMatchObject({
    code: 'sheet_other_format',
    params: { type: 'ODS' },
  })
  await expect(readSheet(await zipped([['readme.txt', 'a']]), ['账户'])).rejects.toMatchObject({
    code: 'sheet_not_workbook',
  })
})
