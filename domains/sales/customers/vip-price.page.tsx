import type { WireRow } from '#kit/resource/index.ts'
import type { CellProps } from '#kit/fields/web-kind.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useLocalize } from '#kit/web/base/language.tsx'
import { createResourcePage } from '#kit/web/page/page.tsx'
import { vipPrice } from './vip-price.resource.ts'
import './members.css'

type Row = WireRow<typeof vipPrice>

const words = {
  intro: {
    zh: '给会员的商品价格，按时间生效；到期后回到商品自己的会员价',
    en: 'Product prices for members, valid for a period. After that the member price of the product applies again.',
  },
  thin: { zh: '毛利很低', en: 'Very low margin' },
  loss: { zh: '低于进价', en: 'Below cost' },
}

const THIN = 10

/** The margin in per cent at this price, with a warning when it is thin or negative. */
function MarginCell({ row }: CellProps<Row>) {
  const t = useLocalize()
  if (row.margin === '' || row.margin === undefined) return <span className="kit-quiet">—</span>
  const margin = Number(row.margin)
  if (margin >= THIN) return <span className="kit-number">{margin.toFixed(1)}%</span>
  return (
    <span className="kit-number member-thin">
      <Icon name="exclamation-circle" />
      {margin.toFixed(1)}% {t(margin < 0 ? words.loss : words.thin)}
    </span>
  )
}

export default createResourcePage(
  { ...vipPrice, fields: { ...vipPrice.fields, margin: { ...vipPrice.fields.margin, width: 190 } } },
  { intro: words.intro, cells: { margin: (props: CellProps<Row>) => <MarginCell {...props} /> } },
)
