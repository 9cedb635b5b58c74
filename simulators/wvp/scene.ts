import { pictureOf, type Picture } from './h264.ts'

/**
 * What a camera shows: a shop with shelves and a person walking, the camera's name and clock at the top, and the same
 * as bits at the bottom for tests.
 */
export type Sight = {
  /** The text on the picture, in Latin letters and digits. */
  title: string
  /** The camera's number, as written in the bits. */
  mark: number
  /** Time by the camera's own clock. */
  at: Date
  /** Real time, which moves the person. */
  phase: number
  pan: number
  zoom: number
  isBlack?: boolean
  /** The camera was turned away: shows a dark corner and a window. */
  isTurned?: boolean
}

export const COLUMNS = 40
export const ROWS = 22
const BITS_ROW = 20

/** Glyphs of three columns and five rows; each octal digit is a row. */
const FONT: Record<string, string> = {
  0: '75557',
  1: '26227',
  2: '71747',
  3: '71717',
  4: '55711',
  5: '74717',
  6: '74757',
  7: '71222',
  8: '75757',
  9: '75717',
  ':': '02020',
  '-': '00700',
  A: '25755',
  B: '65656',
  C: '34443',
  D: '65556',
  E: '74647',
  F: '74644',
  G: '34553',
  H: '55755',
  I: '72227',
  J: '11153',
  K: '55655',
  L: '44447',
  M: '57755',
  N: '65555',
  O: '25552',
  P: '65644',
  Q: '25573',
  R: '65655',
  S: '34216',
  T: '72222',
  U: '55557',
  V: '55552',
  W: '55775',
  X: '55255',
  Y: '55222',
  Z: '71247',
  ' ': '00000',
}

type Colour = readonly [number, number, number]
const WALL: Colour = [150, 122, 132]
const FLOOR: Colour = [96, 124, 134]
const SHELF: Colour = [70, 118, 140]
const INK: Colour = [230, 128, 128]
const PERSON: Colour = [120, 150, 100]
const GOODS: readonly Colour[] = [
  [170, 90, 150],
  [140, 150, 90],
  [190, 80, 130],
  [120, 120, 190],
]

function put({ columns, rows, cells }: Picture, x: number, y: number, colour: Colour): void {
  if (x < 0 || y < 0 || x >= columns || y >= rows) return
  cells.set(colour, (y * columns + x) * 3)
}

function drawText(picture: Picture, x: number, y: number, text: string): void {
  ;[...text.toUpperCase()].forEach((sign, n) => {
    const rows = FONT[sign] ?? FONT[' ']!
    for (let row = 0; row < 5; row++)
      for (let column = 0; column < 3; column++)
        if ((Number(rows[row]) >> (2 - column)) & 1) put(picture, x + n * 4 + column, y + row, INK)
  })
}

function bits(picture: Picture, y: number, value: number, length: number): void {
  for (let at = 0; at < length; at++) {
    const isOn = Math.floor(value / 2 ** (length - 1 - at)) % 2 === 1
    put(picture, at, y, [isOn ? 220 : 24, 128, 128])
  }
}

const timeOf = (at: Date) => new Date(at.getTime() + 8 * 3_600_000).toISOString().slice(11, 19)

function drawShop(picture: Picture, { phase, pan, zoom }: Sight): void {
  const scale = 1 + zoom / 4
  for (let y = 0; y < BITS_ROW; y++)
    for (let x = 0; x < COLUMNS; x++) {
      const [column, row] = [Math.round(x / scale) + pan, Math.round(y / scale)]
      const inShelf = row >= 12 && row <= 16 && Math.abs(column) % 10 < 7
      const isGoods = inShelf && row !== 14
      const good = GOODS[(Math.abs(column) * 7 + row * 3) % GOODS.length]!
      put(picture, x, y, isGoods ? good : inShelf ? SHELF : row > 16 ? FLOOR : WALL)
    }
  const x = Math.abs((phase % 72) - 36)
  for (let row = 0; row < 6; row++) for (const step of [0, 1]) put(picture, x + step + 1, 14 + row, PERSON)
}

const CORNER: Colour = [34, 126, 130]
const WINDOW: Colour = [215, 136, 122]

function drawCorner(picture: Picture): void {
  for (let y = 0; y < BITS_ROW; y++)
    for (let x = 0; x < COLUMNS; x++) put(picture, x, y, x > 26 && y > 9 ? WINDOW : CORNER)
}

export function drawSight(sight: Sight): Picture {
  const picture = pictureOf(COLUMNS, ROWS)
  if (sight.isBlack) {
    for (let at = 0; at < picture.cells.length; at += 3) picture.cells.set([17, 128, 128], at)
    return picture
  }
  if (sight.isTurned) drawCorner(picture)
  else drawShop(picture, sight)
  drawText(picture, 1, 0, sight.title.slice(0, 9))
  drawText(picture, 4, 6, timeOf(sight.at))
  const seconds = Math.floor(sight.at.getTime() / 1000)
  bits(picture, BITS_ROW, seconds, 32)
  bits(picture, BITS_ROW + 1, sight.mark, 32)
  const check = (seconds + sight.mark) % 256
  for (let at = 0; at < 8; at++)
    for (const row of [0, 1]) put(picture, 32 + at, BITS_ROW + row, [(check >> (7 - at)) & 1 ? 220 : 24, 128, 128])
  return picture
}

/** Reads the bits of a picture from the luma of its cells; undefined when the checksum does not match. */
export function readSight(lumaAt: (column: number, row: number) => number): { at: Date; mark: number } | undefined {
  const number = (row: number, from: number, length: number) => {
    let value = 0
    for (let at = from; at < from + length; at++) value = value * 2 + (lumaAt(at, row) > 122 ? 1 : 0)
    return value
  }
  const [seconds, mark] = [number(BITS_ROW, 0, 32), number(BITS_ROW + 1, 0, 32)]
  const isRight = number(BITS_ROW, 32, 8) === (seconds + mark) % 256
  return isRight && seconds ? { at: new Date(seconds * 1000), mark } : undefined
}
