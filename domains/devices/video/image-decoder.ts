import sharp from 'sharp'

/** Most pixels decoded; a header that announces more is refused before anything is decoded. */
const PIXELS_MAX = 40_000_000
/** Far longer than the largest picture of a camera takes. */
const SECONDS_MAX = 5

// What cameras send and nothing else: each further decoder would be one more for strangers to attack.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer'] })
// One thread for each picture, and no picture kept: none is asked about twice.
sharp.concurrency(1)
sharp.cache(false)

/**
 * Returns the mean greys of a JPEG or PNG in `columns` by `rows` parts, from 0 to 255. Rejects what cannot be read, is
 * larger than a camera's picture or takes too long. Decodes outside the event loop.
 */
export const decodeMeanGreys = (bytes: Uint8Array, columns: number, rows: number): Promise<Uint8Array> =>
  sharp(bytes, { limitInputPixels: PIXELS_MAX, failOn: 'error' })
    .timeout({ seconds: SECONDS_MAX })
    .removeAlpha()
    // Without the overshoot of sharper kernels, which would turn a black picture with an edge grey.
    .resize(columns, rows, { fit: 'fill', kernel: 'linear' })
    .toColourspace('b-w')
    .raw()
    .toBuffer()
