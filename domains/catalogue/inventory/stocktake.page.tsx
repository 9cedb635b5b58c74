import type { WireRow } from '#kit/resource/index.ts'
import { useNavigate } from 'react-router'
import type { CellProps } from '#kit/fields/web-kind.ts'
import type { FormLayoutOf } from '#kit/web/list/page-parts.ts'
import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import type { RowAction } from '#kit/web/list/row-buttons.tsx'
import { useResourcePermissions } from '#kit/web/session/use-may.ts'
import { STOCKTAKE_STATE } from './dictionaries.ts'
import { stocktake } from './stocktake.resource.ts'
import './stock.css'

type Row = WireRow<typeof stocktake>

const words = {
  intro: {
    zh: '几个人可以同时用手机盘点，营业不用停；看过差异再一次过账',
    en:
      'Several people can count by phone at the same time while the store stays open. Review the ' +
      'discrepancies, then post once.',
  },
  count: { zh: '去盘点', en: 'Count' },
  look: { zh: '差异与过账', en: 'Discrepancies & posting' },
}

const layout: FormLayoutOf<typeof stocktake> = [
  { fields: ['shopId', 'scope'] },
  { fields: ['goodTypeId'], when: (values) => values.scope === 'type' },
  { fields: ['shelfNo'], when: (values) => values.scope === 'shelf' },
  { fields: ['rule', 'remark'] },
]

const ProgressCell = ({ row }: CellProps<Row>) => (
  <span className="kit-number">
    {String(row.counted)}
    <span className="kit-quiet"> / {String(row.goods)}</span>
  </span>
)

/** List of the shops' stocktakes; counting and posting have their own page. */
export default function StocktakePage() {
  const go = useNavigate()
  const may = useResourcePermissions(stocktake)
  const to = (row: Row, view?: string) => void go(`/goods/count/${String(row.id)}${view ? `?view=${view}` : ''}`)
  const rowActions = (row: Row): RowAction[] => [
    ...(may.act('count') && row.status === STOCKTAKE_STATE.counting
      ? [{ key: 'goCount', label: words.count, icon: 'scan' as const, run: () => to(row) }]
      : []),
    ...(row.status === STOCKTAKE_STATE.counting
      ? [{ key: 'look', label: words.look, icon: 'audit' as const, run: () => to(row, 'differences') }]
      : []),
  ]
  return (
    <ResourcePage
      resource={stocktake}
      page={{
        intro: words.intro,
        rowActions,
        formLayout: layout,
        cells: { counted: (props: CellProps<Row>) => <ProgressCell {...props} /> },
        // These actions are done on the page of the stocktake, which shows their effect.
        transformActions: (list) =>
          list
            .filter(({ key }) => key !== 'count' && key !== 'post')
            .toSorted((a, b) => Number(b.key === 'goCount') - Number(a.key === 'goCount')),
        onRow: (row) => to(row, row.status === STOCKTAKE_STATE.counting ? undefined : 'differences'),
      }}
    />
  )
}
