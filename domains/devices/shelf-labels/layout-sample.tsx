import { goodInfo } from '#domains/catalogue/products/index.ts'
import { useRowDetail } from '#kit/web/row/use-detail.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { useResourcePath } from '#kit/web/inputs/row-link.tsx'
import { useResourceList } from '#kit/web/list/use-list.ts'
import { parseTagLayoutOrDefault } from './layout-elements.ts'
import { TagDrawing } from './tag-picture.tsx'
import { drawTagLines, toTagSize, type ShownTagContent } from './tag-templates.ts'

const secondHalf = { zh: '第二件半价', en: 'Second at half price' }

/** Shows a layout in a list cell, drawn with made-up goods. */
export function TagLayoutCell({ value, row }: { value: unknown; row: { model?: unknown } }) {
  const size = toTagSize(row.model)
  return <TagDrawing drawn={{ size, lines: drawTagLines(parseTagLayoutOrDefault(value), useMadeUp(), size) }} />
}

function useMadeUp(): ShownTagContent {
  const t = useLocalize()
  return {
    name: t({ zh: '农夫山泉饮用水', en: 'Spring water' }),
    upc: '6921168509256',
    spec: '550ml',
    unit: t({ zh: '瓶', en: 'bottle' }),
    priceFen: 250,
    memberPriceFen: 220,
    promotion: t(secondHalf),
  }
}

const fen = (yuan: unknown) => (yuan === '' || Number(yuan) < 0 ? null : Math.round(Number(yuan) * 100))

/**
 * Returns the goods a layout is drawn with: the chosen ones, else the first, else made-up ones. Always with a
 * promotion, so that its place is visible.
 */
export function useTagSampleContent(goodId: string): ShownTagContent {
  const madeUp = useMadeUp()
  const mayRead = !!useResourcePath('goodInfo')
  const { rows } = useResourceList(goodInfo, { inAddress: false, fixed: { size: 1 }, enabled: mayRead && !goodId })
  const { data } = useRowDetail(goodInfo, goodId || undefined)
  const good = goodId ? data : rows[0]
  if (!good) return madeUp
  return {
    name: String(good.name),
    upc: String(good.upc),
    spec: String(good.spec ?? ''),
    unit: String(good.unit ?? ''),
    priceFen: fen(good.salePrice) ?? 0,
    memberPriceFen: fen(good.vipPrice),
    promotion: madeUp.promotion,
  }
}
