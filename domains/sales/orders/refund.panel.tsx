import { Modal, Skeleton } from 'antd'
import { useState } from 'react'
import { useHasPermission } from '#kit/web/session/can.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { words as kit } from '#kit/web/base/page-words.ts'
import { ErrorNote } from '#kit/web/parts/states.tsx'
import { useWholeOrder } from './use-whole-order.ts'
import { RefundChoiceForm } from './refund-choice.tsx'
import { RefundProgress } from './refund-progress.tsx'
import { words } from './refund-dialog-words.ts'
import './orders.css'

/** Refunds an order by lines: choose, look at what will happen, follow the money. */
export default function RefundDialog({ orderId, onClose }: { orderId: string; onClose: () => void }) {
  const t = useLocalize()
  const { data: whole, error, refetch } = useWholeOrder(orderId)
  const isNow = useHasPermission('refunds_approve')
  const [made, setMade] = useState<string>()
  const title = (
    <>
      {t(isNow ? words.refund : words.ask)} {whole && <span className="kit-quiet order-no">{whole.order.orderNo}</span>}
    </>
  )
  return (
    <Modal open title={title} width={600} onCancel={onClose} footer={null} className="refund-dialog">
      {made ? (
        <RefundProgress id={made} onClose={onClose} />
      ) : whole ? (
        <RefundChoiceForm whole={whole} onMade={setMade} onClose={onClose} onStale={() => void refetch()} />
      ) : error ? (
        <ErrorNote title={t(kit.failedDetail)} error={error} retry={() => void refetch()} />
      ) : (
        <Skeleton active paragraph={{ rows: 8 }} />
      )}
    </Modal>
  )
}
