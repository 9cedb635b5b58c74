import type { WireRow } from '#kit/resource/index.ts'
import { Segmented } from 'antd'
import type { CellProps } from '#kit/fields/web-kind.ts'
import { Copyable } from '#kit/web/parts/copyable.tsx'
import { useSay } from '#kit/web/language.tsx'
import { ResourcePage } from '#kit/web/resource-page.tsx'
import { useAskedFlag } from '#kit/web/live/use-asked-flag.ts'
import { ExpiryCell } from './expiry.tsx'
import { storageBatch } from './storage-batch.resource.ts'
import './stock.css'

type Row = WireRow<typeof storageBatch>

const words = {
  intro: {
    zh: '一次到货一个批次，新增即入库；销售先扣最早到期的批次',
    en: 'One delivery, one batch: adding it puts it into stock; sales take what expires first',
  },
  all: { zh: '全部批次', en: 'All batches' },
  expiring: { zh: '临期与过期', en: 'Expiring and expired' },
  show: { zh: '显示', en: 'Show' },
}

const LeftCell = ({ value, row }: CellProps<Row>) => (
  <span className={`kit-number ${Number(value) ? '' : 'kit-quiet'}`}>
    {String(value)}
    <span className="kit-quiet"> / {String(row.quantity)}</span>
  </span>
)

function BatchNo({ value, isOpen }: { value: unknown; isOpen: boolean }) {
  const say = useSay()
  return isOpen ? <>{say(storageBatch.fields.isOpen.label)}</> : <Copyable text={String(value)} />
}

// What is left and until when comes first; what came in stands behind what is left.
const resource = {
  ...storageBatch,
  list: {
    ...storageBatch.list,
    columns: [
      'batchNo',
      'goodId',
      'shopId',
      'remaining',
      'expiryDate',
      'costPrice',
      'productionDate',
      'supplierId',
      'supplierOrderId',
      'upc',
      'createTime',
    ],
  },
}

const cells = {
  batchNo: ({ value, row }: CellProps<Row>) => <BatchNo value={value} isOpen={row.isOpen === true} />,
  expiryDate: ({ value }: CellProps<Row>) => <ExpiryCell date={String(value ?? '')} />,
  remaining: (props: CellProps<Row>) => <LeftCell {...props} />,
}

/** Batches with what is left of them and when they expire. */
export default function StorageBatchPage() {
  const say = useSay()
  const [isExpiring, setExpiring] = useAskedFlag('isExpiring')
  return (
    <ResourcePage
      resource={resource}
      page={{
        intro: words.intro,
        cells,
        fixed: isExpiring ? { isExpiring: 'true' } : undefined,
        isNarrowed: isExpiring,
        head: () => (
          <div className="kit-tabs">
            <Segmented
              value={isExpiring ? 'expiring' : 'all'}
              onChange={(next) => setExpiring(next === 'expiring')}
              aria-label={say(words.show)}
              options={[
                { value: 'all', label: say(words.all) },
                { value: 'expiring', label: say(words.expiring) },
              ]}
            />
          </div>
        ),
      }}
    />
  )
}
