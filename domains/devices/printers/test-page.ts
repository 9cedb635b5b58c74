import type { Lang } from '#kit/resource/index.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import type { Printer } from './print.ts'
import type { PrintPart } from './receipt.ts'

const words = {
  title: { zh: '测试页', en: 'Test page' },
  width: { zh: '每行 {count} 个半角字', en: '{count} {count|character|characters} per line' },
  big: { zh: '大字', en: 'BIG' },
}

/** Lays out a test page: characters of both widths and sizes, a full line, a QR code. */
export function testPage(
  { name, sn }: Printer,
  columns: number,
  now: Date,
  lang: Lang,
): { title: string; parts: PrintPart[] } {
  const ruler = Array.from({ length: columns }, (_, at) => String((at + 1) % 10)).join('')
  return {
    title: `${words.title[lang]} ${name}`,
    parts: [
      { t: 'text', v: words.title[lang], align: 'center', w: 2, h: 2 },
      { t: 'text', v: `${name} ${sn}`, align: 'center' },
      { t: 'text', v: formatShanghaiTime(now), align: 'center' },
      { t: 'line' },
      { t: 'text', v: words.width[lang].replace('{count}', String(columns)) },
      { t: 'text', v: ruler },
      { t: 'text', v: words.big[lang], h: 2, bold: true },
      { t: 'qr', v: sn },
      { t: 'cut' },
    ],
  }
}
