import type { WireRow } from '#kit/resource/index.ts'
import type { CellProps } from '#kit/fields/web-kind.ts'
import { createResourcePage } from '#kit/web/page/page.tsx'
import { stocktakeLine } from './stocktake-line.resource.ts'
import './stock.css'

type Row = WireRow<typeof stocktakeLine>

const words = {
  intro: {
    zh: '每张盘点单里每种商品的账面、实盘与差异',
    en: 'Book quantity, counted quantity and discrepancy of every product in every count',
  },
}

const Blank = () => <span className="kit-quiet">—</span>
const isCounted = ({ row }: CellProps<Row>) => !!row.countTime
const DifferenceCell = ({ value }: CellProps<Row>) =>
  Number(value) === 0 ? (
    <span className="kit-number">0</span>
  ) : (
    <strong className={`kit-number ${Number(value) > 0 ? 'kit-yes' : 'goods-low'}`}>
      {Number(value) > 0 ? `+${String(value)}` : `−${String(-Number(value))}`}
    </strong>
  )

/** Read-only list of the lines of all stocktakes. */
export default createResourcePage(stocktakeLine, {
  intro: words.intro,
  cells: { difference: (props: CellProps<Row>) => (isCounted(props) ? <DifferenceCell {...props} /> : <Blank />) },
})
