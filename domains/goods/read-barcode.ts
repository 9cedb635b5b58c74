import { checkDigit } from './barcode.ts'

/**
 * Widths of a digit's two white and two black bars, in modules (ISO/IEC 15420); on the right half the colours change
 * places.
 */
const WIDTHS = ['3211', '2221', '2122', '1411', '1132', '1231', '1114', '1312', '1213', '3112'].map((one) =>
  [...one].map(Number),
)
/** Which of the six left digits are mirrored says what the first digit is. */
const FIRST = ['000000', '001011', '001101', '001110', '010011', '011001', '011100', '010101', '010110', '011010']
const DIGIT_MODULES = 7
/** How far the bars of a digit may be from what they should be, in modules altogether. */
const DIGIT_OFF = 1.9
const GUARD_OFF = 0.6
const QUIET_MODULES = 4
/** What differs less is grain, not a bar. */
const CONTRAST = 48

/**
 * The EAN-13, UPC-A or EAN-8 number that a line of brightness across a picture shows, either way round; undefined when
 * it shows none. Bars are told from gaps by the brightness around them, so that a shadow across the label does no harm.
 */
export function readBarcode(line: ArrayLike<number>): string | undefined {
  const runs = runsOf(line)
  return readRuns(runs) ?? readRuns(runs.toReversed())
}

/** Lengths of white, black, white … from the start of a line, the first of them white. */
function runsOf(line: ArrayLike<number>): number[] {
  const half = Math.max(8, Math.round(line.length / 16))
  const runs: number[] = []
  let isBlack = false
  let last = 0
  let before = 0
  for (let at = 0; at < line.length; at++) {
    let [least, most] = [255, 0]
    for (let near = Math.max(0, at - half); near < Math.min(line.length, at + half); near++) {
      least = Math.min(least, line[near]!)
      most = Math.max(most, line[near]!)
    }
    // Half way between the brightest and the darkest around; between two pixels the edge lies where the line crosses
    // it.
    const over = line[at]! - most + Math.max(most - least, CONTRAST) / 2
    if (over < 0 !== isBlack) {
      const edge = at ? at - 1 + before / (before - over) : 0
      runs.push(edge - last)
      last = edge
      isBlack = !isBlack
    }
    before = over
  }
  runs.push(line.length - last)
  // Read backwards, too, a line begins with white.
  if (isBlack) runs.push(0)
  return runs
}

function readRuns(runs: readonly number[]): string | undefined {
  for (let at = 1; at + 42 < runs.length; at += 2) {
    const unit = (runs[at]! + runs[at + 1]! + runs[at + 2]!) / 3
    if (!isGuard(runs, at, 3, unit) || runs[at - 1]! < QUIET_MODULES * unit) continue
    const found = readFrom(runs, at, 6) ?? readFrom(runs, at, 4)
    if (found) return found
  }
  return undefined
}

const isGuard = (runs: readonly number[], at: number, count: number, unit: number) =>
  Array.from({ length: count }, (_, n) => runs[at + n]).every(
    (run) => run !== undefined && Math.abs(run / unit - 1) < GUARD_OFF,
  )

/** Reads `half` digits, the guard in the middle, as many again and the guard at the end. */
function readFrom(runs: readonly number[], start: number, half: number): string | undefined {
  const middle = start + 3 + half * 4
  const end = middle + 5 + half * 4
  if (end + 2 >= runs.length) return undefined
  const left = digitsAt(runs, start + 3, half, true)
  const right = digitsAt(runs, middle + 5, half, false)
  if (!left || !right) return undefined
  const unit = (left.width + right.width) / (half * 2 * DIGIT_MODULES)
  if (!isGuard(runs, middle, 5, unit) || !isGuard(runs, end, 3, unit) || (runs[end + 3] ?? 0) < QUIET_MODULES * unit)
    return undefined
  const first = half === 6 ? FIRST.indexOf(left.mirrored) : left.mirrored === '0000' ? 0 : -1
  if (first < 0) return undefined
  const digits = `${half === 6 ? first : ''}${left.digits}${right.digits}`
  if (checkDigit(digits.slice(0, -1)) !== Number(digits.at(-1))) return undefined
  // A UPC-A number is printed and kept without the nought before it.
  return half === 6 && first === 0 ? digits.slice(1) : digits
}

function digitsAt(
  runs: readonly number[],
  from: number,
  count: number,
  mayMirror: boolean,
): { digits: string; mirrored: string; width: number } | undefined {
  let [digits, mirrored, all] = ['', '', 0]
  for (let n = 0; n < count; n++) {
    const four = runs.slice(from + n * 4, from + n * 4 + 4)
    const width = four.reduce((sum, run) => sum + run, 0)
    const off = (widths: readonly number[]) =>
      widths.reduce((sum, modules, at) => sum + Math.abs((four[at]! / width) * DIGIT_MODULES - modules), 0)
    let best = { off: DIGIT_OFF, digit: -1, isMirrored: false }
    for (const [digit, widths] of WIDTHS.entries()) {
      if (off(widths) < best.off) best = { off: off(widths), digit, isMirrored: false }
      if (mayMirror && off(widths.toReversed()) < best.off)
        best = { off: off(widths.toReversed()), digit, isMirrored: true }
    }
    if (best.digit < 0) return undefined
    digits += best.digit
    mirrored += best.isMirrored ? '1' : '0'
    all += width
  }
  return { digits, mirrored, width: all }
}

/** The bars of an EAN-13 or EAN-8 number, a sign a module: "1" is black. */
export function drawBarcode(number: string): string {
  const bars = (digit: string, { isMirrored, isRight }: { isMirrored?: boolean; isRight?: boolean }) => {
    const widths = WIDTHS[Number(digit)]!
    return (isMirrored ? widths.toReversed() : widths)
      .map((modules, at) => ((at % 2 === 1) !== !!isRight ? '1' : '0').repeat(modules))
      .join('')
  }
  const isLong = number.length === 13
  const body = isLong ? number.slice(1) : number
  const half = body.length / 2
  const parity = isLong ? FIRST[Number(number[0])]! : '0000'
  const left = Array.from(body.slice(0, half), (digit, at) => bars(digit, { isMirrored: parity[at] === '1' })).join('')
  const right = Array.from(body.slice(half), (digit) => bars(digit, { isRight: true })).join('')
  return `101${left}01010${right}101`
}
