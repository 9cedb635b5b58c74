import { formatAmount as money } from '#kit/fields/money/cents.ts'
import type { WireRow } from '#kit/resource/index.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, Modal, Radio } from 'antd'
import { useState } from 'react'
import { EditForm } from '#kit/web/form/edit-form.tsx'
import { apiGet, apiPost } from '#kit/web/http/http.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { words as kit } from '#kit/web/base/page-words.ts'
import { toast } from '#kit/web/base/toast.ts'
import { useInvalidateResource } from '#kit/web/row/use-detail.ts'
import { formInputId, useForm } from '#kit/web/form/use-form.ts'
import { useUnsavedGuard } from '#kit/web/form/use-unsaved-guard.tsx'
import { useFormSubmit } from '#kit/web/form/use-send.ts'
import { goodInfo } from '#domains/catalogue/products/index.ts'
import { storageBatch } from './storage-batch.resource.ts'
import { storageLog } from './storage-log.resource.ts'

type Row = WireRow<typeof goodInfo>

const words = {
  title: { zh: '入库', en: 'Receive stock' },
  now: { zh: '现有库存 {stock}', en: '{stock} in stock now' },
  after: { zh: '入库后 {stock}', en: '{stock} after receiving' },
  go: { zh: '确认入库', en: 'Confirm receipt' },
  order: { zh: '采购单', en: 'Purchase order' },
  ofOrder: { zh: '{orderNo} · {supplierName} · 欠 {due} 件', en: '{orderNo} · {supplierName} · {due} due' },
  ofNone: { zh: '不属于这些采购单', en: 'Not part of these orders' },
  choose: {
    zh: '这批货属于哪张采购单？请先选择',
    en: 'Which purchase order does this delivery belong to? Select it first.',
  },
  atPrice: {
    zh: '按采购价 ¥{price} 入库，并记为这张采购单已收',
    en: 'Received at the purchase price of ¥{price} and recorded on this purchase order',
  },
  tooMany: {
    zh: '这张采购单还欠 {due} 件；多出的请另收一次，选“不属于这些采购单”',
    en: '{due} are due on this purchase order. Receive the rest separately with “Not part of these orders”.',
  },
  done: { zh: '已入库 {count} 件“{name}”', en: 'Received {count} of “{name}”' },
}

const { quantity, costPrice, productionDate, expiryDate, batchNo, remark } = storageBatch.fields
/** A purchase order line with pieces that have not arrived yet. */
type DueLine = {
  detailId: string
  orderNo: string
  supplierName: string
  due: number
  was: number
  price: string
}
const OF_NONE = 'none'
const ORDERS = '/api/supplier/supplierOrder'
const ORDER_KEY = 'supplierOrder'

const fields = { quantity, expiryDate, productionDate, costPrice, batchNo, remark }

/** Form of a receipt for a purchase order: without the cost price, which the order has fixed. */
const OF_ORDER = [
  { fields: ['quantity', 'expiryDate', 'productionDate', 'batchNo', 'remark'] },
  { fields: ['costPrice'], when: () => false },
] as const

/** Loads the open purchase orders of a product and holds the chosen one: the only one, unless the user chooses. */
function useOrdersOf(goodId: string) {
  const { data: orders, isError } = useQuery({
    queryKey: ['list', ORDER_KEY, 'due', goodId],
    queryFn: () => apiGet<DueLine[]>(`${ORDERS}/due`, { goodId }, { quiet: true }),
    staleTime: 0,
    gcTime: 0,
  })
  const [chosenId, setChosenId] = useState<string>()
  const chosen = chosenId ?? (orders?.length === 1 ? orders[0]!.detailId : undefined)
  // People who may not read orders receive without one.
  const known = isError ? [] : orders
  return { orders: known, chosen, setChosen: setChosenId, line: known?.find(({ detailId }) => detailId === chosen) }
}

/** The product with its stock before and after the receipt. */
function WhatIsReceived({ good, count }: { good: Row; count: number }) {
  const t = useLocalize()
  const stock = Number(good.stock ?? 0)
  return (
    <p className="kit-ask">
      {String(good.name)}{' '}
      <span className="kit-quiet">
        {String(good.shopName ?? '')} · {t(words.now, { stock })}
        {count > 0 && ` → ${t(words.after, { stock: stock + count })}`}
      </span>
    </p>
  )
}

type OrderChoiceProps = {
  orders: readonly DueLine[]
  chosen: string | undefined
  line: DueLine | undefined
  /** The user tried to go on without choosing. */
  isAsked: boolean
  onChoose: (detailId: string) => void
}

/** Choice of the open purchase order the goods came for, or none. */
function OrderChoice({ orders, chosen, line, isAsked, onChoose }: OrderChoiceProps) {
  const t = useLocalize()
  return (
    <fieldset className="goods-orders">
      <legend>{t(words.order)}</legend>
      <Radio.Group value={chosen} onChange={(event) => onChoose(event.target.value as string)}>
        {orders.map((one) => (
          <Radio key={one.detailId} value={one.detailId}>
            {t(words.ofOrder, one)}
          </Radio>
        ))}
        <Radio value={OF_NONE}>{t(words.ofNone)}</Radio>
      </Radio.Group>
      {line && <p className="kit-quiet">{t(words.atPrice, { price: money(line.price) })}</p>}
      {isAsked && !chosen && (
        <p className="kit-error" role="alert">
          {t(words.choose)}
        </p>
      )}
    </fieldset>
  )
}

/** Dialog that takes delivered goods into stock as a new batch, so that the first expired batch can be sold first. */
export default function ReceiveStockDialog({ good, onClose }: { good: Row; onClose: () => void }) {
  const t = useLocalize()
  const renew = useInvalidateResource()
  const form = useForm({ fields, mode: 'add', preset: { costPrice: good.costPrice === -1 ? '' : good.costPrice } })
  const count = Number(form.values.quantity) || 0
  const { orders, chosen, setChosen: setChosenId, line } = useOrdersOf(String(good.id))
  const [isConfirmOpen, setConfirmOpen] = useState(false)

  const { send: go, isSending } = useFormSubmit(form, async () => {
    // Among several orders the user has to choose.
    if (!orders || (orders.length > 0 && !chosen)) return setConfirmOpen(true)
    if (line && count > line.due) return form.refuse({ quantity: t(words.tooMany, { due: line.due }) })
    const { costPrice: cost, ...came } = form.payload()
    await (line
      ? apiPost(
          `${ORDERS}/receiveScanned`,
          { body: { ...came, detailId: line.detailId, was: line.was } },
          { quiet: true },
        )
      : apiPost(
          `${storageBatch.path}/submit`,
          { body: { ...came, costPrice: cost, goodId: good.id, shopId: good.shopId } },
          { quiet: true },
        ))
    toast.success(t(words.done, { count, name: good.name }))
    await Promise.all([goodInfo, storageBatch, storageLog].map(renew))
    onClose()
  })
  const [leave, question] = useUnsavedGuard(form, onClose)
  return (
    <Modal
      open
      afterOpenChange={(isOpen) => isOpen && document.getElementById(formInputId(form.id, 'quantity'))?.focus()}
      title={t(words.title)}
      width={560}
      onCancel={leave}
      footer={[
        <Button key="cancel" onClick={onClose}>
          {t(kit.cancel)}
        </Button>,
        <Button key="go" type="primary" loading={isSending || !orders} onClick={() => void go()}>
          {t(words.go)}
        </Button>,
      ]}
    >
      <WhatIsReceived good={good} count={count} />
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void go()
        }}
      >
        {!!orders?.length && (
          <OrderChoice {...{ orders, chosen, line, isAsked: isConfirmOpen }} onChoose={setChosenId} />
        )}
        <EditForm form={form} layout={line ? OF_ORDER : undefined} />
        <button type="submit" hidden />
      </form>
      {question}
    </Modal>
  )
}
