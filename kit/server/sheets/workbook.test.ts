import type { CellFormulaValue, Workbook, Worksheet } from 'exceljs'
import { constants, inflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { f } from '../../resource/f.ts'
import type { Field } from '../../fields/base/field-kind.ts'
import { toSheetCell, normalizedCellText } from './cells.ts'
import { nextExportPart } from './export.ts'
import { sheetRows } from './read-sheet.ts'
import {
  CELL_CHARACTERS_MAX,
  columnLetters,
  rowXml,
  sheetHeadXml,
  sheetTailXml,
  SHEET_ROWS_MAX,
  workbookFrameEntries,
  writeSingleSheetWorkbook,
  type SheetCell,
} from './write-sheet.ts'
import { streamZip, EMPTY_ZIP_CHECKSUM, deflateZipPart, type ZipChecksum } from './zip.ts'

async function cellsOf(bytes: Buffer): Promise<SheetCell[][]> {
  const out: SheetCell[][] = []
  for await (const rows of sheetRows(bytes, 1e9)) out.push(...rows.map(({ cells }) => cells))
  return out
}

const text = fc
  .oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '=1+1',
      '_x0041_',
      '_x_x000D_',
      ' lead',
      'a\r\nb',
      '\u0007bell',
      ']]>',
      '<t>&amp;"',
      '中文，，',
      '\ufffe\uffff',
      '😀',
    ),
  )
  .map((given) => given.toWellFormed())
const cell: fc.Arbitrary<SheetCell> = fc.oneof(text, fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))

describe('a workbook', () => {
  it('gives back every text and number it was given, whatever they are made of', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 5 }), async (rows) => {
        const read = await cellsOf(await writeSingleSheetWorkbook('x', ['a', 'b', 'c', 'd'], rows))
        const tidy = (row: SheetCell[]) => {
          const out = row.map((one) => (Object.is(one, -0) ? 0 : one))
          while (out.length && out.at(-1) === '') out.pop()
          return out
        }
        expect(read.slice(1).map(tidy)).toEqual(rows.map(tidy))
      }),
      { numRuns: 60 },
    )
  })

  it(
    'holds a text that begins like a formula as a text, with the mark that keeps it one when the ' +
      'cell is touched, and no other text has it',
    async () => {
      const { default: excel } = await import('exceljs')
      const formulas = [
        '=HYPERLINK("https://evil.example","x")',
        '+1',
        '-2+3',
        '@SUM(A1)',
        '\t=1',
        '\r=1',
        ' =1',
        '"=1',
        '＝1',
      ]
      const texts = [...formulas, 'a=b', '牛奶', '13800000001']
      const bytes = await writeSingleSheetWorkbook(
        'x',
        ['a'],
        texts.map((one) => [one]),
      )
      const workbook = new excel.Workbook()
      await workbook.xlsx.load(bytes as never)
      expect(
        workbook.worksheets[0]!.getColumn(1)
          .values.slice(2)
          .map((one) => typeof one),
      ).toEqual(Array.from({ length: 12 }, () => 'string'))
      const packed = (await workbookFrameEntries([{ name: 'x' }]))
        .find(({ name }) => name === 'xl/styles.xml')!
        .content() as Iterable<Buffer>
      const styles = inflateRawSync(Buffer.concat([...packed]), { finishFlush: constants.Z_SYNC_FLUSH }).toString()
      const looks = [
        ...styles
          .split('<cellXfs')[1]!
          .split('</cellXfs>')[0]!
          .matchAll(/<xf [^>]*>/g),
      ].map(([xf]) => xf)
      const marked = [
        ...texts
          .map((one) => rowXml(1, [one], ['text']))
          .join('')
          .matchAll(/<c r="A1" s="(\d+)" t="inlineStr"/g),
      ].map(([, at]) => /numFmtId="49".*quotePrefix="1"/.test(looks[Number(at)]!))
      expect(marked).toEqual([...formulas.map(() => true), false, false, false])
    },
  )

  it('is the same whether its sheet was packed at once or stretch by stretch, by whomever', async () => {
    const { default: excel } = await import('exceljs')
    const rows = Array.from({ length: 900 }, (_none, n) => `<row r="${n + 2}"><c r="A${n + 2}"><v>${n}</v></c></row>`)
    const stretches = [
      sheetHeadXml([{ text: 'n', width: 9 }]),
      ...[0, 300, 600].map((from) => rows.slice(from, from + 300).join('')),
    ]
    let sum: ZipChecksum = EMPTY_ZIP_CHECKSUM
    const packed: Buffer[] = []
    for (const [at, one] of [...stretches, sheetTailXml()].entries()) {
      // The checksum so far can be stored as JSON.
      const made = await deflateZipPart(
        [Buffer.from(one)],
        JSON.parse(JSON.stringify(sum)) as ZipChecksum,
        at === stretches.length,
      )
      sum = made.sum
      packed.push(made.bytes)
    }
    const parts: Buffer[] = []
    for await (const part of streamZip([
      ...(await workbookFrameEntries([{ name: 'x' }])),
      { name: 'xl/worksheets/sheet1.xml', sum, content: () => packed },
    ]))
      parts.push(part)
    const bytes = Buffer.concat(parts)
    expect((await cellsOf(bytes)).flat()).toEqual(['n', ...Array.from({ length: 900 }, (_none, n) => n)])
    const workbook = new excel.Workbook()
    await workbook.xlsx.load(bytes as never)
    expect(workbook.worksheets[0]!.rowCount).toBe(901)
  })

  it('of more rows than a sheet can hold goes on in the next sheet, and no part lies in two', () => {
    const seen: { sheet: number; rows: number }[] = []
    let total = 0
    while (total < 2 * SHEET_ROWS_MAX + 5) {
      const stretch = nextExportPart(total)
      seen.push(stretch)
      total += stretch.rows
    }
    const inSheet = (sheet: number) => seen.filter((one) => one.sheet === sheet).reduce((sum, one) => sum + one.rows, 0)
    expect([inSheet(0), inSheet(1)]).toEqual([SHEET_ROWS_MAX, SHEET_ROWS_MAX])
    expect(Math.max(...seen.map(({ rows }) => rows))).toBe(10_000)
  })

  it('names its columns A to XFD', () => {
    expect([0, 25, 26, 51, 701, 702, 16_383].map(columnLetters)).toEqual(['A', 'Z', 'AA', 'AZ', 'ZZ', 'AAA', 'XFD'])
  })
})

describe('a workbook others made', () => {
  const made = async (fill: (sheet: Worksheet, workbook: Workbook) => void) => {
    const { default: excel } = await import('exceljs')
    const workbook = new excel.Workbook()
    fill(workbook.addWorksheet('x'), workbook)
    return Buffer.from(await workbook.xlsx.writeBuffer({ useSharedStrings: true, useStyles: true }))
  }

  it(
    'is read as people see it: shared texts, days and times, per cents, results ' +
      'of formulas, blank lines at its end',
    async () => {
      for (const date1904 of [false, true]) {
        const bytes = await made((sheet, workbook) => {
          workbook.properties.date1904 = date1904
          sheet.addRow(['名', '日', '时刻', '几点', '率', '数', '式', '花'])
          const row = sheet.addRow([
            '同样的字',
            new Date('2026-03-01T00:00:00Z'),
            new Date('2026-03-01T08:30:00Z'),
            0.5,
            0.125,
            1234.5,
            { formula: '1+1', result: 2 },
            { richText: [{ text: '红' }, { text: '绿', font: { bold: true } }] },
          ])
          row.getCell(2).numFmt = 'yyyy"年"m"月"d"日"'
          row.getCell(3).numFmt = 'yyyy-mm-dd hh:mm'
          row.getCell(4).numFmt = 'h:mm'
          row.getCell(5).numFmt = '0.0%'
          row.getCell(6).numFmt = '[Red]#,##0.00_);(#,##0.00)'
          sheet.addRow(['同样的字', { formula: '"a"&"b"', result: 'ab' }, true])
          for (let n = 0; n < 5; n++) sheet.addRow([]).getCell(9).numFmt = '0%'
        })
        const [, first, second, ...rest] = await cellsOf(bytes)
        expect(first).toEqual(['同样的字', '2026-03-01', '2026-03-01 08:30:00', '12:00:00', '12.5%', 1234.5, 2, '红绿'])
        expect(second).toEqual(['同样的字', 'ab', 'true'])
        expect(rest.flat()).toEqual([])
      }
    },
  )

  it('with merged cells is refused by their place, because what they hide would be read as emptied', async () => {
    const bytes = await made((sheet) => {
      sheet.addRows([
        ['名', '店'],
        ['甲', '一店'],
        ['乙', ''],
      ])
      sheet.mergeCells('B2:B3')
    })
    await expect(cellsOf(bytes)).rejects.toMatchObject({ code: 'sheet_merged', params: { range: 'B2:B3' } })
  })

  it(
    'whose formulas were never counted is refused by the place: nothing would ' + 'be read where something is meant',
    async () => {
      const bytes = (more: Partial<CellFormulaValue>) =>
        made((sheet) => {
          sheet.addRows([
            ['名', '价'],
            ['甲', 1],
          ])
          sheet.getCell('B2').value = { formula: 'A1&""', ...more }
        })
      expect(await cellsOf(await bytes({ result: '' }))).toEqual([['名', '价'], ['甲']])
      await expect(cellsOf(await bytes({}))).rejects.toMatchObject({ code: 'sheet_uncounted', params: { cell: 'B2' } })
    },
  )

  it('keeps the zeros a number is shown with', async () => {
    const bytes = await made((sheet) => {
      sheet.addRow([42, 42, 123456, 1.5])
      sheet.getCell('A1').numFmt = '000000'
      sheet.getCell('B1').numFmt = '0'
      sheet.getCell('C1').numFmt = '0000'
      sheet.getCell('D1').numFmt = '0000'
    })
    expect(await cellsOf(bytes)).toEqual([['000042', 42, 123456, 1.5]])
  })
})

describe('a cell', () => {
  const label = { zh: '列', en: 'Column' }
  const says = (field: Field, ...cells: SheetCell[]) => new Set(cells.map((one) => normalizedCellText(field, one))).size

  it('says the same in whatever form it was typed', () => {
    expect(says(f.money({ label }), 1234.5, '1234.50', '¥1,234.5', ' 1234.5 ')).toBe(1)
    expect(says(f.date({ label }), '2026-03-01', '2026/3/1', 46_082)).toBe(1)
    expect(says(f.datetime({ label }), '2026-03-01 08:30:00', '2026/3/1 08:30', 46_082 + 8.5 / 24)).toBe(1)
    expect(says(f.dicts('x', { label }), '甲,乙', '甲， 乙', ' 甲,乙 ')).toBe(1)
    expect(says(f.text({ label }), 'a\r\nb', 'a\nb ')).toBe(1)
    expect(says(f.text({ label }), '00123', 123)).toBe(2)
    expect(says(f.percent({ label }), 12.5, '12.5%', '12.50')).toBe(1)
    expect(says(f.number({ label }), 12.5, '12.5%')).toBe(2)
  })

  it('counts moments to the second, in both directions', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.date({ min: new Date('1901-01-01'), max: new Date('2199-12-31'), noInvalidDate: true }),
        async (date) => {
          const moment = date.toISOString().slice(0, 19).replace('T', ' ')
          const [, [read] = []] = await cellsOf(
            await (
              await import('./write-sheet.ts')
            ).writeWorkbook([{ name: 'x', headings: [{ text: 'at', width: 9 }], looks: ['moment'], rows: [[moment]] }]),
          )
          expect(normalizedCellText(f.datetime({ label }), read!)).toBe(moment)
        },
      ),
      { numRuns: 40 },
    )
  })

  it('holds what the list shows: words for keys, nothing for what is empty, no more than a cell can hold', () => {
    const dict = f.dict('x', { label, numeric: true })
    expect(toSheetCell('a', dict, { a: 1, aName: '甲' }, { a: 1 }, 'zh')).toBe('甲')
    expect(toSheetCell('a', dict, { a: -1, aName: '' }, { a: null }, 'zh')).toBe('')
    expect(toSheetCell('a', f.number({ label }), { a: -1 }, { a: -1 }, 'zh')).toBe(-1)
    expect(toSheetCell('a', f.number({ label }), { a: -1 }, { a: null }, 'zh')).toBe('')
    expect(toSheetCell('a', f.boolean({ label }), { a: false }, { a: false }, 'en')).toBe('No')
    expect(String(toSheetCell('a', f.longText({ label }), { a: '长'.repeat(40_000) }, undefined, 'zh'))).toHaveLength(
      CELL_CHARACTERS_MAX,
    )
  })
})
