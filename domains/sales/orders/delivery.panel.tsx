import { formatAmount } from '#kit/fields/money/cents.ts'
import type { WireRow } from '#kit/resource/index.ts'
import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { meetsCondition } from '#kit/fields/base/condition.ts'
import type { Action } from '#kit/resource/define-resource.ts'
import type { ActionRequest } from '#kit/web/form/action-dialog.tsx'
import { PrintRowButton } from '#kit/web/list/print-button.tsx'
import { DictTag } from '#kit/web/parts/dict-tag.tsx'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useLocalize, type LocalizedText } from '#kit/web/base/language.tsx'
import { callAction, useActionRunner } from '#kit/web/row/run-action.ts'
import { useResourcePermissions } from '#kit/web/session/use-may.ts'
import { RelativeTime } from '#kit/web/parts/relative-time.tsx'
import { DELIVERY_STATE } from './dictionaries.ts'
import { deliveryInfo } from './delivery-info.resource.ts'
import './orders.css'

type Row = WireRow<typeof deliveryInfo>

const ActionDialog = lazy(() => import('#kit/web/form/action-dialog.tsx'))

const words = {
  wanted: { zh: '期望', en: 'expected' },
  assign: { zh: '指派', en: 'Assign' },
  rider: { zh: '配送：{name}', en: 'Courier: {name}' },
  metres: { zh: '{count} 米', en: '{count} m' },
  fee: { zh: '配送费 ¥{fee}', en: 'delivery fee ¥{fee}' },
  failed: { zh: '送不到：{reason}', en: 'Not delivered: {reason}' },
  done: { zh: '送达', en: 'delivered' },
} satisfies Record<string, LocalizedText>

type Name = keyof typeof deliveryInfo.actions
/** The next action in each state. One tap performs it, unless it asks for input. */
const NEXT: Record<number, Name> = {
  [DELIVERY_STATE.waiting]: 'accept',
  [DELIVERY_STATE.accepted]: 'pickUp',
  [DELIVERY_STATE.pickedUp]: 'deliver',
  [DELIVERY_STATE.failed]: 'again',
}

type Props = { row: Row; onDone: () => void }

/**
 * Card of a delivery: address, recipient, rider, and the next action as a large button. `order` is the link to its
 * order, given on the board.
 */
export function DeliveryCard({ row, onDone, order }: Props & { order?: React.ReactNode }) {
  const t = useLocalize()
  const [phone, setPhone] = useState<string>()
  const status = Number(row.status)
  return (
    <article className="delivery-card" data-status={status}>
      <header>
        <strong>{String(row.address)}</strong>
        {order ?? <DictTag code="delivery_status" value={row.status} />}
      </header>
      <p>
        {String(row.name)}{' '}
        {phone ? (
          <a href={`tel:${phone}`} className="kit-number">
            {phone}
          </a>
        ) : (
          <span className="kit-number">{String(row.phone)}</span>
        )}
      </p>
      <Facts row={row} />
      {status === DELIVERY_STATE.failed && row.failReason ? (
        <p className="kit-bad">{t(words.failed, { reason: row.failReason })}</p>
      ) : null}
      <Actions row={row} onDone={onDone} onPhone={phone ? undefined : setPhone} />
    </article>
  )
}

/** Details of the delivery: expected time, distance, fee and rider. */
function Facts({ row }: Pick<Props, 'row'>) {
  const t = useLocalize()
  return (
    <p className="kit-quiet">
      {[
        row.expectTime ? (
          <span key="wanted">
            {t(words.wanted)} <RelativeTime at={String(row.expectTime)} />
          </span>
        ) : undefined,
        Number(row.distance) > 0 && <span key="metres">{t(words.metres, { count: row.distance })}</span>,
        Number(row.fee) > 0 && <span key="fee">{t(words.fee, { fee: formatAmount(String(row.fee)) })}</span>,
        row.riderName && Number(row.status) !== DELIVERY_STATE.waiting ? (
          <span key="rider">{t(words.rider, { name: row.riderName })}</span>
        ) : undefined,
        row.finishTime ? (
          <span key="done">
            {t(words.done)} <RelativeTime at={String(row.finishTime)} />
          </span>
        ) : undefined,
      ].filter(Boolean)}
    </p>
  )
}

/** Actions possible now, the next one last. A phone number is only shown on request, which is recorded. */
function Actions({ row, onDone, onPhone }: Props & { onPhone: ((phone: string) => void) | undefined }) {
  const t = useLocalize()
  const may = useResourcePermissions(deliveryInfo)
  const { run, running } = useActionRunner(deliveryInfo)
  const [actionRequest, setActionRequest] = useState<ActionRequest>()
  const id = String(row.id)
  const can = (name: Name) => may.act(name) && meetsCondition(row, deliveryInfo.actions[name].enabled)
  const open = (name: Name) => setActionRequest({ name, action: deliveryInfo.actions[name], rows: [row] })
  const go = async (name: Name) => {
    const done = await run(() => callAction(deliveryInfo, name, deliveryInfo.actions[name] as Action, { id })).catch(
      () => false,
    )
    if (done) onDone()
  }
  const next = NEXT[Number(row.status)]

  return (
    <>
      <footer>
        <PrintRowButton resource={deliveryInfo} row={row} />
        {can('contact') && onPhone && <PhoneButton id={id} onPhone={onPhone} />}
        {can('fail') && Number(row.status) !== DELIVERY_STATE.waiting && (
          <Button size="large" danger type="text" onClick={() => open('fail')}>
            {t(deliveryInfo.actions.fail.label)}
          </Button>
        )}
        {can('accept') && (
          <Button size="large" onClick={() => open('accept')}>
            {t(words.assign)}
          </Button>
        )}
        {next && can(next) && (
          <Button
            size="large"
            type="primary"
            loading={running}
            onClick={() => ('confirm' in deliveryInfo.actions[next] ? open(next) : void go(next))}
          >
            {t(deliveryInfo.actions[next].label)}
          </Button>
        )}
      </footer>
      <Suspense>
        {actionRequest && (
          <ActionDialog
            resource={deliveryInfo}
            asked={actionRequest}
            onClose={(done) => {
              setActionRequest(undefined)
              if (done) onDone()
            }}
          />
        )}
      </Suspense>
    </>
  )
}

function PhoneButton({ id, onPhone }: { id: string; onPhone: (phone: string) => void }) {
  const t = useLocalize()
  const call = async () => {
    const answer = (await callAction(deliveryInfo, 'contact', deliveryInfo.actions.contact as Action, { id }).catch(
      () => undefined,
    )) as { phone?: string } | undefined
    if (answer?.phone) onPhone(answer.phone)
  }
  return (
    <Button size="large" icon={<Icon name="phone" />} onClick={() => void call()}>
      {t(deliveryInfo.actions.contact.label)}
    </Button>
  )
}
