import type { LocalizedText } from '#kit/resource/index.ts'

/** Minimum pixels of the shorter and the longer side; with fewer the small print of a licence is unreadable. */
const SIDES_MIN = [480, 640] as const
/** Largest file WeChat Pay accepts. */
const BYTES_MAX = 2 * 1024 * 1024
/**
 * Minimum bytes per thousand pixels of a readable picture, by format. A photo of a document has 100 or more as JPEG,
 * strongly compressed 25, an empty page only a few; a two-colour PNG scan 15. The limits are low, as a wrongly refused
 * picture would stop the application.
 */
const PER_KILOPIXEL_MIN = { jpeg: 12, png: 6, bmp: 1000 }

type Size = { format: keyof typeof PER_KILOPIXEL_MIN; width: number; height: number }

/** Returns the size in the frame header of a JPEG; skips other segments by their length. */
function sizeOfJpeg(bytes: Buffer): Size | undefined {
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1]!
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { format: 'jpeg', height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    // Fill bytes before a marker have no length.
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}

/** Returns format and size of a picture by its header; undefined for formats other than JPEG, PNG and BMP. */
function sizeOf(bytes: Buffer): Size | undefined {
  const begin = bytes.toString('latin1', 0, 8)
  if (begin.startsWith('\xff\xd8')) return sizeOfJpeg(bytes)
  if (begin === '\x89PNG\r\n\x1a\n' && bytes.length > 24)
    return { format: 'png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
  if (begin.startsWith('BM') && bytes.length > 26)
    return { format: 'bmp', width: bytes.readInt32LE(18), height: Math.abs(bytes.readInt32LE(22)) }
  return undefined
}

const words = {
  unreadable: {
    zh: '图片打不开，请上传 JPG、PNG 或 BMP',
    en: 'The image could not be opened. Upload a JPG, PNG or BMP.',
  },
  tooLarge: {
    zh: '图片超过 2 MB，微信支付不接收',
    en: 'The image is larger than 2 MB. WeChat Pay does not accept it.',
  },
  tooSmall: {
    zh: '图片太小，字看不清：短边至少 480、长边至少 640 像素，请重新拍摄',
    en: 'The image is too small to read. Use at least 480 × 640 pixels and take it again.',
  },
  blurred: {
    zh: '图片模糊或几乎空白，请对焦后重新拍摄',
    en: 'The image is blurry or almost blank. Focus and take it again.',
  },
} satisfies Record<string, LocalizedText>

/**
 * Returns why a picture is unreadable, judged by format, size and compression; undefined if it is fine. The picture is
 * not decoded, so a sharp photo of a blank wall counts as blurred, which is right for a document.
 */
export function findPictureFault(bytes: Buffer): LocalizedText | undefined {
  const size = sizeOf(bytes)
  if (!size) return words.unreadable
  if (bytes.length > BYTES_MAX) return words.tooLarge
  const [short, long] = [Math.min(size.width, size.height), Math.max(size.width, size.height)]
  if (short < SIDES_MIN[0] || long < SIDES_MIN[1]) return words.tooSmall
  const perKilopixel = (bytes.length * 1000) / (size.width * size.height)
  return perKilopixel < PER_KILOPIXEL_MIN[size.format] ? words.blurred : undefined
}
