import type { WireRow } from '#kit/resource/index.ts'
import { findBarcodeFault, goodInfo, normalizeBarcode } from '#domains/catalogue/products/index.ts'
import { apiGet } from '#kit/web/http/http.ts'
import type { QueryParams } from '#kit/web/http/query-params.ts'
import type { LocalizedText } from '#kit/web/base/language.tsx'

export type GoodInfoRow = WireRow<typeof goodInfo>
type ProductSearchResult = {
  goods: GoodInfoRow[]
  /** The text was the complete barcode of these goods. */
  isExact: boolean
  /** More goods match than are returned. */
  hasMore: boolean
}

const FOUND_MAX = 20

const words = {
  missing: { zh: '没有找到“{text}”', en: 'No results for “{text}”' },
  found: { zh: '找到 {count} 件，请选择', en: '{count} found. Select one.' },
  more: { zh: '只显示前 {count} 件，请多输入几个字', en: 'Showing the first {count}. Enter more characters.' },
} satisfies Record<string, LocalizedText>

/** Whether a text is a valid barcode, printed or a shop's own code, as a scanner sends it. */
export const isFullBarcode = (text: string) => !findBarcodeFault(normalizeBarcode(text))

/**
 * Searches goods by a scanned or typed text: by the complete barcode, else by part of the name or the end of the
 * barcode. `of` restricts the search. Returns at most `FOUND_MAX` goods.
 */
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

/** Returns the note above search results: how many to choose from, or that nothing was found. */
export const goodChoiceNote = ({ goods, hasMore }: ProductSearchResult, text: string) => ({
  words: goods.length ? words[hasMore ? 'more' : 'found'] : words.missing,
  values: { text, count: goods.length },
  isBad: !goods.length,
})
