import { prepareZXingModule, readBarcodes, type ReaderOptions } from 'zxing-wasm/reader'
import { barcodeFormats, toPrintedBarcode } from './barcode.ts'

/** A picture as a canvas gives it. */
export type BarcodeImage = Pick<ImageData, 'data' | 'width' | 'height'>
/** What a label in a picture says; undefined when there is none to be read. */
export type BarcodeReader = (picture: BarcodeImage) => Promise<string | undefined>

const kindOf = (format: string) =>
  format === barcodeFormats.ean_13 ? 'ean_13' : format === barcodeFormats.upc_e ? 'upc_e' : undefined

const OPTIONS: ReaderOptions = {
  formats: Object.values(barcodeFormats),
  textMode: 'Plain',
  maxNumberOfSymbols: 1,
  // Two lines across a blurred label now and then agree on a wrong number whose check digit happens to be right; eight
  // never did, and the camera shows the next picture at once.
  minLineCount: 8,
  // Once the light is even; the library's own threshold, one for a whole line, loses labels in shadow.
  binarizer: 'FixedThreshold',
}
/** Brightness is looked at in squares of so many pixels, this part of the width to either side. */
const SQUARE = 8
const AROUND = 1 / 16
/** What differs less is grain, not a bar. */
const CONTRAST = 48

/** Reads pictures with the compiled program handed in; most phones outside of Android have no reader of their own. */
export async function createBarcodeReader(program: ArrayBuffer): Promise<BarcodeReader> {
  await prepareZXingModule({ overrides: { wasmBinary: program }, fireImmediately: true })
  return async (picture) => {
    const [found] = await readBarcodes(inEvenLight(picture) as ImageData, OPTIONS)
    return found && toPrintedBarcode(found.text, kindOf(found.format))
  }
}

/** The picture with the brightest around as white and the darkest as black: a shadow across the label does no harm. */
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

/** Between the middles of two squares the light goes over from one to the other. */
function between(squares: readonly Extremes[], place: number): Extremes {
  const at = Math.min(Math.max(place, 0), squares.length - 1)
  const [one, next] = [squares[Math.floor(at)]!, squares[Math.ceil(at)]!]
  const mix = (key: keyof Extremes) => one[key] * (1 - (at % 1)) + next[key] * (at % 1)
  return { least: mix('least'), most: mix('most') }
}
