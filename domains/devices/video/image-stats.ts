const LOOK = { columns: 16, rows: 9 }

/** Returns the mean greys of a picture in 16 by 9 parts, from 0 to 255; undefined when it cannot be read. */
export async function greyThumbnail(bytes: Uint8Array): Promise<number[] | undefined> {
  // Loaded with the first picture: only the process that runs jobs looks at any.
  const { decodeMeanGreys } = await import('./image-decoder.ts')
  return decodeMeanGreys(bytes, LOOK.columns, LOOK.rows).then(
    (greys) => [...greys],
    () => undefined,
  )
}

const DARK = 40
const EVEN = 16

/** Returns whether a picture is dark and uniform. */
export function isBlackImage(look: readonly number[]): boolean {
  return Math.max(...look) < DARK && Math.max(...look) - Math.min(...look) < EVEN
}

/** Drops the top and bottom rows, where cameras write their name and time. */
const withoutEdges = (look: readonly number[]) => look.slice(LOOK.columns, LOOK.columns * (LOOK.rows - 1))

/** Returns the similarity of two pictures from 1 (same view in any light) to -1. */
export function imageSimilarity(first: readonly number[], second: readonly number[]): number {
  const [one, other] = [withoutEdges(first), withoutEdges(second)]
  const mean = (all: readonly number[]) => all.reduce((sum, value) => sum + value, 0) / all.length
  const [a, b] = [mean(one), mean(other)]
  let [both, own, others] = [0, 0, 0]
  one.forEach((value, n) => {
    const [x, y] = [value - a, (other[n] ?? 0) - b]
    both += x * y
    own += x * x
    others += y * y
  })
  return own && others ? both / Math.sqrt(own * others) : 0
}

/** Updates the usual picture, which follows daylight slowly. */
export const movingAverageThumbnail = (usual: readonly number[], now: readonly number[]): number[] =>
  usual.map((value, n) => Math.round(value * 0.9 + (now[n] ?? value) * 0.1))
