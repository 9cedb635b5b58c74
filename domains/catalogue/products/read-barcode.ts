import { prepareZXingModule, readBarcodes, type ReaderOptions } from 'zxing-wasm/reader'
import { barcodeFormats, toPrintedBarcode } from './barcode.ts'

/** Pixels of a picture, as a canvas returns them. */
export type BarcodeImage = Pick<ImageData, 'data' | 'width' | 'height'>
/** Reads the barcode in a picture; undefined when there is none. */
export type BarcodeReader = (picture: BarcodeImage) => Promise<string | undefined>

const kindOf = (format: string) =>
  format === barcodeFormats.ean_13 ? 'ean_13' : format === barcodeFormats.upc_e ? 'upc_e' : undefined

const OPTIONS: ReaderOptions = {
  formats: Object.values(barcodeFormats),
  textMode: 'Plain',
  maxNumberOfSymbols: 1,
  // Two lines across a blurred label sometimes agree on a wrong number with a valid check digit; eight lines never did,
  // and the camera tries the next picture anyway.
  minLineCount: 8,
  // `inEvenLight` has removed shadows; the library's own threshold, one for a whole line, fails in shadow.
  binarizer: 'FixedThreshold',
}
/** Size in pixels of the squares in which brightness is measured. */
const SQUARE = 8
const AROUND = 1 / 16
/** Smallest brightness difference that counts as bars; less is noise. */
const CONTRAST = 48

/**
 * Creates a barcode reader from the compiled WebAssembly program: most phones other than Android have no built-in one.
 */
export async function createBarcodeReader(program: ArrayBuffer): Promise<BarcodeReader> {
  await prepareZXingModule({ overrides: { wasmBinary: program }, fireImmediately: true })
  return async (picture) => {
    const [found] = await readBarcodes(inEvenLight(picture) as ImageData, OPTIONS)
    return found && toPrintedBarcode(found.text, kindOf(found.format))
  }
}

/**
 * Stretches brightness so that the lightest point around each pixel is white and the darkest black; removes shadows.
 */
function inEvenLight({ data, width, height }: BarcodeImage): BarcodeImage {
  const grey = new Float32Array(width * height)
  for (let at = 0; at < grey.length; at++) grey[at] = brightness(data, at * 4)
  const columns = Math.ceil(width / SQUARE)
  const even = new Uint8ClampedArray(data.length)
  for (let top = 0; top < height; top += SQUARE) {
    const rows = { top, end: Math.min(top + SQUARE, height), width }
    const squares = Array.from({ length: columns }, (_, column) => extremes(grey, rows, column))
    const wide = squares.map((_, at) => around(squares, at, Math.max(1, Math.round(columns * AROUND))))
    const light = Array.from({ length: width }, (_, x) => between(wide, x / SQUARE - 0.5))
    for (let y = rows.top; y < rows.end; y++)
      for (let x = 0; x < width; x++) {
        const { least, most } = light[x]!
        const at = (y * width + x) * 4
        const value = 255 * (1 - (most - grey[at / 4]!) / Math.max(most - least, CONTRAST))
        even[at] = even[at + 1] = even[at + 2] = value
        even[at + 3] = 255
      }
  }
  return { data: even, width, height }
}

const brightness = (data: BarcodeImage['data'], at: number) =>
  data[at]! * 0.3 + data[at + 1]! * 0.59 + data[at + 2]! * 0.11

type Extremes = { least: number; most: number }

function extremes(grey: Float32Array, rows: { top: number; end: number; width: number }, column: number): Extremes {
  const found = { least: 255, most: 0 }
  for (let y = rows.top; y < rows.end; y++)
    for (let x = column * SQUARE; x < Math.min((column + 1) * SQUARE, rows.width); x++) {
      const value = grey[y * rows.width + x]!
      if (value < found.least) found.least = value
      if (value > found.most) found.most = value
    }
  return found
}

function around(squares: readonly Extremes[], at: number, reach: number): Extremes {
  const near = squares.slice(Math.max(0, at - reach), at + reach + 1)
  return { least: Math.min(...near.map((one) => one.least)), most: Math.max(...near.map((one) => one.most)) }
}

/** Interpolates the brightness between the centres of two squares. */
function between(squares: readonly Extremes[], place: number): Extremes {
  const at = Math.min(Math.max(place, 0), squares.length - 1)
  const [one, next] = [squares[Math.floor(at)]!, squares[Math.ceil(at)]!]
  const mix = (key: keyof Extremes) => one[key] * (1 - (at % 1)) + next[key] * (at % 1)
  return { least: mix('least'), most: mix('most') }
}
