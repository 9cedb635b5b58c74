import type { Field } from '../../fields/base/field-kind.ts'
import { fieldKindOf } from '../../fields/kinds.ts'
import { streamZip, createZipOutputEntry, type ZipOutputEntry } from './zip.ts'

/** Content of a cell: a number or a text; dates and times are texts as on the wire. */
export type SheetCell = string | number
export type CellStyle = 'plain' | 'text' | 'literal' | 'heading' | 'required' | 'wrong' | 'amount' | 'day' | 'moment'
/** Characters a cell can hold. */
export const CELL_CHARACTERS_MAX = 32_767
/** Rows a sheet can hold below the headings. */
export const SHEET_ROWS_MAX = 1_048_575

const LOOKS: CellStyle[] = ['plain', 'text', 'heading', 'required', 'wrong', 'amount', 'day', 'moment', 'literal']
const style = (look: CellStyle) => LOOKS.indexOf(look)

export const cellStyleOf = (field: Field): CellStyle => fieldKindOf(field).sheet?.look ?? 'text'

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
// Characters XML cannot contain are written as _xHHHH_; text that looks like that is escaped the same way.
const xml = (text: string) =>
  text
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replace(
      /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/g,
      (sign) => `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
    )
    .replace(/[&<>"]/g, (sign) => ESCAPES[sign]!)

const letters: string[] = []
/** Name of a column (A, B, … Z, AA) by its index from 0. */
export function columnLetters(place: number): string {
  return (letters[place] ??=
    `${place >= 26 ? columnLetters(Math.floor(place / 26) - 1) : ''}${String.fromCharCode(65 + (place % 26))}`)
}

const EPOCH = Date.UTC(1899, 11, 30)
const DAY_MS = 86_400_000

/** Serial number of a date or time; undefined before March 1900, where spreadsheets disagree. */
function serialOf(text: string): number | undefined {
  const ms = Date.parse(`${text.slice(0, 10)}T${text.slice(11, 19) || '00:00:00'}Z`)
  const serial = (ms - EPOCH) / DAY_MS
  return Number.isNaN(serial) || serial < 61 || serial > 2_958_465 ? undefined : serial
}

/** Date and time of a serial number, rounded to seconds. */
export function sheetSerialToDateTime(serial: number): string {
  return new Date(EPOCH + Math.round(serial * 86_400) * 1000).toISOString().slice(0, 19).replace('T', ' ')
}

/** Texts that a spreadsheet could take for a formula once the cell is edited; they are marked as text. */
const FORMULA = /^[\s'"]*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/

function cellXml(place: string, value: SheetCell, look: CellStyle): string {
  if (value === '') return ''
  if (typeof value === 'number')
    return `<c r="${place}" s="${style(look === 'text' ? 'plain' : look)}"><v>${value}</v></c>`
  const serial = look === 'day' || look === 'moment' ? serialOf(value) : undefined
  if (serial !== undefined) return `<c r="${place}" s="${style(look)}"><v>${serial}</v></c>`
  const shown =
    look === 'heading' || look === 'required' || look === 'wrong' ? look : FORMULA.test(value) ? 'literal' : 'text'
  return (
    `<c r="${place}" s="${style(shown)}" t="inlineStr"><is><t ` +
    `xml:space="preserve">${xml(value.length > CELL_CHARACTERS_MAX ? truncateCellText(value) : value)}</t></is></c>`
  )
}

/** Shortens a text to what a cell can hold, never cutting a surrogate pair in half. */
export const truncateCellText = (text: string) =>
  text.length > CELL_CHARACTERS_MAX
    ? text.slice(0, CELL_CHARACTERS_MAX - 1).replace(/[\ud800-\udbff]$/, '') + '…'
    : text

/** XML of a row; `line` counts from 1. */
export function rowXml(line: number, cells: readonly SheetCell[], looks: readonly CellStyle[]): string {
  let out = `<row r="${line}">`
  for (let at = 0; at < cells.length; at++) out += cellXml(columnLetters(at) + line, cells[at]!, looks[at] ?? 'text')
  return `${out}</row>`
}

export type SheetHeading = { text: string; width: number; isRequired?: boolean; isHidden?: boolean; look?: CellStyle }

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
/** Namespaces of the parts of a workbook. */
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const CONTENT = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** XML of a sheet up to its heading row, which is frozen. */
export const sheetHeadXml = (headings: readonly SheetHeading[]): string =>
  `${DECLARATION}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0">` +
  '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
  `<cols>${headings
    .map(
      ({ width, isHidden, look }, at) =>
        `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1" ` +
        `style="${style(look ?? 'text')}"${isHidden ? ' hidden="1"' : ''}/>`,
    )
    .join('')}</cols><sheetData>${rowXml(
    1,
    headings.map(({ text, isRequired }) => (isRequired ? `${text} *` : text)),
    headings.map(({ isRequired }) => (isRequired ? 'required' : 'heading')),
  )}`

/**
 * Names the person a file was exported for. Shown in its properties, in the footer of printed pages and on a sheet of
 * its own, so that a leaked copy can be traced.
 */
export type ExportWatermark = { reader: string; words: string }

/** `&` is a control character in footers, so it is doubled. */
const footer = ({ words }: ExportWatermark) =>
  `<headerFooter><oddFooter>&amp;L${xml(words.replaceAll('&', '&&'))}</oddFooter></headerFooter>`

/**
 * XML of a sheet after its rows. `choices`: drop-down lists by column, each with a formula for the cells that hold
 * them.
 */
export const sheetTailXml = (
  choices: readonly { place: number; formula: string }[] = [],
  rows = 10_000,
  mark?: ExportWatermark,
): string =>
  `</sheetData>${
    choices.length
      ? `<dataValidations count="${choices.length}">${choices
          .map(
            ({ place, formula }) =>
              '<dataValidation type="list" allowBlank="1" showErrorMessage="0" ' +
              `sqref="${columnLetters(place)}2:${columnLetters(place)}${rows + 1}"><formula1>${xml(
                formula,
              )}</formula1>` +
              '</dataValidation>',
          )
          .join('')}</dataValidations>`
      : ''
  }${mark ? footer(mark) : ''}</worksheet>`

const LOOK_STYLES: Record<CellStyle, string> = {
  literal: '<xf xfId="0" numFmtId="49" applyNumberFormat="1" quotePrefix="1"/>',
  plain: '<xf xfId="0"/>',
  text: '<xf xfId="0" numFmtId="49" applyNumberFormat="1"/>',
  heading: '<xf xfId="0" fontId="1" fillId="2" applyFont="1" applyFill="1"/>',
  required: '<xf xfId="0" fontId="2" fillId="2" applyFont="1" applyFill="1"/>',
  wrong: '<xf xfId="0" numFmtId="49" fontId="2" applyFont="1" applyNumberFormat="1"/>',
  amount: '<xf xfId="0" numFmtId="4" applyNumberFormat="1"/>',
  day: '<xf xfId="0" numFmtId="164" applyNumberFormat="1"/>',
  moment: '<xf xfId="0" numFmtId="165" applyNumberFormat="1"/>',
}

const font = (more: string) => `<font>${more}<name val="Calibri"/></font>`
const fill = (type: string, colour = '') => `<fill><patternFill patternType="${type}">${colour}</patternFill></fill>`

const STYLES = [
  `${DECLARATION}<styleSheet xmlns="${MAIN}">`,
  '<numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/>',
  '<numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts>',
  `<fonts count="3">${font('<sz val="11"/>')}${font('<b/><sz val="11"/>')}`,
  `${font('<b/><sz val="11"/><color rgb="FFC00000"/>')}</fonts>`,
  `<fills count="3">${fill('none')}${fill('gray125')}${fill('solid', '<fgColor rgb="FFF2F3F5"/>')}</fills>`,
  '<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>',
  `<cellXfs count="${LOOKS.length}">${LOOKS.map((look) => LOOK_STYLES[look]).join('')}</cellXfs></styleSheet>`,
].join('')

/** Makes a valid sheet name. */
const sheetName = (name: string) =>
  xml(
    name
      .replace(/[[\]:*?/\\']/g, ' ')
      .slice(0, 28)
      .trim() || 'Sheet',
  )

const CORE = 'application/vnd.openxmlformats-package.core-properties'

const properties = ({ reader, words }: ExportWatermark) =>
  `<cp:coreProperties xmlns:cp="${PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/">` +
  `<dc:creator>${xml(reader)}</dc:creator><dc:description>${xml(words)}</dc:description>` +
  `<cp:lastModifiedBy>${xml(reader)}</cp:lastModifiedBy></cp:coreProperties>`

/** Entries of a workbook other than its sheets. */
export async function workbookFrameEntries(
  sheets: readonly { name: string; isHidden?: boolean }[],
  mark?: ExportWatermark,
): Promise<ZipOutputEntry[]> {
  const numbered = sheets.map((sheet, at) => ({ ...sheet, n: at + 1 }))
  const override = (part: string, type: string) =>
    `<Override PartName="/xl/${part}.xml" ContentType="${CONTENT}.${type}+xml"/>`
  const relation = (id: number, type: string, target: string) =>
    `<Relationship Id="rId${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`
  const relations = (...all: string[]) =>
    `<Relationships xmlns="${PACKAGE}/relationships">${all.join('')}</Relationships>`
  const sheetLine = ({ n, name, isHidden }: (typeof numbered)[number]) =>
    `<sheet name="${sheetName(name)}" sheetId="${n}"${isHidden ? ' state="hidden"' : ''} r:id="rId${n}"/>`

  const files: [string, string][] = [
    [
      '[Content_Types].xml',
      [
        `<Types xmlns="${PACKAGE}/content-types">`,
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
        '<Default Extension="xml" ContentType="application/xml"/>',
        override('workbook', 'sheet.main'),
        override('styles', 'styles'),
        ...numbered.map(({ n }) => override(`worksheets/sheet${n}`, 'worksheet')),
        mark ? `<Override PartName="/docProps/core.xml" ContentType="${CORE}+xml"/>` : '',
        '</Types>',
      ].join(''),
    ],
    [
      '_rels/.rels',
      relations(
        relation(1, 'officeDocument', 'xl/workbook.xml'),
        mark
          ? `<Relationship Id="rId2" Type="${PACKAGE}/relationships/metadata/core-properties" ` +
              'Target="docProps/core.xml"/>'
          : '',
      ),
    ],
    ...(mark ? [['docProps/core.xml', properties(mark)] satisfies [string, string]] : []),
    [
      'xl/workbook.xml',
      `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}">` +
        `<sheets>${numbered.map(sheetLine).join('')}</sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      relations(
        ...numbered.map(({ n }) => relation(n, 'worksheet', `worksheets/sheet${n}.xml`)),
        relation(numbered.length + 1, 'styles', 'styles.xml'),
      ),
    ],
  ]

  return Promise.all(
    [...files, ['xl/styles.xml', STYLES] as const].map(([name, content]) =>
      createZipOutputEntry(name, content.startsWith('<?xml') ? content : DECLARATION + content),
    ),
  )
}

export type Sheet = {
  name: string
  headings: readonly SheetHeading[]
  rows: readonly (readonly SheetCell[])[]
  looks?: readonly CellStyle[]
  choices?: { place: number; formula: string }[]
  isHidden?: boolean
}

/** Writes a workbook of these sheets in memory. */
export async function writeWorkbook(sheets: readonly Sheet[], mark?: ExportWatermark): Promise<Buffer> {
  const bodies = await Promise.all(
    sheets.map(({ headings, rows, looks, choices }, at) =>
      createZipOutputEntry(
        `xl/worksheets/sheet${at + 1}.xml`,
        sheetHeadXml(headings) +
          rows
            .map((cells, line) => rowXml(line + 2, cells, looks ?? headings.map((heading) => heading.look ?? 'text')))
            .join('') +
          sheetTailXml(choices, 10_000, mark),
      ),
    ),
  )
  const parts: Buffer[] = []
  for await (const part of streamZip([...(await workbookFrameEntries(sheets, mark)), ...bodies])) parts.push(part)
  return Buffer.concat(parts)
}

/** Width of a text in characters; a Chinese one is as wide as two Latin ones. */
export const textDisplayWidth = (text: string) =>
  [...text].reduce((sum, sign) => sum + (sign.charCodeAt(0) > 0x2e7f ? 2 : 1), 0)

/** Writes a workbook with one sheet. Texts stay texts; none becomes a formula. */
export const writeSingleSheetWorkbook = (
  name: string,
  headings: readonly string[],
  rows: readonly (readonly SheetCell[])[],
  mark?: ExportWatermark,
): Promise<Buffer> =>
  writeWorkbook(
    [
      {
        name,
        rows,
        headings: headings.map((text, at) => ({
          text,
          width: Math.min(
            40,
            Math.max(
              textDisplayWidth(text) + 4,
              ...rows.slice(0, 50).map((row) => textDisplayWidth(String(row[at] ?? '')) + 2),
            ),
          ),
        })),
      },
    ],
    mark,
  )

export const XLSX_CONTENT_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

export const attachmentHeaders = (name: string, suffix = 'xlsx', type = XLSX_CONTENT_TYPE) => ({
  'content-type': type,
  'content-disposition':
    `attachment; filename="export.${suffix}"; ` + `filename*=UTF-8''${encodeURIComponent(name)}.${suffix}`,
  'cache-control': 'no-store',
})

/** Response of a download. */
export const downloadResponse = (name: string, body: unknown) => ({ headers: attachmentHeaders(name), body })
