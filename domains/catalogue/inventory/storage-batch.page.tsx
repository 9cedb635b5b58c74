import type { WireRow } from '#kit/resource/index.ts'
import { Segmented } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { goodInfo } from '#domains/catalogue/products/index.ts'
import type { CellProps } from '#kit/fields/web-kind.ts'
import { useInvalidateResource } from '#kit/web/row/use-detail.ts'
import type { ActionRequest } from '#kit/web/form/action-dialog.tsx'
import { CopyableText } from '#kit/web/parts/copyable.tsx'
import { useLocalize } from '#kit/web/base/language.tsx'
import type { RowAction } from '#kit/web/list/row-buttons.tsx'
import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import { useUrlFlag } from '#kit/web/live/use-query-flag.ts'
import { useResourcePermissions } from '#kit/web/session/use-may.ts'
import { ExpiryCell } from './expiry.tsx'
import { storageBatch } from './storage-batch.resource.ts'
import './stock.css'

type Row = WireRow<typeof storageBatch>

const ActionDialog = lazy(() => import('#kit/web/form/action-dialog.tsx'))

const words = {
  intro: {
    zh: '一次到货一个批次，新增即入库；销售先扣最早到期的批次',
    en: 'One batch per delivery. Adding a batch receives stock. Sales take the earliest expiring batch first.',
  },
  all: { zh: '全部批次', en: 'All batches' },
  expiring: { zh: '临期与过期', en: 'Expiring & expired' },
  show: { zh: '显示', en: 'Show' },
}

const LeftCell = ({ value, row }: CellProps<Row>) => (
  <span className={`kit-number ${Number(value) ? '' : 'kit-quiet'}`}>
    {String(value)}
    <span className="kit-quiet"> / {String(row.quantity)}</span>
  </span>
)

/** Batch number with a copy button; the open batch has no number to copy, only a name. */
const BatchNo = ({ value, isOpen }: { value: unknown; isOpen: boolean }) =>
  isOpen ? <>{String(value)}</> : <CopyableText text={String(value)} />

const { loss } = goodInfo.actions

/** The write-off action of a product, preset to this batch and all its remaining pieces. */
const writeOffOf = (row: Row): ActionRequest => ({
  name: 'loss',
  action: loss,
  rows: [{ id: row.goodId, name: row.goodName, upc: row.upc }],
  preset: {
    quantity: row.remaining,
    batchId: row.id,
    batchName: row.batchNo,
  },
})

// Remaining pieces and expiry date come first, received quantities after them.
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

/** List of batches with their remaining pieces and expiry dates. */
export default function StorageBatchPage() {
  const t = useLocalize()
  const renew = useInvalidateResource()
  const mayLose = useResourcePermissions(goodInfo).act('loss')
  const [isExpiring, setExpiring] = useUrlFlag('isExpiring')
  const [actionRequest, setActionRequest] = useState<ActionRequest>()

  // Not marked as dangerous, which would move it into the "more" menu: for an expiring batch it is the main action.
  const rowActions = (row: Row): RowAction[] =>
    mayLose && Number(row.remaining) > 0
      ? [{ key: 'loss', label: loss.label, icon: loss.icon, run: () => setActionRequest(writeOffOf(row)) }]
      : []

  return (
    <>
      <ResourcePage
        resource={resource}
        page={{
          intro: words.intro,
          cells,
          rowActions,
          fixed: isExpiring ? { isExpiring: 'true' } : undefined,
          isNarrowed: isExpiring,
          head: () => (
            <div className="kit-tabs">
              <Segmented
                value={isExpiring ? 'expiring' : 'all'}
                onChange={(next) => setExpiring(next === 'expiring')}
                aria-label={t(words.show)}
                options={[
                  { value: 'all', label: t(words.all) },
                  { value: 'expiring', label: t(words.expiring) },
                ]}
              />
            </div>
          ),
        }}
      />
      <Suspense>
        {actionRequest && (
          <ActionDialog
            resource={goodInfo}
            asked={actionRequest}
            onClose={(isDone) => {
              setActionRequest(undefined)
              if (isDone) void renew(storageBatch)
            }}
          />
        )}
      </Suspense>
    </>
  )
}
