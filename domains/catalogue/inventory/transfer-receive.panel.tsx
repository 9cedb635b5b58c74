import type { WireRow } from '#kit/resource/index.ts'
import { Button, InputNumber, Modal, Radio } from 'antd'
import { useState } from 'react'
import type { ApiError } from '#kit/web/http/http.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { words as kit } from '#kit/web/base/page-words.ts'
import { callAction, useActionRunner } from '#kit/web/row/run-action.ts'
import { toast } from '#kit/web/base/toast.ts'
import { useDictionary } from '#kit/web/parts/use-dictionary.ts'
import { parseTransferLines } from './transfer-lines.tsx'
import { stockTransfer } from './stock-transfer.resource.ts'
import '#kit/web/parts/parts.css'
import './stock.css'

type Row = WireRow<typeof stockTransfer>

const words = {
  title: { zh: '收货', en: 'Receive' },
  ask: { zh: '“{from}”发来的商品，实际到了多少？', en: 'How much of the shipment from “{from}” arrived?' },
  sent: { zh: '发出 {quantity}', en: '{quantity} shipped' },
  arrived: { zh: '实收', en: 'Received' },
  missing: { zh: '少了 {count} 件，怎么处理？', en: '{count} missing. How should they be handled?' },
  tooMany: { zh: '只发出 {quantity} 件，不能多收', en: 'Only {quantity} were shipped. You cannot receive more.' },
  go: { zh: '收货 {count} 件', en: 'Receive {count} {count|piece|pieces}' },
}

type Arrival = ReturnType<typeof useArrival>

/** State of the dialog: received pieces by line, all of them by default, and what happened to the missing ones. */
function useArrival(transfer: Row, onDone: () => void) {
  const { run, running } = useActionRunner(stockTransfer)
  const [lines, setLines] = useState(() =>
    parseTransferLines(transfer.lines).map((line) => ({ ...line, received: line.quantity })),
  )
  const [remainder, setRemainder] = useState('lost')
  const missing = lines.reduce((sum, line) => sum + Math.max(0, line.quantity - line.received), 0)
  const isTooMany = lines.some((line) => line.received > line.quantity)
  const count = lines.reduce((sum, line) => sum + line.received, 0)
  const go = async () => {
    try {
      const input = { lines: lines.map(({ goodId, received }) => ({ goodId, received })), remainder }
      if (
        await run(() =>
          callAction(stockTransfer, 'receive', stockTransfer.actions.receive, { id: String(transfer.id) }, input, {
            quiet: true,
          }),
        )
      )
        onDone()
    } catch (reason) {
      toast.error((reason as ApiError).message)
    }
  }
  const setReceived = (at: number, received: number) =>
    setLines(lines.map((one, n) => (n === at ? { ...one, received } : one)))
  return { lines, setReceived, remainder, setRemainder, missing, isTooMany, count, running, go }
}

/** Dialog to receive a transfer: the arrived pieces of each line, all by default. */
export default function ReceiveTransferDialog({ transfer, onClose }: { transfer: Row; onClose: () => void }) {
  const t = useLocalize()
  const arrival = useArrival(transfer, onClose)
  const { missing, isTooMany, count, running, go } = arrival
  return (
    <Modal
      open
      title={`${t(words.title)} ${String(transfer.transferNo)}`}
      width={560}
      onCancel={onClose}
      footer={[
        <Button key="cancel" onClick={onClose}>
          {t(kit.cancel)}
        </Button>,
        <Button key="go" type="primary" disabled={isTooMany} loading={running} onClick={() => void go()}>
          {t(words.go, { count })}
        </Button>,
      ]}
    >
      <p className="kit-ask">{t(words.ask, { from: transfer.fromShopName })}</p>
      <Lines arrival={arrival} />
      {missing > 0 && <Missing arrival={arrival} />}
    </Modal>
  )
}

function Lines({ arrival: { lines, setReceived } }: { arrival: Arrival }) {
  const t = useLocalize()
  return (
    <ul className="kit-rows">
      {lines.map((line, at) => (
        <li key={line.goodId}>
          <span>
            {line.name}
            <small>
              {line.upc} · {t(words.sent, { quantity: line.quantity })}
            </small>
            {line.received > line.quantity && (
              <span className="kit-error" role="alert">
                {t(words.tooMany, { quantity: line.quantity })}
              </span>
            )}
          </span>
          <span>
            <InputNumber
              min={0}
              precision={0}
              inputMode="numeric"
              status={line.received > line.quantity ? 'error' : undefined}
              value={line.received}
              aria-label={`${line.name} ${t(words.arrived)}`}
              onChange={(received) => setReceived(at, received ?? 0)}
            />
          </span>
        </li>
      ))}
    </ul>
  )
}

/** Choice of what happened to the missing pieces. */
function Missing({ arrival: { missing, remainder, setRemainder } }: { arrival: Arrival }) {
  const t = useLocalize()
  const { choices } = useDictionary('stock_transfer_remainder')
  return (
    <fieldset className="kit-choice">
      <legend>{t(words.missing, { count: missing })}</legend>
      <Radio.Group
        value={remainder}
        onChange={(event) => setRemainder(String(event.target.value))}
        options={choices.map(({ key, label }) => ({ value: key, label }))}
      />
    </fieldset>
  )
}
