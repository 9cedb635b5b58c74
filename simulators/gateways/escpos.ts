export type Receipt = { text: string; cuts: number; drawer: number; codes: string[] }

const ESC = 0x1b
const FS = 0x1c
const GS = 0x1d
const DLE = 0x10
/** Number of argument bytes of the commands with fixed length. */
const FIXED: Record<number, Record<string, number>> = {
  [ESC]: {
    '@': 0,
    '2': 0,
    a: 1,
    '!': 1,
    E: 1,
    d: 1,
    J: 1,
    t: 1,
    R: 1,
    '3': 1,
    '-': 1,
    G: 1,
    M: 1,
    ' ': 1,
    p: 3,
    '{': 1,
  },
  [FS]: { '&': 0, '.': 0, '!': 1, '-': 1, S: 2, W: 1 },
  [GS]: { '!': 1, h: 1, w: 1, H: 1, f: 1, B: 1, L: 2, W: 2 },
  [DLE]: { '\u0004': 1, '\u0014': 3 },
}

/** Returns what a Chinese receipt printer would print: text, cuts, drawer pulses, barcodes and QR codes. */
export function receiptOf(bytes: Uint8Array): Receipt {
  const receipt: Receipt = { text: '', cuts: 0, drawer: 0, codes: [] }
  const decoder = new TextDecoder('gb18030')
  let run: number[] = []
  const flush = () => {
    receipt.text += decoder.decode(Uint8Array.from(run))
    run = []
  }
  for (let at = 0; at < bytes.length;) {
    const byte = bytes[at]!
    // The second byte of a character may look like a letter, never like a control.
    if (byte >= 0x20 || byte === 0x0a || byte === 0x09) {
      run.push(byte)
      at++
    } else if (FIXED[byte] && at + 1 < bytes.length) {
      flush()
      at = commandEnd(bytes, at, receipt)
    } else at++
  }
  flush()
  return receipt
}

/** Executes the command that begins at `at`. Returns the position after it. */
function commandEnd(bytes: Uint8Array, at: number, receipt: Receipt): number {
  const [group, letter] = [bytes[at]!, String.fromCharCode(bytes[at + 1]!)]
  if (group === GS && letter === 'V') {
    receipt.cuts++
    return at + (bytes[at + 2]! >= 65 ? 4 : 3)
  }
  if (group === GS && letter === '(') return functionEnd(bytes, at, receipt)
  if (group === GS && letter === 'k') return barcodeEnd(bytes, at, receipt)
  if (group === GS && letter === 'v') {
    const [width, height] = [at + 4, at + 6].map((from) => bytes[from]! + 256 * bytes[from + 1]!)
    return at + 8 + width! * height!
  }
  if (group === ESC && letter === 'p') receipt.drawer++
  if (group === ESC && letter === 'd') receipt.text += '\n'.repeat(bytes[at + 2] ?? 0)
  return at + 2 + (FIXED[group]![letter] ?? 0)
}

function functionEnd(bytes: Uint8Array, at: number, receipt: Receipt): number {
  const length = bytes[at + 3]! + 256 * bytes[at + 4]!
  const end = at + 5 + length
  // Function 80 of code 49 stores the content of the QR code.
  if (bytes[at + 2] === 0x6b && bytes[at + 5] === 49 && bytes[at + 6] === 80)
    receipt.codes.push(new TextDecoder().decode(bytes.slice(at + 8, end)))
  return end
}

function barcodeEnd(bytes: Uint8Array, at: number, receipt: Receipt): number {
  const isCounted = bytes[at + 2]! >= 65
  const start = isCounted ? at + 4 : at + 3
  const end = isCounted ? start + bytes[at + 3]! : bytes.indexOf(0, start)
  const last = end < 0 ? bytes.length : end
  receipt.codes.push(new TextDecoder().decode(bytes.slice(start, last)))
  return isCounted ? last : last + 1
}
