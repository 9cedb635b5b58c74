import type { WireRow } from '#kit/resource/index.ts'
import { lazy, Suspense, useState } from 'react'
import type { CellProps } from '#kit/fields/web-kind.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import type { RowAction } from '#kit/web/list/row-buttons.tsx'
import { RowLink } from '#kit/web/inputs/row-link.tsx'
import { TRANSFER_STATE } from './dictionaries.ts'
import { stockTransfer } from './stock-transfer.resource.ts'
import { TransferLinesInput, parseTransferLines } from './transfer-lines.tsx'
import './stock.css'

type Row = WireRow<typeof stockTransfer>

const ReceiveTransfer = lazy(() => import('./transfer-receive.panel.tsx'))

const words = {
  intro: {
    zh: '商品在门店之间调拨：发出即扣减，收货才入账，差异当场说明',
    en:
      'Transfers between stores. Stock is deducted on shipping and added on receipt. Differences are ' +
      'explained on receipt.',
  },
  goods: { zh: '调拨商品', en: 'Products' },
  received: { zh: '实收 {received}', en: '{received} received' },
  missing: { zh: '差 {missing}', en: '{missing} missing' },
}

function MissingCell({ value }: CellProps<Row>) {
  const t = useLocalize()
  return Number(value) > 0 ? (
    <span className="goods-low">{t(words.missing, { missing: value })}</span>
  ) : (
    <span className="kit-quiet">—</span>
  )
}

function Lines({ row }: { row: Row }) {
  const t = useLocalize()
  return (
    <div className="goods-beside">
      <section>
        <h3>{t(words.goods)}</h3>
        <ul className="kit-rows">
          {parseTransferLines(row.lines).map((line) => (
            <li key={line.goodId}>
              <span>
                <RowLink to="goodInfo" id={line.goodId}>
                  {line.name ?? line.goodId}
                </RowLink>
                <small>{line.upc}</small>
              </span>
              <span>
                ×{line.quantity}
                {line.received !== undefined && (
                  <small className={line.received < line.quantity ? 'goods-low' : undefined}>
                    {t(words.received, { received: line.received })}
                  </small>
                )}
              </span>
            </li>
          ))}
        </ul>
      </section>
    </div>
  )
}

const cells = { missing: (props: CellProps<Row>) => <MissingCell {...props} /> }
const inputs = { lines: TransferLinesInput }

/** List of stock transfers between shops. */
export default function StockTransferPage() {
  const [receiving, setReceiving] = useState<Row>()
  const transformActions = (rowActions: RowAction[], row: Row) =>
    rowActions
      .filter(({ key }) => key !== 'edit' || row.status === TRANSFER_STATE.draft)
      .map((action) => (action.key === 'receive' ? { ...action, run: () => setReceiving(row) } : action))
  return (
    <>
      <ResourcePage
        resource={stockTransfer}
        page={{ intro: words.intro, cells, inputs, transformActions, beside: (row) => <Lines row={row} /> }}
      />
      <Suspense>
        {receiving && <ReceiveTransfer transfer={receiving} onClose={() => setReceiving(undefined)} />}
      </Suspense>
    </>
  )
}
