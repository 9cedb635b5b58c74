import type { WireRow } from '#kit/resource/index.ts'
import { findBarcodeFault, goodInfo, normalizeBarcode } from '#domains/catalogue/products/index.ts'
import { apiGet, type QueryParams } from '#kit/web/http.ts'
import type { LocalizedText } from '#kit/web/language.tsx'

export type GoodInfoRow = WireRow<typeof goodInfo>
type ProductSearchResult = {
  goods: GoodInfoRow[]
  /** Their whole code was given. */
  isExact: boolean
  /** There are more than are answered. */
  hasMore: boolean
}

const FOUND_MAX = 20

const words = {
  missing: { zh: '没有找到“{text}”', en: 'No results for “{text}”' },
  found: { zh: '找到 {count} 件，请选择', en: '{count} found. Select one.' },
  more: { zh: '只显示前 {count} 件，请多输入几个字', en: 'Showing the first {count}. Enter more characters.' },
} satisfies Record<string, LocalizedText>

/** A code as it stands on goods: whoever scans gives a whole one. */
export const isFullBarcode = (text: string) => !findBarcodeFault(normalizeBarcode(text))

/** Goods by what was scanned or typed: those of a whole code, or else by part of a name or the end of a barcode. */
export async function searchGoods(text: string, of: QueryParams = {}): Promise<ProductSearchResult> {
  const ask = async (by: QueryParams) => {
    const query = { ...of, ...by, size: FOUND_MAX, ascs: 'name' }
    return (await apiGet<{ records: GoodInfoRow[] }>(`${goodInfo.path}/list`, query, { quiet: true })).records
  }
  const coded = isFullBarcode(text) ? await ask({ upc_equal: text }) : []
  if (coded.length) return { goods: coded, isExact: true, hasMore: coded.length === FOUND_MAX }
  const parts = await Promise.all([ask({ name_like: text }), /^\d+$/.test(text) ? ask({ upc_likeleft: text }) : []])
  const goods = [...new Map(parts.flat().map((good) => [good.id, good])).values()]
  return { goods, isExact: false, hasMore: parts.some(({ length }) => length === FOUND_MAX) }
}

/** What is said where one has to choose, or where there is nothing to choose from. */
export const goodChoiceNote = ({ goods, hasMore }: ProductSearchResult, text: string) => ({
  words: goods.length ? words[hasMore ? 'more' : 'found'] : words.missing,
  values: { text, count: goods.length },
  isBad: !goods.length,
})
