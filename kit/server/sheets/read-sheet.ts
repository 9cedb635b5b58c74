import { SaxesParser } from 'saxes'
import { removeInvisibleCharacters } from '../../fields/base/clean-text.ts'
import { defineRefusals, Refused, type CodesOf } from '../base/refused.ts'
import { CELL_CHARACTERS_MAX, columnLetters, sheetSerialToDateTime, type SheetCell } from './write-sheet.ts'
import { readZipEntries, unpackZipEntry, type UnpackAllowance, type ZipEntry } from './zip.ts'

const refusals = defineRefusals({
  sheet_unreadable: { zh: '无法读取这个文件，请使用下载的模板', en: 'The file could not be read. Use the template.' },
  sheet_not_workbook: {
    zh: '这个文件不是 .xlsx 工作簿，请使用下载的模板',
    en: 'The file is not an .xlsx workbook. Use the template.',
  },
  sheet_other_format: {
    zh: '这是 {type} 文件，请用表格软件另存为 .xlsx 后再导入',
    en: 'This is a {type} file. Save it as .xlsx in a spreadsheet program and import it again.',
  },
  sheet_password: {
    zh: '文件设有密码，请取消密码后再导入',
    en: 'The file is password-protected. Remove the password and import it again.',
  },
  sheet_cell_failed: {
    zh: '第 {line} 行“{heading}”的公式没有结果：{error}',
    en: 'Row {line}: the formula in “{heading}” has no result ({error})',
  },
  sheet_none: { zh: '工作簿中没有工作表', en: 'The workbook has no sheets' },
  sheet_empty: { zh: '工作表“{sheet}”是空的', en: 'The sheet “{sheet}” is empty' },
  sheet_no_heading: {
    zh: '工作表“{sheet}”第 {line} 行没有“{missing}”列，这一行是：{found}',
    en: 'Row {line} of sheet “{sheet}” has no column “{missing}”. It contains: {found}',
  },
  sheet_heading_twice: {
    zh: '工作表“{sheet}”的 {first} 列和 {second} 列都是“{heading}”，请只保留一列',
    en: 'Columns {first} and {second} of sheet “{sheet}” are both “{heading}”. Keep only one.',
  },
  sheet_too_long: { zh: '一次最多导入 {max} 行', en: 'You can import up to {max} rows at a time' },
  sheet_merged: {
    zh: '{range} 是合并的单元格，请取消合并并补全内容后再导入',
    en: 'Cells {range} are merged. Unmerge and fill them, then import again.',
  },
  sheet_uncounted: {
    zh: '{cell} 的公式还没有计算结果，请用表格软件打开并保存后再导入',
    en:
      'The formula in {cell} has no result yet. Open and save the workbook in a spreadsheet program, ' +
      'then import it again.',
  },
  sheet_too_big: { zh: '表格内容过大，请拆分后再导入', en: 'The sheet is too large. Split it and import again.' },
  sheet_cell_too_long: {
    zh: '第 {line} 行 {column} 列的内容超过 {max} 个字符，请缩短后再导入',
    en: 'Row {line}, column {column} has more than {max} characters. Shorten it and import again.',
  },
  sheet_text_too_long: {
    zh: '表格中有超过 {max} 个字符的单元格，请缩短后再导入',
    en: 'A cell has more than {max} characters. Shorten it and import again.',
  },
})

declare module '../base/refused.ts' {
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface Refusals extends CodesOf<typeof refusals> {}
}

/**
 * A row of a sheet. `errors`: columns of cells whose formula failed; such a cell contains the error value (#FIELD!).
 */
export type SheetRow = { line: number; cells: SheetCell[]; errors?: Set<number> }

const unescape = (text: string) =>
  text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text
const placeOf = (reference: string): number => {
  let place = 0
  for (const sign of reference) {
    const code = sign.charCodeAt(0)
    if (code < 65 || code > 90) break
    place = place * 26 + code - 64
  }
  return place - 1
}
const local = (name: string) => name.slice(name.indexOf(':') + 1)
const COLUMNS_MAX = 500
const LINE_MAX = 1_048_576
const PLACE_MAX = 16_383

/**
 * Bytes decoded in one step. This and the limits below bound memory before anything is checked, since a few compressed
 * bytes can unpack to megabytes.
 */
const STEP = 64 * 1024
/** Most characters between two tags or within one tag: the longest cell with every character escaped. */
const RUN_MAX = 10 * CELL_CHARACTERS_MAX
const DEPTH_MAX = 100
/** Maximum size in bytes of parts other than sheet and shared texts (names, formats). */
const PART_MAX = 8 * 1024 * 1024
/** Maximum memory of shared texts in bytes, including the overhead of each. */
const SHARED_MAX = 96 * 1024 * 1024
const TEXT_COST = 40

type Events = {
  opentag?: (tag: string, attributes: Record<string, string>) => void
  text?: (piece: string) => void
  closetag?: (tag: string) => void
}

/**
 * Parses an entry and yields the collected results after each piece. The parser keeps a text until it ends and a tag
 * until its parent ends, so both are limited in length and depth.
 */
async function* parsed<T>(
  entry: ZipEntry,
  allowance: UnpackAllowance,
  events: Events,
  taken: T[],
  tooLong = () => new Refused('sheet_too_big'),
): AsyncGenerator<T[]> {
  const decoder = new TextDecoder()
  const parser = new SaxesParser()
  let [run, depth] = [0, 0]
  parser.on('opentag', ({ name, attributes }) => {
    run = 0
    if (++depth > DEPTH_MAX) throw new Refused('sheet_unreadable')
    events.opentag?.(local(name), attributes)
  })
  if (events.text) parser.on('text', events.text)
  parser.on('closetag', ({ name }) => {
    ;[run, depth] = [0, depth - 1]
    events.closetag?.(local(name))
  })
  try {
    for await (const piece of unpackZipEntry(entry, allowance)) {
      for (let at = 0; at < piece.length; at += STEP) {
        const text = decoder.decode(piece.subarray(at, at + STEP), { stream: true })
        run += text.length
        parser.write(text)
        if (run > RUN_MAX) throw tooLong()
        if (taken.length) yield taken.splice(0)
      }
    }
    parser.close()
  } catch (error) {
    throw error instanceof Refused ? error : new Refused('sheet_unreadable')
  }
  if (taken.length) yield taken.splice(0)
}

/** Copies a text: a substring would keep the whole original in memory. */
const apart = (text: string) => (text.length < 13 ? text : Buffer.from(text).toString())

/** Whether a text is too long for a cell even if every character were a seven-character escape. */
const isEndless = (text: string) => text.length > 7 * CELL_CHARACTERS_MAX

const TOO_LONG = Symbol('longer than a cell may be')

/** Unescapes a cell text, or returns `TOO_LONG`. */
function meant(text: string): string | typeof TOO_LONG {
  const own = isEndless(text) ? text : unescape(apart(text))
  return own.length > CELL_CHARACTERS_MAX ? TOO_LONG : own
}

const textTooLong = () => new Refused('sheet_text_too_long', { max: CELL_CHARACTERS_MAX })

/**
 * Reads the shared texts of a workbook, without phonetic guides. A text that is too long is replaced by `TOO_LONG`;
 * only a cell that uses it tells where it is.
 */
async function sharedTexts(
  entry: ZipEntry | undefined,
  allowance: UnpackAllowance,
): Promise<(string | typeof TOO_LONG)[]> {
  const texts: (string | typeof TOO_LONG)[] = []
  if (!entry) return texts
  let [text, isText, sound, held] = ['', false, 0, 0]
  const events: Events = {
    opentag: (tag) => {
      if (tag === 'si') text = ''
      else if (tag === 'rPh') sound++
      else isText = tag === 't' && !sound
    },
    text: (piece) => void (isText && !isEndless(text) && (text += piece)),
    closetag: (tag) => {
      isText = false
      if (tag === 'rPh') sound--
      if (tag !== 'si') return
      const own = meant(text)
      texts.push(own)
      held += TEXT_COST + (own === TOO_LONG ? 0 : 2 * own.length)
      if (held > SHARED_MAX) throw new Refused('sheet_too_big')
    },
  }
  for await (const none of parsed<never>(entry, allowance, events, [], textTooLong)) void none
  return texts
}

/** How a number is displayed; `zeros`: padded with leading zeros to this many digits. */
type Shape = 'date' | 'percent' | { zeros: number } | undefined

/** Returns the display kind of a number format: date or time, percentage, leading zeros, or plain. */
const shapeOf = (id: number, code: string | undefined): Shape => {
  if (id === 9 || id === 10) return 'percent'
  if ((id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58))
    return 'date'
  const signs = (code ?? '').replace(/"[^"]*"|\\.|[_*].|\[(?!h+\]|m+\]|s+\])[^\]]*\]?/gi, '').replace(/general/gi, '')
  if (/^0{2,}$/.test(signs)) return { zeros: signs.length }
  return signs.includes('%') ? 'percent' : /[ymdhs]/i.test(signs) ? 'date' : undefined
}

/** Display kinds of numbers by the style index of a cell. */
async function shapesOf(entry: ZipEntry | undefined): Promise<Shape[]> {
  const shapes: Shape[] = []
  if (!entry) return shapes
  const codes = new Map<number, string>()
  let isCell = false
  const events: Events = {
    opentag: (tag, attributes) => {
      if (tag === 'numFmt') codes.set(Number(attributes.numFmtId), String(attributes.formatCode))
      else if (tag === 'cellXfs') isCell = true
      else if (tag === 'xf' && isCell)
        shapes.push(shapeOf(Number(attributes.numFmtId ?? 0), codes.get(Number(attributes.numFmtId))))
    },
    closetag: (tag) => void (tag === 'cellXfs' && (isCell = false)),
  }
  for await (const none of parsed<never>(entry, { left: PART_MAX }, events, [])) void none
  return shapes
}

/** Adds leading zeros as the cell's format shows them. */
const padded = (number: number, length: number): SheetCell =>
  String(number).length < length ? String(number).padStart(length, '0') : number

/** Returns a number as its cell displays it. */
function numberOf(number: number, shape: Shape, daysLater: number): SheetCell {
  if (shape === 'percent') return `${Number((number * 100).toFixed(8))}%`
  if (typeof shape === 'object') return Number.isInteger(number) && number >= 0 ? padded(number, shape.zeros) : number
  if (shape !== 'date' || number < 0 || number > 2_958_465) return number
  const moment = sheetSerialToDateTime(number + (number >= 1 ? daysLater : 0))
  return number < 1 ? moment.slice(11) : moment.replace(' 00:00:00', '')
}

const OLE = Buffer.from([0xd0, 0xcf, 0x11, 0xe0])
const ENCRYPTED = Buffer.from('EncryptedPackage', 'utf16le')

/**
 * Refuses files that are no archive, naming what they are: other formats renamed to .xlsx, or protected by a password.
 */
function refuseOthers(bytes: Buffer): void {
  if (bytes.subarray(0, 2).toString('latin1') === 'PK') return
  if (bytes.subarray(0, 4).equals(OLE))
    throw bytes.includes(ENCRYPTED) ? new Refused('sheet_password') : new Refused('sheet_other_format', { type: 'XLS' })
  const start = bytes.subarray(0, 1024)
  if (start.includes(0)) throw new Refused('sheet_not_workbook')
  const isMarkup = /^\s*</.test(start.toString('latin1').replace(/^\u00ef\u00bb\u00bf/, ''))
  throw new Refused('sheet_other_format', { type: isMarkup ? 'HTML / XML' : 'CSV' })
}

/** Archives of other office formats, recognised by a typical entry. */
const OTHER_ARCHIVES = [
  ['xl/workbook.bin', 'XLSB'],
  ['content.xml', 'ODS'],
  ['Index/Document.iwa', 'Numbers'],
  ['word/document.xml', 'DOCX'],
  ['ppt/presentation.xml', 'PPTX'],
] as const

function refuseOtherArchives(entries: ReadonlyMap<string, ZipEntry>): void {
  const other = OTHER_ARCHIVES.find(([name]) => entries.has(name))
  if (other) throw new Refused('sheet_other_format', { type: other[1] })
}

function openArchive(bytes: Buffer): ReadonlyMap<string, ZipEntry> {
  refuseOthers(bytes)
  const entries = readZipEntries(bytes)
  if ([...entries.values()].some(({ isEncrypted }) => isEncrypted)) throw new Refused('sheet_password')
  return entries
}

/** An opened workbook: the sheet to read, and the parts needed to understand its cells. */
export type Workbook = { name: string; sheet: ZipEntry; shared?: ZipEntry; styles?: ZipEntry; daysLater: number }

type Attributes = Record<string, string>

/** Attributes of all tags with this name in a small part. */
async function attributesIn(entry: ZipEntry | undefined, wanted: string): Promise<Attributes[]> {
  const found: Attributes[] = []
  if (!entry) return found
  const opentag: Events['opentag'] = (tag, given) => {
    if (tag === wanted)
      found.push(Object.fromEntries(Object.entries(given).map(([key, value]) => [local(key), String(value)])))
  }
  for await (const none of parsed<never>(entry, { left: PART_MAX }, { opentag }, [])) void none
  return found
}

/** Path of a relationship's target, absolute or relative to the part's folder. */
function targetOf(part: string, target: string): string {
  const path: string[] = target.startsWith('/') ? [] : part.split('/').slice(0, -1)
  for (const step of target.split('/')) {
    if (step === '..') path.pop()
    else if (step && step !== '.') path.push(step)
  }
  return path.join('/')
}

type Relation = { id: string | undefined; type: string; path: string }

/** Access to the parts of an archive: by path (ignoring case), and by the relationships of a part. */
function partsIn(entries: ReadonlyMap<string, ZipEntry>) {
  const byName = new Map([...entries].map(([name, entry]) => [name.toLowerCase(), entry]))
  const partAt = (path: string) => entries.get(path) ?? byName.get(path.toLowerCase())
  const relationsOf = async (part: string): Promise<Relation[]> => {
    const cut = part.lastIndexOf('/') + 1
    const rels = await attributesIn(partAt(`${part.slice(0, cut)}_rels/${part.slice(cut)}.rels`), 'Relationship')
    return rels
      .filter(({ Target, TargetMode }) => Target && TargetMode !== 'External')
      .map(({ Id, Type = '', Target }) => ({ id: Id, type: Type.split('/').at(-1)!, path: targetOf(part, Target!) }))
  }
  return { partAt, relationsOf }
}

/** Returns the first visible worksheet; chart and dialog sheets are skipped, as they have no cells. */
async function firstSheet(
  workbook: ZipEntry | undefined,
  relations: readonly Relation[],
  partAt: (path: string) => ZipEntry | undefined,
): Promise<{ name: string; sheet: ZipEntry } | undefined> {
  const sheets = (await attributesIn(workbook, 'sheet')).flatMap(({ id, name = '', state }) => {
    const relation = relations.find((one) => one.id === id && one.type === 'worksheet')
    const sheet = relation && partAt(relation.path)
    return sheet ? [{ name, sheet, isVisible: !state || state === 'visible' }] : []
  })
  return sheets.find(({ isVisible }) => isVisible) ?? sheets[0]
}

/**
 * Opens a workbook. Finds its parts by relationships and types, as entry names and order depend on the program that
 * wrote it. Refuses other formats, naming them, and password-protected files. Does not read any cell.
 */
export async function openWorkbook(bytes: Buffer): Promise<Workbook> {
  const entries = openArchive(bytes)
  const { partAt, relationsOf } = partsIn(entries)
  const main = (await relationsOf('')).find(({ type }) => type === 'officeDocument')?.path ?? 'xl/workbook.xml'
  refuseOtherArchives(entries)
  const workbook = partAt(main)
  const lone = partAt('xl/worksheets/sheet1.xml')
  if (!workbook && !lone) throw new Refused('sheet_not_workbook')
  const relations = await relationsOf(main)
  const partOf = (type: string) => relations.find((one) => one.type === type)
  // Some programs omit the parts that list the sheets.
  const first = (await firstSheet(workbook, relations, partAt)) ?? (lone && { name: 'Sheet1', sheet: lone })
  if (!first) throw new Refused('sheet_none')
  const [facts] = await attributesIn(workbook, 'workbookPr')
  return {
    name: first.name.slice(0, 100),
    sheet: first.sheet,
    shared: partAt(partOf('sharedStrings')?.path ?? 'xl/sharedStrings.xml'),
    styles: partAt(partOf('styles')?.path ?? 'xl/styles.xml'),
    // Workbooks with the 1904 date system.
    daysLater: ['1', 'true'].includes(facts?.date1904 ?? '') ? 1462 : 0,
  }
}

type CellContext = {
  shared: readonly (string | typeof TOO_LONG)[]
  allowance: UnpackAllowance
  daysLater: number
  tooLong: () => Refused
}

/** Returns the content of a cell by its type. */
function cellOf(
  type: string,
  text: string,
  shape: Shape,
  { shared, allowance, daysLater, tooLong }: CellContext,
): SheetCell {
  if (type === 'n') return numberOf(Number(text), shape, daysLater)
  if (type === 'b') return text === '1' ? 'true' : 'false'
  const found = type === 's' ? (shared[Number(text)] ?? '') : meant(text)
  if (found === TOO_LONG) throw tooLong()
  if (type === 's') allowance.left -= found.length
  if (allowance.left < 0) throw new Refused('sheet_too_big')
  return type === 'd' ? found.replace(/^(\d{4}-\d\d-\d\d)T/, '$1 ').replace(/(\.\d+)?Z?$/, '') : found
}

/**
 * Yields the rows of the first sheet in batches, with numbers as displayed. Unpacks and returns at most `max` bytes
 * each (a shared text counts for every cell that uses it). Refuses merged cells at the end (the hidden ones would be
 * read as empty), formulas without a stored result, and texts too long for a cell.
 */
export async function* sheetRows(source: Buffer | Workbook, max: number): AsyncGenerator<SheetRow[]> {
  const workbook = Buffer.isBuffer(source) ? await openWorkbook(source) : source
  const { sheet, daysLater } = workbook
  const allowance = { left: max }
  const shapes = await shapesOf(workbook.styles)
  const shared = await sharedTexts(workbook.shared, allowance)

  const rows: SheetRow[] = []
  let row: SheetRow = { line: 0, cells: [] }
  let [place, type, text, isValue, shape] = [-1, '', '', false, undefined as Shape]
  let uncounted: string | undefined

  const columnNow = () => columnLetters(Math.max(0, Math.min(place, PLACE_MAX)))
  const cellTooLong = () =>
    new Refused('sheet_cell_too_long', { line: row.line, column: columnNow(), max: CELL_CHARACTERS_MAX })
  const context = { shared, allowance, daysLater, tooLong: cellTooLong }

  const events: Events = {
    opentag: (tag, attributes) => {
      if (tag === 'row') {
        const line = Number(attributes.r)
        const isLine = Number.isInteger(line) && line > row.line && line <= LINE_MAX
        row = { line: isLine ? line : row.line + 1, cells: [] }
        place = -1
      } else if (tag === 'c') {
        const reference = attributes.r
        place = reference ? placeOf(reference) : place + 1
        type = String(attributes.t ?? 'n')
        shape = shapes[Number(attributes.s ?? 0)]
        text = ''
        uncounted = undefined
      } else if (tag === 'f') uncounted = `${columnNow()}${row.line}`
      else if (tag === 'mergeCell') throw new Refused('sheet_merged', { range: String(attributes.ref) })
      else {
        isValue = tag === 'v' || tag === 't'
        if (tag === 'v') uncounted = undefined
      }
    },
    text: (piece) => {
      if (!isValue) return
      text += piece
      if (isEndless(text)) throw cellTooLong()
    },
    closetag: (tag) => {
      isValue = false
      if (tag === 'c' && uncounted) throw new Refused('sheet_uncounted', { cell: uncounted })
      if (tag === 'row') rows.push(row)
      else if (tag === 'c' && text !== '' && place >= 0 && place < COLUMNS_MAX) {
        while (row.cells.length < place) row.cells.push('')
        row.cells[place] = cellOf(type, text, shape, context)
        if (type === 'e') (row.errors ??= new Set()).add(place)
      }
    },
  }

  yield* parsed(sheet, allowance, events, rows, () => (isValue ? cellTooLong() : new Refused('sheet_too_big')))
}

const SMALL_MAX = 16 * 1024 * 1024
const SMALL_ROWS = 5000

/** Returns the headings of a sheet as one text, for error messages. */
export const quoteHeadings = (cells: readonly SheetCell[]): string => {
  const texts = cells.map((cell) => String(cell).trim()).filter(Boolean)
  const text = texts.slice(0, 10).join('、').slice(0, 200).toWellFormed()
  return texts.length > 10 || text.length === 200 ? `${text}…` : text
}

/** Reads a small workbook into texts by heading. The heading row must contain all given headings, each once. */
export async function readSheet(
  bytes: Buffer,
  headings: readonly string[],
): Promise<{ line: number; cells: Record<string, string> }[]> {
  let places: [string, number][] | undefined
  const out: { line: number; cells: Record<string, string> }[] = []
  const workbook = await openWorkbook(bytes)
  for await (const rows of sheetRows(workbook, SMALL_MAX)) {
    for (const { line, cells, errors } of rows) {
      if (!places) {
        places = placesOf(workbook.name, line, cells, headings)
        continue
      }
      const broken = places.find(([, at]) => errors?.has(at))
      if (broken) throw new Refused('sheet_cell_failed', { line, heading: broken[0], error: String(cells[broken[1]]) })
      const texts = Object.fromEntries(
        places.map(([heading, at]) => [heading, removeInvisibleCharacters(String(cells[at] ?? '')).trim()]),
      )
      if (Object.values(texts).some((text) => text !== '')) out.push({ line, cells: texts })
      if (out.length > SMALL_ROWS) throw new Refused('sheet_too_long', { max: SMALL_ROWS })
    }
  }
  if (!places) throw new Refused('sheet_empty', { sheet: workbook.name })
  return out
}

function placesOf(
  sheet: string,
  line: number,
  cells: readonly SheetCell[],
  headings: readonly string[],
): [heading: string, place: number][] {
  const places = cells.flatMap((cell, at): [string, number][] => {
    const text = removeInvisibleCharacters(String(cell)).trim()
    return text ? [[text, at]] : []
  })
  const missing = headings.find((heading) => !places.some(([text]) => text === heading))
  if (missing) throw new Refused('sheet_no_heading', { sheet, line, missing, found: quoteHeadings(cells) })
  for (const [at, [heading, place]] of places.entries()) {
    const before = places.slice(0, at).find(([text]) => text === heading)
    if (before) throw duplicateHeadingRefusal(sheet, heading, before[1], place)
  }
  return places
}

/** Refusal of a heading that occurs in two columns. */
export const duplicateHeadingRefusal = (sheet: string, heading: string, first: number, second: number): Refused =>
  new Refused('sheet_heading_twice', { sheet, heading, first: columnLetters(first), second: columnLetters(second) })
