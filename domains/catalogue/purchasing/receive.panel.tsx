import type { WireRow } from '#kit/resource/index.ts'
import { Checkbox, InputNumber } from 'antd'
import { useState } from 'react'
import { webFieldKindOf } from '#kit/fields/web.ts'
import { apiPost } from '#kit/web/http/http.ts'
import { useLocalize, type LocalizedText } from '#kit/web/base/language.tsx'
import { useInvalidateResource } from '#kit/web/row/use-detail.ts'
import { shanghaiDayOf } from '#kit/web/parts/when-words.ts'
import { useNow } from '#kit/web/parts/relative-time.tsx'
import { SaveDrawer } from '#kit/web/detail/task-drawer.tsx'
import { storageBatch } from '#domains/catalogue/inventory/index.ts'
import { supplierOrderDetail } from './supplier-order-detail.resource.ts'
import { supplierOrder } from './supplier-order.resource.ts'
import { useSupplierOrderLines } from './supplier-order.page.tsx'
import './suppliers.css'

type Row = WireRow<typeof supplierOrder>

const words = {
  title: { zh: '收货', en: 'Receive' },
  hint: {
    zh: '按实际到货填写，没有到的留 0；收货即入库，成本按采购价。',
    en: 'Enter what arrived. Leave 0 for what did not. Stock is received immediately at the purchase price.',
  },
  open: { zh: '欠 {open} {unit}', en: '{open} {unit} due' },
  came: { zh: '本次收到', en: 'Receiving now' },
  expires: { zh: '到期日期', en: 'Expires' },
  over: { zh: '这个日期已经过了', en: 'This date has passed' },
  tooMany: { zh: '最多收 {open}', en: 'Up to {open}' },
  whole: { zh: '请填 0 或正整数', en: 'Enter 0 or a positive whole number' },
  last: { zh: '不再有后续到货（少货结单）', en: 'No further deliveries (close short)' },
  receive: { zh: '确认收货', en: 'Confirm receipt' },
}

const DateInput = webFieldKindOf(storageBatch.fields.expiryDate).Input
type Came = { quantity: number; expiryDate: string }
type Due = { id: string; name: string; spec: string; unit: string; quantity: number; receivedQuantity: number }
const openOf = (line: Due) => line.quantity - line.receivedQuantity

/** Returns what is wrong with the entered pieces of a line; undefined if nothing. */
const wrongWith = (line: Due, { quantity }: Came): LocalizedText | undefined => {
  if (!Number.isInteger(quantity) || quantity < 0) return words.whole
  return quantity > openOf(line) ? words.tooMany : undefined
}

/** Drawer to receive a delivery: the arrived pieces of each line with their expiry date. */
export default function ReceiveDeliveryDrawer({ order, onClose }: { order: Row; onClose: () => void }) {
  const t = useLocalize()
  const renew = useInvalidateResource()
  const { data, error, refetch } = useSupplierOrderLines(order)
  const [came, setCame] = useState<Record<string, Came>>({})
  const [isLast, setLast] = useState(false)

  const due = (data?.records ?? []).filter((line) => line.receivedQuantity < line.quantity)
  const of = (line: Due): Came => came[line.id] ?? { quantity: openOf(line), expiryDate: '' }
  const save = async () => {
    const wrong = due.find((line) => wrongWith(line, of(line)))
    if (wrong) {
      document.getElementById(`came-${wrong.id}`)?.focus()
      throw new Error('a quantity is wrong')
    }
    const lines = due.map((line) => ({ detailId: line.id, was: line.receivedQuantity, ...of(line) }))
    await apiPost(`${supplierOrder.path}/receive`, { query: { id: order.id }, body: { lines, isLast } })
    await Promise.all([supplierOrder, supplierOrderDetail, storageBatch].map(renew))
  }

  return (
    <SaveDrawer
      title={t(words.title)}
      subject={String(order.orderNo)}
      size={560}
      what={t(words.title)}
      isChanged={Object.keys(came).length > 0 || isLast}
      mayKeep
      saveLabel={words.receive}
      save={save}
      onClose={onClose}
      isPending={!data && !error}
      error={error}
      retry={() => void refetch()}
    >
      <p className="kit-quiet">{t(words.hint)}</p>
      <ul className="supplier-receive">
        {due.map((line) => (
          <Arrived
            key={line.id}
            line={line}
            now={of(line)}
            onChange={(change) => setCame({ ...came, [line.id]: { ...of(line), ...change } })}
          />
        ))}
      </ul>
      <Checkbox checked={isLast} onChange={(event) => setLast(event.target.checked)}>
        {t(words.last)}
      </Checkbox>
    </SaveDrawer>
  )
}

type ArrivedProps = { line: Due; now: Came; onChange: (change: Partial<Came>) => void }

function Arrived({ line, now, onChange }: ArrivedProps) {
  const t = useLocalize()
  const wrong = wrongWith(line, now)
  return (
    <li>
      <span>
        {line.name}
        <small>
          {line.spec} · {t(words.open, { open: openOf(line), unit: line.unit })}
        </small>
      </span>
      <label>
        <span className="kit-quiet">{t(words.came)}</span>
        <InputNumber
          id={`came-${line.id}`}
          size="large"
          status={wrong ? 'error' : ''}
          inputMode="numeric"
          value={now.quantity}
          onChange={(quantity) => onChange({ quantity: quantity ?? 0 })}
        />
        {wrong && (
          <span className="kit-error" role="alert">
            {t(wrong, { open: openOf(line) })}
          </span>
        )}
      </label>
      <Expires line={line} now={now} onChange={onChange} />
    </li>
  )
}

function Expires({ line, now, onChange }: ArrivedProps) {
  const t = useLocalize()
  const today = shanghaiDayOf(useNow())
  const isOver = now.quantity > 0 && now.expiryDate !== '' && now.expiryDate < today
  return (
    <label htmlFor={`expires-${line.id}`}>
      <span className="kit-quiet">{t(words.expires)}</span>
      <DateInput
        name="expiryDate"
        field={storageBatch.fields.expiryDate}
        id={`expires-${line.id}`}
        value={now.expiryDate}
        onChange={(date) => onChange({ expiryDate: String(date ?? '') })}
        values={{}}
        disabled={false}
        invalid={isOver}
      />
      {isOver && (
        <span className="kit-error" role="alert">
          {t(words.over)}
        </span>
      )}
    </label>
  )
}
