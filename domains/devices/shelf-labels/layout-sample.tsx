import { goodInfo } from '#domains/catalogue/products/index.ts'
import { useDetail } from '#kit/web/detail/use-detail.ts'
import { useLocalize } from '#kit/web/language.tsx'
import { usePathOf } from '#kit/web/list/row-link.tsx'
import { useList } from '#kit/web/list/use-list.ts'
import { elementsOf } from './layout-elements.ts'
import { TagPaper } from './tag-picture.tsx'
import { drawTag, sizeOf, type ShownContent } from './tag-templates.ts'

const secondHalf = { zh: '第二件半价', en: 'Second at half price' }

/** A list has no room for the goods it is drawn with. */
export function LayoutCell({ value, row }: { value: unknown; row: { model?: unknown } }) {
  const size = sizeOf(row.model)
  return <TagPaper drawn={{ size, lines: drawTag(elementsOf(value), useMadeUp(), size) }} />
}

function useMadeUp(): ShownContent {
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

/** Goods as a tag shows them: the chosen ones, else the first; with a promotion, so that its place is seen. */
export function useSample(goodId: string): ShownContent {
  const madeUp = useMadeUp()
  const mayRead = !!usePathOf('goodInfo')
  const { rows } = useList(goodInfo, { inAddress: false, fixed: { size: 1 }, enabled: mayRead && !goodId })
  const { data } = useDetail(goodInfo, goodId || undefined)
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
